import { z } from 'zod';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import type { OfferKind, Offers } from '../offers/offers.ts';

/** The words of a request that a pick or a press completes, so that none of them is lost. */
const KEPT_WORDS: OfferKind<string[]> = { name: 'words', schema: z.array(z.string()) };

/** Gives the id that the picker or the button carries; undefined where they can't be kept. */
export async function keepWords(offers: Offers, words: readonly string[]): Promise<string | undefined> {
  return unlessRedisIsAway(offers.make(KEPT_WORDS, [...words]), undefined);
}

/** Undefined when they have expired or never were. */
export async function findWords(
  offers: Pick<Offers, 'find'>,
  id: string,
): Promise<readonly string[] | undefined> {
  return (await offers.find(KEPT_WORDS, id)).what;
}
