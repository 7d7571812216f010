import { createOneRecord } from '../src/core/records/one-record.ts';
import type { RedisConnection } from '../src/platform/redis/connection.ts';
import type { ConfiguredAccount } from '../src/app/config/accounts.ts';
import type { Config } from '../src/app/config/config.ts';
import { ACCESS } from '../src/core/policy/access-record.ts';
import { type Grant, isOpen } from '../src/core/policy/grant.ts';
import { roleWords } from '../src/core/policy/messages.ts';
import { toPlainText } from '../src/platform/slack/phrase.ts';
import { PEOPLE, type PersonRecord, TEAM } from './people.ts';

type GroupsOf = (handle: string) => ReadonlyMap<string, string>;

/**
 * Everybody in the sandbox with their id and the role that they have now, a line each, under the name of each of several
 * accounts. `redisOf`: reads what an account keeps; `groupsOf`: the handles of the user groups that somebody is in.
 */
export async function peopleWords(
  accounts: readonly ConfiguredAccount[],
  redisOf: (name: string | undefined) => RedisConnection,
  groupsOf: GroupsOf,
): Promise<string> {
  const words = accounts.map(async ({ account, config }) => {
    const lines = await ofAccount(redisOf(account?.name), config, groupsOf);
    return account ? `${account.name}\n${lines}` : lines;
  });
  return (await Promise.all(words)).join('\n\n');
}

async function ofAccount(
  redis: RedisConnection,
  { admins, everyone, policy }: Config,
  groupsOf: GroupsOf,
): Promise<string> {
  const { grants } = await createOneRecord(redis, ACCESS).get();
  const open = (policy?.grants ?? grants).filter((grant) => isOpen(grant, Date.now()));
  const rolesOf = (one: PersonRecord): readonly string[] => {
    const groups = groupsOf(one.handle);
    const isMember = standingWords(one) === 'full member';
    const byGroup = (grant: Grant): string | undefined =>
      'groupId' in grant.to && isMember ? groups.get(grant.to.groupId) : undefined;
    return [
      ...(admins.includes(one.id) ? ['admin, by the configuration'] : []),
      ...open.flatMap((grant) => {
        const group = byGroup(grant);
        if (group !== undefined) return [`${toPlainText(roleWords(grant))}, through @${group}`];
        return 'userId' in grant.to && grant.to.userId === one.id ? [toPlainText(roleWords(grant))] : [];
      }),
      ...(isMember && everyone !== 'none' ? [`${everyone}, as every full member is`] : []),
    ];
  };
  return PEOPLE.map((one) => {
    const roles = one.isBot || one.isDeleted ? [] : rolesOf(one);
    const what = roles.length === 0 ? 'no role' : roles.join('; ');
    return `${`@${one.handle}`.padEnd(11)}${one.id.padEnd(13)}${standingWords(one).padEnd(24)}${what}`;
  }).join('\n');
}

function standingWords({ isBot, isDeleted, isStranger, isRestricted, teamId }: PersonRecord): string {
  if (isDeleted) return 'deactivated';
  if (isBot) return 'bot';
  if (isStranger || teamId !== TEAM.id) return 'from another workspace';
  return isRestricted ? 'guest' : 'full member';
}
