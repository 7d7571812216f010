import { completeThresholds, parseThreshold } from '../../core/money/threshold.ts';
import { faultsOfAudit } from './audit-variables.ts';
import { faultsOfClients } from './client-certificate.ts';
import { faultsOfWorkspaces } from './install.ts';
import { faultsOfOutside } from './outside-variables.ts';
import { DEFAULT_SERVICE } from './variables.ts';

const THRESHOLD_FAULTS: ReadonlyMap<unknown, string> = new Map([
  ['mixed units', 'must count what BILLING_WARN counts: days in both, as in 5d and 2d, or a balance in both'],
  ['wrong order', 'must be below BILLING_WARN'],
]);

/**
 * What is wrong with variables beside each other. It looks at them as texts, so that it is said at once with what is wrong with
 * each of them. Pure; names variables and never their values.
 */
export function faultsTogether(values: Readonly<Record<string, string | undefined>>): readonly string[] {
  const faults: string[] = [];
  // Every other service has an address of its own.
  if (values['HOSTING_SERVICE'] === DEFAULT_SERVICE && values['HOSTING_API_URL'] === undefined)
    faults.push('HOSTING_API_URL is missing');
  faults.push(...faultsOfClients(values), ...faultsOfWorkspaces(values), ...faultsOfAudit(values));
  faults.push(...faultsOfOutside(values));
  const overHttp = values['SLACK_APP_TOKEN'] === undefined && values['LAMPLIGHTER_ROLE'] !== 'worker';
  if (overHttp && values['SLACK_SIGNING_SECRET'] === undefined)
    faults.push('SLACK_SIGNING_SECRET is needed unless SLACK_APP_TOKEN turns Socket Mode on');
  const [warn, critical] = ['BILLING_WARN', 'BILLING_CRITICAL'].map((name) =>
    parseThreshold(values[name] ?? ''),
  );
  const doubt = warn && critical && THRESHOLD_FAULTS.get(completeThresholds({ warn, critical }));
  if (doubt !== undefined) faults.push(`BILLING_CRITICAL ${doubt}`);
  return faults;
}
