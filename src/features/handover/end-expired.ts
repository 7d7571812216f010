import { expiredMessage } from './messages.ts';
import { editsOf, EXPIRED, HANDOVERS, type Offered } from './offer.ts';
import type { HandoverDeps } from './things.ts';

/** Ends one that nobody took in time, and says so where it stands. Gives whether its time is over. */
export async function endExpired(
  { offers, outbox, clock, timings }: Pick<HandoverDeps, 'offers' | 'outbox' | 'clock' | 'timings'>,
  offerId: string,
  { actor, expiresAt }: Pick<Offered, 'actor' | 'expiresAt'>,
): Promise<boolean> {
  if (clock.now() <= expiresAt) return false;
  // A press that came in time may still be on its way.
  if (clock.now() > expiresAt + timings.acceptWithinMs)
    await offers.useWith(HANDOVERS, offerId, EXPIRED, () =>
      outbox.saying(editsOf(offerId, expiredMessage(actor.userId, expiresAt)), 'moved'),
    );
  return true;
}
