import type { AskedAccount } from '../core/accounts/whose.ts';
import { createClaimLine, createReadLineKind } from '../core/intake/claim.ts';
import { createOfferLine } from '../core/intake/offer-line.ts';

/** What an account among others is asked about a line that names none. */
export type Lines = Pick<AskedAccount, 'offer' | 'claim' | 'readLineKind'>;

export function createLines(
  given: Parameters<typeof createOfferLine>[0] & Parameters<typeof createClaimLine>[0],
): Lines {
  return {
    offer: createOfferLine(given),
    claim: createClaimLine(given),
    readLineKind: createReadLineKind(given),
  };
}
