import { z } from 'zod';
import type { Ask } from '../ask/ask.ts';
import { CANCEL_QUESTION } from '../ask/question.ts';
import { isStillOpen, offered, readOffered } from '../offers/canceled.ts';
import { listing, type OfferKind, type Offers, offering } from '../offers/offers.ts';
import { idOf, newId } from '../../platform/id.ts';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { type Phrase, phraseSchema, toPlainText, plain, say } from '../../platform/slack/phrase.ts';
import type { Write } from '../records/commit.ts';
import { KEPT_WORDS, askedIdOf, askedOf, typedValue } from './kept-words.ts';

const questionSchema = z.object({
  /** What its Cancel carries. */
  offered: z.string(),
  /** What they asked for: "Delete web-1". */
  what: phraseSchema,
  /** What a yes asks for: a route, and words that may name instances. */
  yes: z.array(z.object({ route: z.string(), words: z.array(z.string()) })),
});
/** Something that somebody was asked and hasn't answered. */
export type OpenQuestion = Readonly<z.infer<typeof questionSchema>>;

/** What somebody was asked lately in one place, the last first. */
const QUESTIONS: OfferKind<OpenQuestion> = { name: 'questions', schema: questionSchema };

/** So many of one person in one place can be canceled in a word. */
const MOST_ASKED = 5;

type Asked = Pick<Ask, 'actor' | 'place'>;

/** Who asks by `ask` is asked a question: the part of a commit that remembers it, so that they can cancel it in a word. */
function asking(ask: Asked, one: OpenQuestion): Write {
  return listing(QUESTIONS, idOfAsked(ask), one, MOST_ASKED);
}

/** An answer whose question, if it asks one, is remembered, and ended by its Cancel. Never throws where Redis is away. */
export async function rememberQuestion(
  offers: Offers,
  ask: Pick<Ask, 'actor' | 'place' | 'route' | 'words'>,
  answer: Message,
  about: () => Promise<Phrase>,
): Promise<Message> {
  const { buttons = [] } = answer;
  const cancel = buttons.find(isCancel);
  const cancels = cancel && readOffered(cancel.value) ? cancel.value : cancelsOf(answer, cancel);
  if (cancels === undefined) return answer;
  const remember = async (): Promise<Message> => {
    const yes = [{ route: ask.route, words: [...ask.words] }];
    await offers.write([asking(ask, { offered: cancels, what: [...(await about())], yes })]);
    return { ...answer, buttons: buttons.map((one) => (one === cancel ? { ...one, value: cancels } : one)) };
  };
  return unlessRedisIsAway(remember(), answer);
}

function isCancel({ routeId }: Button): boolean {
  return routeId === CANCEL_QUESTION;
}

/** What cancels all that an answer offers to who is asked; undefined where it offers nothing. */
function cancelsOf(
  { buttons = [], picker, blanks = [] }: Message,
  cancel: Button | undefined,
): string | undefined {
  const ids = [
    ...buttons.flatMap(({ value }) => askedIdOf(value) ?? []),
    ...(cancel ? [picker?.keeps ?? [], ...blanks.map(({ keeps }) => keeps)].flat() : []),
  ];
  return ids.length === 0 ? undefined : offered(KEPT_WORDS, ...new Set(ids));
}

/** What this person was asked here and can still answer, the last first; the same asked again is one question. */
export async function openQuestions(
  offers: Pick<Offers, 'find' | 'list'>,
  ask: Pick<Ask, 'actor' | 'place' | 'askedAt'>,
): Promise<readonly OpenQuestion[]> {
  const asked = await offers.list(QUESTIONS, idOfAsked(ask), MOST_ASKED);
  const open = await Promise.all(asked.map(({ offered: one }) => isStillOpen(offers, one, ask.askedAt)));
  const byWords = new Map<string, OpenQuestion>();
  for (const one of asked.filter((_, at) => open[at])) {
    const named = readOffered(one.offered);
    if (!named) continue;
    const words = `${named.kind.name} ${toPlainText(one.what)}`;
    const newer = byWords.get(words);
    const ids = [...(newer ? (readOffered(newer.offered)?.ids ?? []) : []), ...named.ids];
    byWords.set(words, { ...(newer ?? one), offered: offered(named.kind, ...new Set(ids)) });
  }
  return [...byWords.values()];
}

function idOfAsked({ actor, place }: Asked): string {
  return idOf(`asked ${actor.userId} ${place.channelId}`);
}

/** What a sentence may mean, as a button that asks it. */
export interface Choice extends Pick<Ask, 'route' | 'words'> {
  readonly label: string;
}

const MAX_WHAT = 150;

/**
 * The buttons of choices, of which who asks by `ask` is asked, and what cancels them; all of it is written at once. `isLater`: they
 * stand in an answer that is remembered when it is whole. Undefined where Redis is away.
 */
export async function askChoices(
  offers: Pick<Offers, 'write'>,
  ask: Pick<Ask, 'actor' | 'place' | 'askedAt'>,
  choices: readonly Choice[],
  isLater = false,
): Promise<{ readonly buttons: readonly Button[]; readonly cancels: string } | undefined> {
  const made = choices.map((choice) => ({ ...choice, id: newId() }));
  const cancels = offered(KEPT_WORDS, ...made.map(({ id }) => id));
  const what = say`${plain(choices.map(({ label }) => label).join(', '), MAX_WHAT)}`;
  const yes = choices.map(({ route, words }) => ({ route, words: [...words] }));
  const writes = [
    ...made.flatMap(({ id, words }) => offering(KEPT_WORDS, id, { ...askedOf(ask), words: [...words] })),
    ...(isLater ? [] : [asking(ask, { offered: cancels, what: [...what], yes })]),
  ];
  const buttons = made.map(({ label, route, id }) => ({
    label,
    routeId: route,
    value: typedValue(id, true),
  }));
  return unlessRedisIsAway(
    offers.write(writes).then(() => ({ buttons, cancels })),
    undefined,
  );
}
