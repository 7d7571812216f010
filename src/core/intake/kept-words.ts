import { z } from 'zod';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import { actorSchema } from '../../platform/slack/ids.ts';
import type { Ask } from '../ask/ask.ts';
import { CANCELED, wasCanceled } from '../offers/canceled.ts';
import type { OfferKind, Offers } from '../offers/offers.ts';
import type { Message } from '../../platform/slack/message.ts';
import { CANCEL_QUESTION } from '../ask/question.ts';

/** What stands before the id of words, in the value of a button. */
const MARK = 'typed:';
/** The same where somebody is asked whether they want that. */
const ASKED = 'asked:';

/** The value of what asks for the words that are kept under this id. `isAsked`: of whom is kept with them. */
export function typedValue(id: string, isAsked = false): string {
  return `${isAsked ? ASKED : MARK}${id}`;
}

/** The id of the words that a value stands for; undefined for any other value. */
export function typedIdOf(value: string | undefined): string | undefined {
  return value?.startsWith(MARK) ? value.slice(MARK.length) : askedIdOf(value);
}

/** The same where somebody is asked whether they want that, and undefined for any other value. */
export function askedIdOf(value: string | undefined): string | undefined {
  return value?.startsWith(ASKED) ? value.slice(ASKED.length) : undefined;
}

/** The words of a request that a pick or a press completes, so that none of them is lost, and the line that they were read from. */
const keptSchema = z.object({
  words: z.array(z.string()),
  letters: z.array(z.string()).optional(),
  isVerbless: z.literal(true).optional(),
  line: z.string().optional(),
  /** What is missing among the words, and before which of them. */
  gap: z.object({ at: z.int().min(0), asks: z.enum(['person', 'channel', 'text', 'words']) }).optional(),
  /** Whom it was asked of whether they want that: they can cancel it, and it counts for nobody then. */
  actor: actorSchema.optional(),
  /** Until then a word alone is their answer. Redis' clock, Unix ms. */
  expiresAt: z.number().optional(),
});
type Kept = z.output<typeof keptSchema>;
type KeptAsk = Omit<Kept, 'actor' | 'expiresAt'>;
export const KEPT_WORDS: OfferKind<Kept> = { name: 'words', schema: keptSchema };

/** So long what somebody was asked is what they mean by a word alone. */
const MEANT_FOR_MS = 30 * 60_000;

/** What is kept of whom something is asked of. */
export function askedOf({
  actor,
  askedAt,
}: Pick<Ask, 'actor' | 'askedAt'>): Pick<Kept, 'actor' | 'expiresAt'> {
  return { actor, expiresAt: askedAt + MEANT_FOR_MS };
}

/** Gives the id that the picker or the button carries; undefined where they can't be kept. */
export async function keepWords(
  offers: Pick<Offers, 'make'>,
  words: readonly string[],
  more: Omit<Kept, 'words'> = {},
): Promise<string | undefined> {
  return unlessRedisIsAway(offers.make(KEPT_WORDS, { ...more, words: [...words] }), undefined);
}

/**
 * The words that who asks by `ask` has pressed or picked something for, with how they were typed. Who was asked whether they want them
 * answers that by it, where `isAnswer` says so. Undefined when they have expired or never were. Throws a Refusal where it was canceled.
 */
export async function answerKept(
  offers: Pick<Offers, 'find' | 'use'>,
  id: string,
  ask: Pick<Ask, 'id' | 'actor'>,
  isAnswer: (kept: KeptAsk) => boolean = () => true,
): Promise<KeptAsk | undefined> {
  const { what, usedBy } = await offers.find(KEPT_WORDS, id);
  if (!what) return undefined;
  const { actor, expiresAt: _, ...kept } = what;
  const isTheirs = actor?.userId === ask.actor.userId;
  const answers = isTheirs && usedBy === undefined && isAnswer(kept);
  const by = answers ? await offers.use(KEPT_WORDS, id, ask.id) : usedBy;
  if (by === CANCELED) throw wasCanceled(isTheirs ? undefined : actor);
  return kept;
}

/** A pick, with the words that it completes. Throws a Refusal where what asked for it was canceled. */
export async function completePick(offers: Offers, ask: Ask): Promise<Ask> {
  if (ask.picked === undefined) return ask;
  const { value, ...pick } = ask;
  const kept = value === undefined ? undefined : await answerKept(offers, value, ask);
  const at = value === undefined ? {} : { pickedIn: value };
  return { ...pick, ...at, words: [...(kept?.words ?? [])] };
}

/** An answer whose picker keeps the words that were typed, and whom it asks. */
export async function keepTyped(offers: Offers, ask: Ask, answer: Message): Promise<Message> {
  const { picker, buttons = [] } = answer;
  const isQuestion = buttons.some(({ routeId }) => routeId === CANCEL_QUESTION);
  if (!picker || (ask.words.length === 0 && !isQuestion)) return answer;
  const keeps = await keepWords(offers, ask.words, isQuestion ? askedOf(ask) : {});
  return keeps === undefined ? answer : { ...answer, picker: { ...picker, keeps } };
}
