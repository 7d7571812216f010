import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { newId } from '../../platform/id.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import type { RedisConnection } from '../../platform/redis/connection.ts';
import { FORMAT, formatOf, toStored } from '../../platform/redis/stored.ts';
import { StartError } from '../../platform/start-error.ts';
import { key } from '../../platform/redis/key.ts';
import type { Base } from '../base.ts';

export const deploymentKeys = {
  /** Whose state this is. */
  owner: key('owner'),
} as const;

/** Whose state something is. What is not known, or not part of it, is undefined. */
interface Owner {
  /** Id of the workspace. */
  readonly workspace?: string;
  /** Client id of the Slack app that several workspaces install. */
  readonly app?: string;
  readonly service?: string;
  /** Where the hosting API is. */
  readonly address?: string;
  /** The API key itself: only a fingerprint of it is written. */
  readonly apiKey?: string;
}

/** What stands in Redis. `mark`: names this one; `salt`: what the fingerprint of the key is made with. */
const markSchema = z.object({
  mark: z.string(),
  salt: z.string(),
  workspace: z.string().optional(),
  app: z.string().optional(),
  service: z.string().optional(),
  address: z.string().optional(),
  fingerprint: z.string().optional(),
});
type Mark = z.output<typeof markSchema>;

/** Names, in the order in which they are said. The words of a key are never said. */
const FACTS = {
  workspace: 'the workspace',
  app: 'the Slack app',
  service: 'the service',
  address: 'the address',
};
type Fact = keyof typeof FACTS;

export interface OwnerDeps extends Pick<Base, 'redis'> {
  /** Reads what stands there, where it is asked together with others. */
  readonly read?: () => Promise<string | null>;
  /** Gives whose state it should be, as far as that is known by now. */
  readonly owner: () => Owner;
  /** The mark of a state that is to be taken over; undefined for none. */
  readonly takeOver: string | undefined;
  /** The account's name, where there are several. */
  readonly account?: string;
  /** What this version writes; FORMAT where it is left out. */
  readonly format?: number;
}

/** Whose state is in Redis. Both throw what Redis throws, but where it is away: nothing is taken from it then either. */
export interface StateOwner {
  /**
   * Marks what nobody has. Throws a StartError where it is another deployment's: what was asked for there would be done here,
   * with another key or in another workspace.
   */
  check(): Promise<void>;
  /** Changes nothing. `unmarked`: nobody's; undefined: this deployment's; else why it is refused. */
  look(): Promise<'unmarked' | OwnerRefusal | undefined>;
}

/** That a state is another deployment's, and what to do. */
export interface OwnerRefusal {
  readonly what: string;
  readonly todo: string;
}

export function createStateOwner({
  redis,
  read = () => redis.get(deploymentKeys.owner),
  owner,
  takeOver,
  account,
  format = FORMAT,
}: OwnerDeps): StateOwner {
  const judge = (standing: string): { mark?: Mark; refusal: OwnerRefusal | undefined } => {
    const unreadable = refusalOfFormat(formatOf(standing), format, account);
    if (unreadable) return { refusal: unreadable };
    const mark = markSchema.parse(JSON.parse(standing));
    const differences = differencesOf(mark, owner());
    return { mark, refusal: differences.length === 0 ? undefined : refusalOf(mark, differences, account) };
  };
  return {
    look: async () => {
      const standing = await read();
      return standing === null ? 'unmarked' : judge(standing).refusal;
    },
    check: async () => {
      try {
        const standing = (await read()) ?? (await claim(redis, owner(), format));
        if (standing === null) return;
        const { mark, refusal } = judge(standing);
        if (refusal && (!mark || takeOver !== mark.mark))
          throw new StartError(`${refusal.what} ${refusal.todo}`);
        const write = (next: Mark): Promise<unknown> =>
          redis.set(deploymentKeys.owner, toStored(next, format));
        if (refusal) await write(markOf(owner()));
        // From now on an older version doesn't start here: it would leave what is written in this format for ever.
        else if (mark && formatOf(standing) < format) await write(mark);
      } catch (error) {
        if (!isRedisAway(error)) throw error;
      }
    },
  };
}

/** Marks it, unless somebody else is first; gives what stands there then. */
async function claim(redis: RedisConnection, mine: Owner, format: number): Promise<string | null> {
  // What is marked by half would be everybody's who has that half.
  if (mine.workspace === undefined && mine.app === undefined) return null;
  await redis.set(deploymentKeys.owner, toStored(markOf(mine), format), 'NX');
  return redis.get(deploymentKeys.owner);
}

function markOf({ apiKey, ...facts }: Owner): Mark {
  const salt = newId();
  const fingerprint = apiKey === undefined ? {} : { fingerprint: fingerprintOf(apiKey, salt) };
  return { mark: newId().slice(0, 8), salt, ...facts, ...fingerprint };
}

/** Tells whether a key is the same, and nothing else of it. */
function fingerprintOf(apiKey: string, salt: string): string {
  return createHmac('sha256', salt).update(apiKey).digest('base64url').slice(0, 22);
}

/** What is different, as the middle of a sentence. Pure. */
function differencesOf(mark: Mark, mine: Owner): readonly string[] {
  const facts = (Object.keys(FACTS) as Fact[]).flatMap((fact) => {
    const [theirs, own] = [mark[fact], mine[fact]];
    return theirs === undefined || own === undefined || theirs === own
      ? []
      : [`${FACTS[fact]} ${theirs} (here ${own})`];
  });
  const { apiKey } = mine;
  const isOtherKey =
    mark.fingerprint !== undefined &&
    apiKey !== undefined &&
    mark.fingerprint !== fingerprintOf(apiKey, mark.salt);
  return [...facts, ...(isOtherKey ? ['another API key'] : [])];
}

/** Why what stands in a format can't be read by this version; undefined where it can. Pure. */
function refusalOfFormat(found: number, own: number, account: string | undefined): OwnerRefusal | undefined {
  if (found > own)
    return {
      what: `What is in this Redis${whose(account)} was written by a newer version of the bot (format ${found}), which this one doesn't read (${own}).`,
      todo: 'Start that version or a later one, or restore the backup of Redis from before the upgrade.',
    };
  if (found < 1)
    return {
      what: `What is in this Redis${whose(account)} was written before version 1.0, which no release reads.`,
      todo: 'Give this one its own with REDIS_PREFIX, like REDIS_PREFIX=prod, or with another REDIS_URL, and set roles, alerts, watches and schedules up anew.',
    };
  return undefined;
}

function whose(account: string | undefined): string {
  return account === undefined ? '' : ` of the account ${account}`;
}

function refusalOf(
  { mark }: Mark,
  differences: readonly string[],
  account: string | undefined,
): OwnerRefusal {
  return {
    what: `What is in this Redis${whose(account)} belongs to another deployment: it was written for ${differences.join(' and ')}.`,
    todo: `Give this one its own with REDIS_PREFIX, like REDIS_PREFIX=staging, or with another REDIS_URL. If it is the same one, moved or with a new key, start it with LAMPLIGHTER_TAKE_OVER=${mark}.`,
  };
}
