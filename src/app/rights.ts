import { type Access, type AccessDeps, createAccess } from '../core/policy/access.ts';
import type { AccessStore } from '../core/policy/access-record.ts';
import type { Log } from '../platform/log/log.ts';
import type { Config } from './config/config.ts';
import type { ConfiguredAccount } from './config/accounts.ts';
import type { Slack } from './slack.ts';

/** Who may do what: by the configuration and the policy file, as they are now, and by what people set in Slack. */
export function createRights(
  live: () => ConfiguredAccount,
  { people, userGroups }: Slack,
  store: AccessStore,
  marks: AccessDeps['marks'],
  now: () => number,
  log: Log,
): Access {
  const fixed: AccessDeps['fixed'] = () => {
    const { account, config } = live();
    const { admins, everyone, policy } = config;
    const { grants, channels = {} } = policy ?? {};
    const rolesFile = rolesFileOf({ policy });
    const ofFile = rolesFile === undefined ? {} : { grants, rolesFile };
    return { admins, everyone, channels, ...ofFile, ...(account ? { reach: account } : {}) };
  };
  return createAccess({ fixed, people, userGroups, store, marks, now, log });
}

/** The name of the file that says who has which role, so that what was given in Slack doesn't count; undefined where none does. */
export function rolesFileOf({ policy }: Pick<Config, 'policy'>): string | undefined {
  return policy?.grants ? policy.name : undefined;
}
