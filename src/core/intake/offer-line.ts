import type { Offers } from '../offers/offers.ts';
import type { Button } from '../../platform/slack/message.ts';
import type { People } from '../../platform/slack/people.ts';
import { type Claim, matchLine } from './claim.ts';
import { labelOf } from './sentence-messages.ts';
import type { Matched } from './match.ts';
import { typedButton } from './typed-button.ts';
import { withPeople } from './with-people.ts';
import type { Listening } from './listeners.ts';

/**
 * A button that asks a line, as if its presser typed it: after `command` with its slash, or without one. `claim`: what the line is
 * to the account, as far as that is known: the change that a sentence asks for is asked in its place. Undefined where the line is
 * refused before anything is asked of it, or can't be kept.
 */
export type OfferLine = (
  line: string,
  command: string | undefined,
  claim: Pick<Claim, 'change' | 'byId'> | undefined,
) => Promise<Button | undefined>;

export function createOfferLine(
  deps: Pick<Listening, 'routes' | 'commandPrefix'> & {
    readonly offers: Offers;
    readonly people: Pick<People, 'name'>;
  },
): OfferLine {
  return async (line, command, claim) => {
    const { change, byId = [] } = claim ?? {};
    const route = change && deps.routes.byId.get(change.routeId);
    if (route) {
      const label = await labelOf(route, change.words, change.about);
      return typedButton(deps.offers, label, { route: route.id, words: [...change.words] });
    }
    const matched = matchLine(deps, line, command);
    if ('lines' in matched) return undefined;
    const { usage } = matched.route;
    const label =
      usage === undefined
        ? await withPeople(deps.people, line)
        : await labelOf(matched.route, asShown(matched), byId);
    return typedButton(deps.offers, label, {
      ...matched,
      route: matched.route.id,
      words: [...matched.words],
      letters: matched.letters && [...matched.letters],
    });
  };
}

/** The words of a label, to the letter, but for the quotation marks that only held them together. */
function asShown({ words, letters }: Matched): readonly string[] {
  return words.map((word, at) => {
    const typed = letters?.[at] ?? word;
    return typed.replaceAll(/["']/g, '') === word ? word : typed;
  });
}
