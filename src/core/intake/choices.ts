import { newId } from '../../platform/id.ts';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import type { Button } from '../../platform/slack/message.ts';
import { plain, say } from '../../platform/slack/phrase.ts';
import type { Ask } from '../ask/ask.ts';
import { offered } from '../offers/canceled.ts';
import { offering, type Offers } from '../offers/offers.ts';
import { askedOf, KEPT_WORDS, typedValue } from './kept-words.ts';
import { asking } from './open-questions.ts';

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
