import type { Redis } from 'ioredis';
import { loadConfig } from '../src/app/config/config.ts';
import { createAudit } from '../src/core/audit/audit.ts';
import { createAccessStore } from '../src/core/policy/access-record.ts';
import { type Grant, isOpen } from '../src/core/policy/grant.ts';
import { roleWords } from '../src/core/policy/messages.ts';
import { toPlainText } from '../src/platform/slack/phrase.ts';
import { PEOPLE, type PersonRecord, TEAM } from './people.ts';

type Env = Readonly<Record<string, string>>;

/**
 * Everybody in the sandbox with their id and the role that they have now, a line each. `env`: the bot's; `groupsOf`: the
 * handles of the user groups that somebody is in.
 */
export async function peopleWords(
  redis: Redis,
  env: Env,
  groupsOf: (handle: string) => ReadonlyMap<string, string>,
): Promise<string> {
  const { admins, everyone, policy } = loadConfig(env);
  const { grants } = await createAccessStore(redis, createAudit(redis)).get();
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
