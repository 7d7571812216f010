import type { Offers } from '../offers/offers.ts';
import type { Button } from '../../platform/slack/message.ts';
import type { Claim } from './claim.ts';
import { labelOf } from './sentence-messages.ts';
import { matchLine, type MatchLineDeps } from './match-line.ts';
import { typedButton } from './typed-button.ts';

/**
 * A button that asks a line, as if its presser typed it: after `command` with its slash, or without one. `change`: what a sentence
 * asks for, which the button asks in its place. Undefined where the line is refused before anything is asked of it, or can't be kept.
 */
export type OfferLine = (
  line: string,
  command: string | undefined,
  change: Claim['change'],
) => Promise<Button | undefined>;

export function createOfferLine(deps: MatchLineDeps & { readonly offers: Offers }): OfferLine {
  return async (line, command, change) => {
    const route = change && deps.routes.byId.get(change.routeId);
    if (route) {
      const label = await labelOf(route, change.words, change.about);
      return typedButton(deps.offers, label, { route: route.id, words: [...change.words] });
    }
    const matched = matchLine(deps, line, command);
    if ('lines' in matched) return undefined;
    return typedButton(deps.offers, line, {
      ...matched,
      route: matched.route.id,
      words: [...matched.words],
      letters: matched.letters && [...matched.letters],
    });
  };
}
