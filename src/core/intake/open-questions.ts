import { z } from 'zod';
import type { Ask } from '../ask/ask.ts';
import { CANCEL_QUESTION } from '../ask/question.ts';
import { isStillOpen, readOffered } from '../offers/canceled.ts';
import type { OfferKind, Offers } from '../offers/offers.ts';
import { idOf } from '../../platform/id.ts';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import type { Message } from '../../platform/slack/message.ts';
import { type Phrase, phraseSchema } from '../../platform/slack/phrase.ts';
import type { About } from './about.ts';

const askedSchema = z.object({
  questions: z.array(z.object({ offered: z.string(), what: phraseSchema })),
});
/** What somebody was asked lately in one place, the last first. Where two are asked in one moment, one of them may be missing. */
const ASKED: OfferKind<z.infer<typeof askedSchema>> = { name: 'asked', schema: askedSchema };

/** So many of one person in one place can be canceled in a word. */
const MOST_ASKED = 5;

/** Something that somebody was asked and hasn't answered. */
export interface OpenQuestion {
  /** What its Cancel carries. */
  readonly offered: string;
  /** What they asked for: "Delete web-1". */
  readonly what: Phrase;
}

/** Remembers the question that an answer asks, if it does, so that its person can cancel it in a word. Never throws where Redis is away. */
export async function rememberQuestion(
  offers: Offers,
  ask: Pick<Ask, 'actor' | 'place' | 'askedAt'>,
  answer: Message,
  about: () => Promise<About>,
): Promise<void> {
  const cancel = answer.buttons?.find(({ routeId }) => routeId === CANCEL_QUESTION);
  if (!cancel || !readOffered(cancel.value)) return;
  const remember = async (): Promise<void> => {
    const before = (await offers.find(ASKED, idOfAsked(ask))).what?.questions ?? [];
    // What is shown to be canceled was asked before.
    if (before.some(({ offered }) => offered === cancel.value)) return;
    const { words } = await about();
    const questions = [{ offered: cancel.value, what: [...words] }, ...before.slice(0, MOST_ASKED - 1)];
    await offers.put(ASKED, idOfAsked(ask), { questions });
  };
  await unlessRedisIsAway(remember(), undefined);
}

/** What this person was asked here and can still answer, the last first. */
export async function openQuestions(
  offers: Pick<Offers, 'find'>,
  ask: Pick<Ask, 'actor' | 'place' | 'askedAt'>,
): Promise<readonly OpenQuestion[]> {
  const { what } = await offers.find(ASKED, idOfAsked(ask));
  const asked = what?.questions ?? [];
  const open = await Promise.all(asked.map(({ offered }) => isStillOpen(offers, offered, ask.askedAt)));
  return asked.filter((_, at) => open[at]);
}

function idOfAsked({ actor, place }: Pick<Ask, 'actor' | 'place'>): string {
  return idOf(`asked ${actor.userId} ${place.channelId}`);
}
