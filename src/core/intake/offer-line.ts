import type { Offers } from '../offers/offers.ts';
import type { Button } from '../../platform/slack/message.ts';
import { nounOf } from './command.ts';
import { matchOrSay } from './match.ts';
import type { RouteTable } from './routes.ts';
import { typedButton } from './typed-button.ts';

/**
 * A button that asks a line, as if its presser typed it: after `command` with its slash, or without one. Undefined where the
 * line is refused before anything is asked of it, or can't be kept.
 */
export type OfferLine = (line: string, command: string | undefined) => Promise<Button | undefined>;

export function createOfferLine({
  routes,
  offers,
  commandPrefix,
}: {
  readonly routes: RouteTable;
  readonly offers: Offers;
  readonly commandPrefix: string;
}): OfferLine {
  return async (line, command) => {
    const matched = matchOrSay(() =>
      command === undefined
        ? routes.matchMention(line)
        : routes.matchCommand(nounOf(command, commandPrefix), line),
    );
    if ('lines' in matched) return undefined;
    return typedButton(offers, matched.route.verb, {
      ...matched,
      route: matched.route.id,
      words: [...matched.words],
    });
  };
}
