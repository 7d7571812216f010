import type { ClaimLine, ReadLineKind } from '../intake/claim.ts';
import type { OfferLine } from '../intake/offer-line.ts';
import { markedId } from '../../platform/slack/account-mark.ts';
import type { Message } from '../../platform/slack/message.ts';
import { plain } from '../../platform/slack/phrase.ts';
import { type OfAccount, whichAccount } from './choose.ts';
import type { Claimed } from './judge-claims.ts';

/** An account that can be asked a line by a button. */
export interface AskedAccount extends OfAccount {
  readonly offer: OfferLine;
  readonly claim: ClaimLine;
  readonly readLineKind: ReadLineKind;
}

/**
 * Asks which account is meant, with a button for each that asks the same line, or the change that it is to that account. `command`:
 * as it was typed, with its slash.
 */
export async function askWhich(
  among: readonly Claimed<AskedAccount>[],
  line: string,
  command?: string,
): Promise<Message> {
  const offered = await Promise.all(
    among.slice(0, MOST_OFFERED).map(async ({ served: { account, offer }, claim }) => {
      const button = await offer(line, command, claim);
      if (!button) return [];
      const label = plain(`${account.name}: ${button.label}`, MAX_LABEL);
      return [{ ...button, label, routeId: markedId(account.name, button.routeId) }];
    }),
  );
  return whichAccount(
    among.map(({ served }) => served.account.name),
    offered.flat(),
  );
}

const MOST_OFFERED = 5;
/** Slack takes so many characters on a button. */
const MAX_LABEL = 75;
