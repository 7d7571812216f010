import { isChange } from '../core/policy/permissions.ts';
import type { Feature } from '../core/intake/feature.ts';
import { type Config, ConfigError } from './config/config.ts';

/** The verbs that change instances, as people type them. */
export function changeVerbs(features: readonly Feature[]): readonly string[] {
  return features
    .flatMap(({ routes }) => routes)
    .filter(({ permission, usage }) => permission && isChange(permission) && usage !== undefined)
    .map(({ verb }) => verb);
}

/**
 * The features of a service, by how people call it. Throws a ConfigError where an approval is for a verb that they don't
 * have: it would never be asked for.
 */
export function withKnownVerbs(
  { policy }: Pick<Config, 'policy'>,
  service: string,
  features: readonly Feature[],
): readonly Feature[] {
  const faults = policy?.faultsAt({ verbs: changeVerbs(features), service }) ?? [];
  if (faults.length === 0) return features;
  throw new ConfigError(faults.map((fault) => `LAMPLIGHTER_POLICY ${fault}`));
}
