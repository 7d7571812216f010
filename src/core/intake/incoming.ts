import { z } from 'zod';
import { idOf } from '../../platform/id.ts';
import { type Actor, actorSchema, placeSchema } from '../../platform/slack/ids.ts';
import { arrivedAtOf, incomingIdOf } from '../../platform/slack/incoming-request.ts';
import { routeIdOf, MENU_ID, menuLine } from '../../platform/slack/controls.ts';
import type { Ask } from '../ask/ask.ts';
import { typedValue } from './kept-words.ts';
import type { Base } from '../base.ts';

/** What Slack sends, down to the fields that the bot reads. Everything else is dropped at this border. No null gets here. */

/** What an answer is only better with: where it can't be read, there is none. */
const triggerId = z.string().max(300).optional().catch(undefined);
const responseUrl = z.string().max(2_000).optional().catch(undefined);
const threadTs = placeSchema.shape.threadTs.catch(undefined);
/** When something was used, in seconds: what Slack sends may come in another order, and late. */
const actionTs = z.string().max(30).optional().catch(undefined);
/** Of a workspace, or of an organization. */
const teamId = z.string().max(64);

export const commandSchema = z.object({
  command: z.string().max(100),
  text: z.string().max(10_000).default(''),
  team_id: teamId.optional(),
  enterprise_id: teamId.optional(),
  user_id: actorSchema.shape.userId,
  channel_id: placeSchema.shape.channelId,
  response_url: responseUrl,
  trigger_id: triggerId,
});

/** Who acts, in everything but commands and events. */
const from = {
  user: z.object({ id: actorSchema.shape.userId, team_id: teamId.optional() }),
  team: z.object({ id: teamId }).optional(),
  enterprise: z.object({ id: teamId }).optional(),
};

const actionSchema = z.object({
  type: z.string().max(100).optional(),
  action_id: z.string().max(255),
  block_id: z.string().max(255).optional(),
  value: z.string().max(2_000).optional(),
  action_ts: actionTs,
  selected_option: z.object({ value: z.string().max(150) }).optional(),
  selected_user: actorSchema.shape.userId.optional(),
  selected_conversation: placeSchema.shape.channelId.optional(),
});

/** What stands in the fields of a message or a view. */
const stateSchema = z
  .object({ values: z.record(z.string().max(255), z.record(z.string().max(255), z.unknown())) })
  .optional();

/** Where something was pressed or picked: in a message, or in a view. */
const place = {
  channel: z.object({ id: placeSchema.shape.channelId }).optional(),
  container: z
    .object({
      channel_id: placeSchema.shape.channelId.optional(),
      is_ephemeral: z.boolean().optional().catch(undefined),
      thread_ts: threadTs,
    })
    .optional(),
  view: z
    .object({
      type: z.string().max(20),
      private_metadata: z.string().max(3_000),
      state: stateSchema,
    })
    .optional(),
};

export const pressSchema = z.object({
  ...from,
  ...place,
  message: z.object({ thread_ts: threadTs }).optional(),
  response_url: responseUrl,
  trigger_id: triggerId,
  state: stateSchema,
  actions: z.array(actionSchema).min(1).max(25),
});

/** What was picked in a select. */
const pickedOption = z.object({ value: z.string().max(150) });

export const submissionSchema = z.object({
  ...from,
  view: z.object({
    callback_id: z.string().max(255),
    private_metadata: z.string().max(3_000),
    state: z.object({
      // By the block and the element of each field.
      values: z.record(
        z.string().max(255),
        z.record(
          z.string().max(255),
          z.object({
            value: z.string().max(3_000).optional(),
            selected_option: pickedOption.optional(),
            selected_options: z.array(pickedOption).max(100).optional(),
          }),
        ),
      ),
    }),
  }),
});

export const shortcutSchema = z.object({
  ...from,
  type: z.enum(['shortcut', 'message_action']),
  callback_id: z.string().max(255),
  trigger_id: triggerId,
  action_ts: actionTs,
  channel: place.channel,
  response_url: responseUrl,
  /** What it says is found by `textOfMessage`. */
  message: z.looseObject({ ts: z.string().max(100).optional(), thread_ts: threadTs }).optional(),
});

export const suggestionSchema = z.object({
  ...from,
  ...place,
  action_id: z.string().max(255),
  block_id: z.string().max(255).optional(),
  value: z.string().max(1_000).default(''),
});

/** What names an event, where it comes from, and when what it tells of happened, in seconds. */
const ofEvent = {
  event_id: z.string().min(1).max(100),
  event_time: z.number().optional().catch(undefined),
  team_id: teamId.optional(),
  enterprise_id: teamId.optional(),
};

/** A message that mentions the bot, or one in its own conversation. */
export const messageSchema = z.object({
  ...ofEvent,
  event: z.object({
    type: z.enum(['app_mention', 'message']),
    user: actorSchema.shape.userId.optional(),
    user_team: teamId.optional(),
    bot_id: z.string().optional(),
    edited: z.unknown().optional(),
    subtype: z.string().optional(),
    text: z.string().max(40_000).default(''),
    channel: placeSchema.shape.channelId,
    ts: z.string(),
    thread_ts: threadTs,
  }),
});

export const homeOpenedSchema = z.object({
  ...ofEvent,
  event: z.object({
    type: z.literal('app_home_opened'),
    user: actorSchema.shape.userId,
    /** The person's direct messages with the bot. */
    channel: placeSchema.shape.channelId,
    tab: z.string().max(100).default('home'),
  }),
});

/** The channel of a press or a pick, for the Home the direct messages; undefined elsewhere outside of messages. */
export function channelIn({
  channel,
  container,
  view,
}: Pick<z.output<typeof pressSchema>, 'channel' | 'container' | 'view'>): string | undefined {
  return channel?.id ?? container?.channel_id ?? (view ? directChannelOf(view) : undefined);
}

/** Where what is pressed in a Home is answered: as it was given when it was published. */
function directChannelOf(view: {
  readonly type: string;
  readonly private_metadata: string;
}): string | undefined {
  return view.type === 'home' ? placeSchema.shape.channelId.safeParse(view.private_metadata).data : undefined;
}

/** What Slack sent, or undefined where it can't be read, which is counted and logged. */
export function parseIncoming<Schema extends z.ZodType>(
  { metrics, log }: Pick<Base, 'log' | 'metrics'>,
  schema: Schema,
  body: unknown,
): z.output<Schema> | undefined {
  const result = schema.safeParse(body);
  if (!result.success) {
    metrics.slackRequest('unreadable', 'dropped');
    log.warn(
      { at: result.error.issues.slice(0, 3).map((issue) => issue.path.join('.')) },
      'dropping an unreadable request',
    );
  }
  return result.data;
}

/** Counts and logs an element that names no route: of a message from before an update, or of a newer version. */
export function countUnknownRoute(
  { metrics, log }: Pick<Base, 'log' | 'metrics'>,
  { request, route, by }: { readonly request: string; readonly route: string; readonly by: string },
): void {
  metrics.slackRequest('unknown', 'dropped');
  log.warn({ request, route, by }, 'something was used that leads nowhere');
}

/**
 * Who acts, with the first of these that Slack names: their own workspace, the one they act in, its organization.
 * Without any, somebody from elsewhere could be taken for one of us.
 */
export function whoActs({
  user,
  team,
  enterprise,
}: {
  readonly user: { readonly id: string; readonly team_id?: string | undefined };
  readonly team?: { readonly id?: string | undefined } | undefined;
  readonly enterprise?: { readonly id?: string | undefined } | undefined;
}): Actor {
  const at = user.team_id || team?.id || enterprise?.id;
  return { userId: user.id, ...(at ? { teamId: at } : {}) };
}

/** What names an ask and when it was asked, of the request that a listener was given. */
export function identityOf(context: Readonly<Record<string, unknown>>): Pick<Ask, 'id' | 'askedAt'> {
  return { id: idOf(incomingIdOf(context)), askedAt: arrivedAtOf(context) };
}

/** Which route a press means, and with what: a pick, a line of a menu, or a button. */
export function meantBy(action: z.output<typeof pressSchema>['actions'][number]): {
  routeId: string;
  picked?: string;
  value?: string;
} {
  if (isField(action))
    return {
      routeId: action.action_id,
      ...(action.block_id === undefined ? {} : { value: typedValue(action.block_id) }),
    };
  const option = action.selected_option?.value;
  if (option === undefined) {
    const routeId = routeIdOf(action.action_id);
    return { routeId, value: action.value };
  }
  if (action.action_id === MENU_ID) return menuLine(option) ?? { routeId: '' };
  const kept = action.block_id === undefined ? {} : { value: action.block_id };
  return { routeId: action.action_id, picked: option, ...kept };
}

/** Whether it is only a choice in a select of several, of which nothing comes until a button is pressed. */
export function isOnlyChosen({ type }: z.output<typeof actionSchema>): boolean {
  return type?.startsWith('multi_') ?? false;
}

const FIELDS: ReadonlySet<string> = new Set(['users_select', 'conversations_select', 'plain_text_input']);

/** Whether it is a field of a message, which completes words that were kept under the id of its block. */
function isField({ type }: z.output<typeof actionSchema>): boolean {
  return type !== undefined && FIELDS.has(type);
}

const ANY_MENTION = /<@[UW][A-Za-z0-9_]*(\|[^>]*)?>/;

/**
 * What follows the mention of the bot, or what stands before it where nothing follows. `isDirect`: nobody else is spoken to, so
 * without that mention it is all of it.
 */
export function afterMention(text: string, botUserId: string | undefined, isDirect = false): string {
  const ours = botUserId === undefined ? -1 : text.search(new RegExp(`<@${botUserId}(?=[|>])`));
  const start = ours < 0 && !isDirect ? text.search(ANY_MENTION) : ours;
  if (start < 0) return text;
  const after = text.slice(text.indexOf('>', start) + 1);
  return after.trim() === '' ? text.slice(0, start) : after;
}
