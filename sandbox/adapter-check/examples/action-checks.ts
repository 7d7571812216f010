import type { ExampleAnswer } from '../../../src/platform/hosting/examples.ts';
import type { Action } from '../../../src/platform/hosting/service.ts';
import { attempt, doubt, fault, type Finding, notTried, ok, unshown, wordsOf } from '../finding.ts';
import { HTML_404 } from './double.ts';
import type { Played } from './played.ts';

const LATE = 'a late action';
const FAILED = 'a failed action';

/** An action that is missing at first, is under way for a while and is done; and one that fails. */
export async function actionsOf(played: Played): Promise<readonly Finding[]> {
  const { adapter, examples } = played;
  const { action, refusals } = examples;
  if (!adapter.instances.action)
    return [LATE, FAILED].map((check) => notTried(check, 'the adapter reads no action'));
  if (!action) return [LATE, FAILED].map(unshown);
  const missing = refusals.find(({ means }) => means === 'not-found')?.answer ?? HTML_404;
  const { id, running, done, failed } = action;
  const late = await states(played, id, [missing, running, running, done]);
  const words = late.map((one) => (typeof one === 'string' ? one : (one?.state ?? 'missing'))).join(', ');
  const isRight = words === 'missing, running, running, done';
  const findings = [isRight ? ok(LATE, words) : fault(LATE, `is read as ${words}`)];
  if (!failed) return [...findings, unshown(FAILED)];
  const [end] = await states(played, id, [failed]);
  if (typeof end === 'string' || end?.state !== 'failed')
    return [
      ...findings,
      fault(FAILED, `is read as ${typeof end === 'string' ? end : (end?.state ?? 'missing')}`),
    ];
  if (end.said === failed.says) return [...findings, ok(FAILED, end.said ?? 'the service does not say why')];
  return [
    ...findings,
    failed.says === undefined
      ? doubt(FAILED, `says "${end.said ?? ''}", which no example means`)
      : fault(FAILED, `says "${end.said ?? ''}" and means "${failed.says}"`),
  ];
}

async function states(
  { hosting, double }: Played,
  id: string,
  answers: readonly ExampleAnswer[],
): Promise<readonly (Action | string | undefined)[]> {
  const found: (Action | string | undefined)[] = [];
  for (const answer of answers) {
    const read = await attempt(() =>
      double.during(
        () => answer,
        () => hosting.findAction(id),
      ),
    );
    found.push('fault' in read ? wordsOf(read.fault) : read.value);
  }
  return found;
}
