import { isDeepStrictEqual } from 'node:util';
import type { ConfiguredAccount } from './accounts.ts';
import { VARIABLES } from './variables.ts';

/**
 * What of other settings doesn't count before the bot is started again, in words that name no value: "REDIS_URL", "INSTANCE_URL of
 * the account labs", "the account labs, which is new". Pure.
 */
export function waitingForRestart(
  started: readonly ConfiguredAccount[],
  next: readonly ConfiguredAccount[],
): readonly string[] {
  const same = (one: ConfiguredAccount, other: ConfiguredAccount): boolean =>
    one.account?.name === other.account?.name;
  const added = next.filter((one) => !started.some((other) => same(one, other)));
  const all = started.flatMap((one) => {
    const now = next.find((other) => same(one, other));
    return now ? changedIn(one, now) : [`the account ${one.account?.name}, which is gone`];
  });
  return [...new Set([...all, ...added.map(({ account }) => `the account ${account?.name}, which is new`)])];
}

/** Fields of an account on which more hangs than who reaches it, by what they are called in the file. */
const FIELDS = [
  ['workspaces', 'workspaces'],
  ['channels', 'channels'],
  ['defaultIn', 'default_in'],
] as const;

function changedIn(one: ConfiguredAccount, now: ConfiguredAccount): readonly string[] {
  const whose = one.account ? ` of the account ${one.account.name}` : '';
  const variables = VARIABLES.filter(
    ({ name, isLive }) => !isLive && one.config.given[name] !== now.config.given[name],
  );
  return [
    ...variables.map(({ name, ofAccount }) => (ofAccount ? `${name}${whose}` : name)),
    ...FIELDS.filter(([field]) => !isDeepStrictEqual(one.account?.[field], now.account?.[field])).map(
      ([, name]) => `${name}${whose}`,
    ),
  ];
}
