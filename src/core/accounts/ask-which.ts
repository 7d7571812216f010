import { afterMention } from '../intake/incoming.ts';
import type { OfferLine } from '../intake/offer-line.ts';
import { markedId } from '../../platform/slack/account-mark.ts';
import { isDirect } from '../../platform/slack/ids.ts';
import type { Message } from '../../platform/slack/message.ts';
import { plain } from '../../platform/slack/phrase.ts';
import type { OfAccount } from './choose.ts';
import { whichAccount } from './words.ts';

/** An account that can be asked a line by a button. */
export interface Asked extends OfAccount {
  readonly offer: OfferLine;
}

/** What is said to the bot, without its mention; in direct messages there may be none, and another person's is no address. */
export function saidTo({ text, channel }: { readonly text: string; readonly channel: string }): string {
  const isAddressed = !isDirect(channel) || text.trimStart().startsWith('<@');
  return isAddressed ? afterMention(text, undefined) : text;
}

/** Asks which account is meant, with the same line for each as a button. `command`: as it was typed, with its slash. */
export async function askWhich(among: readonly Asked[], line: string, command?: string): Promise<Message> {
  const offered = await Promise.all(
    among.slice(0, MOST_OFFERED).map(async ({ account, offer }) => {
      const button = await offer(line, command);
      return button
        ? [
            {
              ...button,
              label: plain(`${account.name}: ${line}`, MAX_LABEL),
              routeId: markedId(account.name, button.routeId),
            },
          ]
        : [];
    }),
  );
  return whichAccount(
    among.map(({ account }) => account.name),
    offered.flat(),
  );
}

const MOST_OFFERED = 5;
/** Slack takes so many characters on a button. */
const MAX_LABEL = 75;
