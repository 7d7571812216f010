import type { FetchFunction, WebClient } from '@slack/web-api';
import { z } from 'zod';
import { SlackError, slackErrorOf } from './errors.ts';
import type { MessageBlock } from './figures.ts';

/** What Slack says of the bot token. */
export interface TokenFacts {
  readonly user: string;
  readonly team: string;
  /** Whether it is of a whole organization, and nobody says which workspace is meant. */
  readonly isOrgWide: boolean;
  /** Undefined where Slack doesn't list them. */
  readonly scopes: readonly string[] | undefined;
}

/** What Slack says of a channel, seen from the bot. */
export interface ChannelFacts {
  /** Without the #; none of a private one, which not everybody may know. */
  readonly name?: string | undefined;
  readonly isMember: boolean;
  readonly isArchived: boolean;
  /** Whether people of other organizations are in it. */
  readonly isShared: boolean;
}

/** Looks at how Slack sees the bot and where it posts; changes nothing. Every method throws SlackError only. */
export interface Examiner {
  token(): Promise<TokenFacts>;
  /** Undefined for a channel that isn't there, or that the bot can't see. */
  channel(channelId: string): Promise<ChannelFacts | undefined>;
  /** Who somebody is: not known to Slack, deactivated, an app, or there. */
  person(userId: string): Promise<'unknown' | 'deactivated' | 'bot' | 'there'>;
  /** Whether there is such a user group. */
  group(groupId: string): Promise<boolean>;
  /** What Slack has against blocks, in its own words; undefined where it can't be asked. */
  faultsOf(blocks: readonly MessageBlock[]): Promise<readonly string[] | undefined>;
  /** How far Slack's clock is ahead of this host's, in ms, to about a second; undefined where Slack gives no date. */
  clockAheadMs(): Promise<number | undefined>;
}

/** A date in a header is cut to the second. */
const HALF_A_SECOND_MS = 500;

const tokenSchema = z.object({
  user: z.string(),
  team: z.string(),
  team_id: z.string(),
  is_enterprise_install: z.boolean().optional(),
  response_metadata: z
    .object({ scopes: z.array(z.string()).optional() })
    .optional()
    .catch(undefined),
});

function tokenFacts({ user, team, ...answer }: z.output<typeof tokenSchema>, ours?: string): TokenFacts {
  const isOrgWide = answer.is_enterprise_install === true || answer.team_id.startsWith('E');
  const scopes = answer.response_metadata?.scopes?.filter((scope) => scope !== '');
  return { user, team, isOrgWide: ours === undefined && isOrgWide, scopes };
}

const channelSchema = z.object({
  channel: z.object({
    name: z.string().optional().catch(undefined),
    is_private: z.boolean().optional(),
    is_member: z.boolean().optional(),
    is_archived: z.boolean().optional(),
    is_ext_shared: z.boolean().optional(),
  }),
});
const refusedSchema = z.object({ data: z.object({ errors: z.array(z.unknown()) }) });
const faultSchema = z.object({ message: z.string() });

const personSchema = z.object({
  user: z.object({ deleted: z.boolean().nullish(), is_bot: z.boolean().nullish() }),
});
/** What Slack says of an id of nobody, or of nobody that the bot may see. */
const NO_PERSON = new Set(['user_not_found', 'users_not_found', 'user_not_visible']);

/** What Slack says where it has no such method, or doesn't let this token ask. */
const CAN_NOT_ASK = new Set([
  'unknown_method',
  'not_allowed_token_type',
  'missing_scope',
  'method_deprecated',
]);

/**
 * `fetch` makes its calls; `connect` builds the client from the function that they are to go through. `ours`: the workspace that the
 * client names in its calls.
 */
export function createExaminer(
  fetch: FetchFunction,
  connect: (fetch: FetchFunction) => WebClient,
  ours?: string,
): Examiner {
  let aheadMs: number | undefined;
  const web = connect(async (input, init) => {
    const before = Date.now();
    const answer = await fetch(input, init);
    const dated = Date.parse(answer.headers.get('date') ?? '');
    aheadMs = Number.isNaN(dated) ? undefined : dated + HALF_A_SECOND_MS - (before + Date.now()) / 2;
    return answer;
  });
  return {
    token: () => asked(async () => tokenFacts(read(tokenSchema, await web.auth.test()), ours)),

    channel: async (channelId) => {
      try {
        return await asked(async () => {
          const { channel } = read(channelSchema, await web.conversations.info({ channel: channelId }));
          return {
            name: channel.is_private ? undefined : channel.name,
            isMember: channel.is_member ?? false,
            isArchived: channel.is_archived ?? false,
            isShared: channel.is_ext_shared ?? false,
          };
        });
      } catch (error) {
        if (error instanceof SlackError && error.code === 'channel_not_found') return undefined;
        throw error;
      }
    },

    person: async (userId) => {
      try {
        const { user } = await asked(async () => read(personSchema, await web.users.info({ user: userId })));
        if (user.deleted) return 'deactivated';
        return user.is_bot ? 'bot' : 'there';
      } catch (error) {
        if (error instanceof SlackError && NO_PERSON.has(error.code)) return 'unknown';
        throw error;
      }
    },

    group: async (groupId) => {
      try {
        await asked(() => web.usergroups.users.list({ usergroup: groupId }));
        return true;
      } catch (error) {
        if (error instanceof SlackError && error.code === 'no_such_subteam') return false;
        throw error;
      }
    },

    faultsOf: async (blocks) => {
      try {
        await web.blocks.validate({ blocks: [...blocks] });
        return [];
      } catch (error) {
        const fault = slackErrorOf(error);
        if (CAN_NOT_ASK.has(fault.code)) return undefined;
        if (!fault.code.startsWith('invalid_blocks')) throw fault;
        const said = refusedSchema.safeParse(error).data?.data.errors ?? [];
        const words = said.flatMap((one) => faultSchema.safeParse(one).data?.message ?? []);
        return words.length > 0 ? words : [fault.code];
      }
    },

    clockAheadMs: async () => {
      await asked(() => web.auth.test());
      return aheadMs;
    },
  };
}

/** Does a call. Throws SlackError only. */
async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const fault = slackErrorOf(error);
    fault.cause = error;
    throw fault;
  }
}

function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new SlackError('unreadable', { outcome: 'not-done' });
  return parsed.data;
}
