import { z } from 'zod';
import { withoutSecrets } from '../../platform/log/log.ts';
import type { Ask } from '../ask/ask.ts';
import { asTyped } from '../ask/words.ts';

/** How an attempt went, or what became of it. */
const WHATS = [
  'asked',
  'shown',
  'dry run',
  'refused',
  'failed',
  'expired',
  'set',
  'approved',
  'ended',
  'pruned',
  // What the bot saw by itself, as a watch or an alert, and that it was over.
  'seen',
  'over',
] as const;

/** One attempt, or the end of one, as it is kept. Ids and words only; no secret ever stands in it. */
export const entrySchema = z.object({
  what: z.enum(WHATS),
  /** Redis' clock, Unix ms. */
  at: z.number(),
  /** The reference that an attempt and its end share: the id of its request and operation. */
  requestId: z.string(),
  /** The reference of what it is a part of: an approval, a batch, an incident, an alert. */
  of: z.string().optional(),
  /** Id of who asked; without, the bot itself. */
  by: z.string().optional(),
  /** The program through which they asked, by its name. */
  agent: z.string().optional(),
  /** Id of the channel in which it was asked. */
  channelId: z.string().optional(),
  /** The id of the route that was asked for. */
  route: z.string(),
  /** The exact words after the verb. */
  words: z.string().optional(),
  /** What it was found to be about. */
  target: z.object({ id: z.string(), name: z.string() }).optional(),
  /** What was asked besides the instance. */
  args: z.record(z.string(), z.unknown()).optional(),
  /** The rule that allowed it, in words. */
  rule: z.string().optional(),
  /** Why it was asked for, in the person's own words. */
  because: z.string().optional(),
  /** Why an admin went on in spite of a freeze or without an approval. */
  override: z.string().optional(),
  /** Id of who approved it. */
  approvedBy: z.string().optional(),
  /** The freezes from which that excepted it, and whose they were, in words. */
  exceptFrom: z.string().optional(),
  /** Why it was refused or how it ended: a code, `done`, `asked`, `failed`, `unknown` or `canceled`. */
  result: z.string().optional(),
  /** How long it took once its turn had come, in ms. */
  tookMs: z.number().optional(),
  /** What the hosting service answered. */
  answer: z.string().optional(),
});
export type Entry = z.infer<typeof entrySchema>;

/** An entry in which nothing that somebody typed looks like a secret. Pure. */
export function withoutSecretsIn(entry: Entry): Entry {
  const { words, because, override } = entry;
  return {
    ...entry,
    ...(words === undefined ? {} : { words: withoutSecrets(words) }),
    ...(because === undefined ? {} : { because: withoutSecrets(because) }),
    ...(override === undefined ? {} : { override: withoutSecrets(override) }),
  };
}

/** What an entry keeps of a request: who, where, what, in which words. `now`: Redis' clock, Unix ms. Pure. */
export function entryOf(ask: Ask, what: Entry['what'], now: number, more: Partial<Entry> = {}): Entry {
  const { id, route, words, actor, place } = ask;
  return {
    what,
    at: now,
    requestId: id,
    by: actor.userId,
    ...(actor.through ? { agent: actor.through.agent } : {}),
    channelId: place.channelId,
    route,
    ...(words.length > 0 ? { words: asTyped(words) } : {}),
    ...more,
  };
}
