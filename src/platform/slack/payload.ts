import { parse } from 'node:querystring';
import { z } from 'zod';

/** Slack nests less deep than this; what lies deeper is nothing that is read. */
const MAX_DEPTH = 60;

/**
 * What Slack sent or answered, with null counting as absent wherever it stands: Slack writes either for the same, and
 * whoever reads it needs to think of one. Pure, and never throws: what is nested without an end is cut off.
 */
export function withoutNulls<Part>(part: Part): Part {
  return strip(part, 0) as Part;
}

function strip(part: unknown, depth: number): unknown {
  if (part === null || typeof part !== 'object') return part;
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(part))
    return part.filter((one) => one !== null).map((one: unknown) => strip(one, depth + 1));
  return Object.fromEntries(
    Object.entries(part)
      .filter(([, value]) => value !== null)
      .map(([name, value]: [string, unknown]) => [name, strip(value, depth + 1)]),
  );
}

type Body = Record<string, unknown>;
type Shape =
  | 'command'
  | 'interaction'
  | 'event'
  | 'url_verification'
  | 'ssl_check'
  | 'app_rate_limited'
  | 'unhandled';

/** A request's bytes as the object Slack meant, or undefined when they are none. */
export function parseBody(raw: Buffer, contentType: string | undefined): Body | undefined {
  const text = raw.toString('utf8');
  const isForm = contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded';
  if (!isForm) return parseObject(text);
  const form = parse(text);
  const { payload } = form;
  if (payload === undefined) return form;
  return typeof payload === 'string' ? parseObject(payload) : undefined;
}

function parseObject(text: string): Body | undefined {
  try {
    return z.record(z.string(), z.unknown()).safeParse(withoutNulls(JSON.parse(text))).data;
  } catch {
    return undefined;
  }
}

const text = z.string();
/** What Bolt looks up by it would be found in any object otherwise: "constructor". */
const slackId = text.regex(/^[A-Z][A-Za-z0-9_]{0,63}$/);
const withId = z.object({ id: slackId.optional() });
const teams = { team_id: slackId.optional(), enterprise_id: slackId.optional() };
const interaction = {
  user: z.object({ id: slackId, team_id: slackId.optional() }),
  team: z.object({ id: slackId.optional(), enterprise_id: slackId.optional() }).optional(),
  enterprise: withId.optional(),
  channel: withId.optional(),
};
const view = { id: slackId.optional(), app_installed_team_id: slackId.optional() };
/** Types that the bot handles: one of them that is not well formed is malformed, not unhandled. */
const HANDLED = new Set([
  'event_callback',
  'url_verification',
  'block_actions',
  'block_suggestion',
  'view_submission',
  'view_closed',
  'shortcut',
  'message_action',
]);
/**
 * Each shape by what tells it from the others at a glance, and then in whole: trying every schema costs more than the rest. What
 * a schema doesn't name is not looked at, and nothing is taken from what it gives.
 */
const SHAPES: readonly { readonly shape: Shape; isLike(body: Body): boolean; readonly schema: z.ZodType }[] =
  [
    // Checked first and never handed on: a command smuggled beside it must not run.
    {
      shape: 'ssl_check',
      isLike: (body) => body['ssl_check'] === '1',
      schema: z.object({ ssl_check: z.literal('1') }),
    },
    {
      shape: 'url_verification',
      isLike: ({ type }) => type === 'url_verification',
      schema: z.object({ type: z.literal('url_verification'), challenge: text.max(500) }),
    },
    {
      shape: 'app_rate_limited',
      isLike: ({ type }) => type === 'app_rate_limited',
      schema: z.object({ type: z.literal('app_rate_limited') }),
    },
    {
      shape: 'event',
      isLike: ({ type }) => type === 'event_callback',
      schema: z.object({
        type: z.literal('event_callback'),
        ...teams,
        event: z.object({ type: text }),
        authorizations: z.array(z.object(teams)).optional(),
      }),
    },
    {
      shape: 'command',
      isLike: ({ command }) => command !== undefined,
      schema: z.object({ ...teams, command: text, user_id: slackId, channel_id: slackId }),
    },
    {
      shape: 'interaction',
      isLike: ({ type }) => typeof type === 'string' && HANDLED.has(type),
      schema: z.discriminatedUnion('type', [
        z.object({
          ...interaction,
          type: z.literal('block_actions'),
          view: z.object(view).optional(),
          actions: z
            .array(z.object({ action_id: text, type: text }))
            .min(1)
            .optional(),
        }),
        z.object({
          ...interaction,
          type: z.literal('block_suggestion'),
          action_id: text,
          view: z.object(view).optional(),
        }),
        z.object({
          ...interaction,
          type: z.enum(['view_submission', 'view_closed']),
          view: z.object({ ...view, callback_id: text }),
        }),
        z.object({ ...interaction, type: z.literal('shortcut'), callback_id: text }),
        z.object({
          ...interaction,
          type: z.literal('message_action'),
          callback_id: text,
          channel: z.object({ id: slackId }),
        }),
      ]),
    },
    {
      // Whatever Slack may add: acknowledged, so that nobody reads an error.
      shape: 'unhandled',
      isLike: ({ type }) => typeof type === 'string' && !HANDLED.has(type),
      schema: z.object({ type: z.string().regex(/^[a-z][a-z_]{0,63}$/) }),
    },
  ];

/** What a body is, as far as Bolt needs it to be well formed; undefined for anything else. */
export function shapeOf(body: Body | undefined): Shape | undefined {
  if (!body) return undefined;
  return SHAPES.find(({ isLike, schema }) => isLike(body) && schema.safeParse(body).success)?.shape;
}
