import { type Access, type AccessDeps, createAccess } from '../core/policy/access.ts';
import type { AccessStore } from '../core/policy/access-record.ts';
import type { Log } from '../platform/log/log.ts';
import type { Config } from './config/config.ts';
import type { ConfiguredAccount } from './config/accounts.ts';
import type { FeaturesDeps } from './features-deps.ts';
import type { Slack } from './slack.ts';
import { createOnCall } from '../core/on-call/on-call.ts';
import { protectionBy } from '../core/policy/pattern.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';

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

/** What the configuration says by now of who has a say in a change, and who is called. */
export function policyOf(
  live: () => ConfiguredAccount,
  redis: RedisConnection,
): Pick<FeaturesDeps, 'isProtected' | 'approvalRules' | 'admins' | 'onCall' | 'holidays' | 'costGroups'> {
  return {
    isProtected: protectionBy(() => live().config.protectedInstances),
    approvalRules: () => live().config.approvals,
    admins: () => live().config.admins,
    onCall: createOnCall(redis, () => live().config.policy?.onCall ?? {}),
    holidays: () => live().config.policy?.holidays ?? {},
    costGroups: () => live().config.policy?.costGroups ?? [],
  };
}
