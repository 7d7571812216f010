import type { Access } from '../../src/core/policy/access.ts';
import type { Policy } from '../../src/core/policy/decide.ts';

const NOBODY_NAMED: Policy = { admins: [], everyone: 'none', grants: [], freezes: [], channels: {} };

/** An access that lets everybody do everything; `check` in place of its own where it is given. */
export function allowing(
  check: Access['check'] = async () => ({ allowed: true, rule: { by: 'admins' } }),
): Access {
  return {
    check,
    checkMember: async () => ({ allowed: true, rule: { by: 'admins' } }),
    checkEach: async (actor, permissions, at) => ({
      policy: NOBODY_NAMED,
      decisions: new Map(
        await Promise.all(
          [...permissions].map(async (one) => [one, await check(actor, one, 'any', at)] as const),
        ),
      ),
    }),
    require: async () => ({ by: 'admins' }),
    use: async () => undefined,
    using: async () => ({}),
    decisions: async () => () => ({ allowed: true, rule: { by: 'admins' } }),
    which: async () => () => true,
    within: async () => (wanted) => wanted,
    meets: async () => () => true,
    requireWithin: async (_actor, _permission, _at, wanted) => wanted,
    rules: async () => ({
      policy: NOBODY_NAMED,
      rules: [{ by: 'admins' }],
      decision: { allowed: true, rule: { by: 'admins' } },
    }),
    policy: async () => NOBODY_NAMED,
  };
}
