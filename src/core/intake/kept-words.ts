import { z } from 'zod';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import type { OfferKind, Offers } from '../offers/offers.ts';

/** The words of a request that a pick or a press completes, so that none of them is lost, and the line that they were read from. */
const keptSchema = z.object({ words: z.array(z.string()), line: z.string().optional() });
const KEPT_WORDS: OfferKind<z.output<typeof keptSchema>> = { name: 'words', schema: keptSchema };

/** Gives the id that the picker or the button carries; undefined where they can't be kept. */
export async function keepWords(
  offers: Offers,
  words: readonly string[],
  line?: string,
): Promise<string | undefined> {
  return unlessRedisIsAway(offers.make(KEPT_WORDS, { words: [...words], line }), undefined);
}

/** Undefined when they have expired or never were. */
export async function findWords(
  offers: Pick<Offers, 'find'>,
  id: string,
): Promise<readonly string[] | undefined> {
  return (await findKept(offers, id))?.words;
}

/** The same with the line. */
export async function findKept(
  offers: Pick<Offers, 'find'>,
  id: string,
): Promise<z.output<typeof keptSchema> | undefined> {
  return (await offers.find(KEPT_WORDS, id)).what;
}
