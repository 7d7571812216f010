import type { Ask } from '../ask/ask.ts';
import { withChoices } from '../ask/question.ts';
import type { Offers } from '../offers/offers.ts';
import type { Instead } from '../refusal.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Route, Shown } from './route.ts';
import { labelOf } from './sentence-messages.ts';
import type { Named } from './subject.ts';
import { typedBlank, typedButton } from './typed-button.ts';

/**
 * What was said, with a button for each list of words that the route may be asked in, and a field for each that lacks one. `named`:
 * instances whose ids may be among the words, beside those that it is about. `asked`: whom that asks, needed where it is
 * a question: its Cancel is theirs.
 */
export async function withInstead(
  offers: Offers,
  route: Pick<Route, 'id'> & Shown,
  said: Message,
  instead: ReturnType<Instead>,
  named: readonly Named[] = [],
  asked?: Pick<Ask, 'actor' | 'askedAt'>,
): Promise<Message> {
  if (instead.length === 0) return said;
  const known = [...(said.about?.instances ?? []), ...named];
  const made = await Promise.all(
    instead.map(async (words) => {
      const typed = words.filter((word) => typeof word === 'string');
      if (typed.length < words.length) return typedBlank(offers, route, words, known, asked);
      const label = await labelOf(route, typed, known);
      const button = await typedButton(offers, label, { route: route.id, words: typed }, asked);
      return button && { buttons: [button] };
    }),
  );
  const those = made.filter((one) => one !== undefined);
  const blanks = those.flatMap((one) => ('blank' in one ? [one.blank] : []));
  const choices = those.flatMap(({ buttons }) => buttons);
  return withChoices(blanks.length === 0 ? said : { ...said, blanks }, choices);
}
