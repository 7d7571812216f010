import { z } from 'zod';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import type { OfferKind, Offers } from '../offers/offers.ts';

/** The words of a request that a pick or a press completes, so that none of them is lost, and the line that they were read from. */
const keptSchema = z.object({
  words: z.array(z.string()),
  letters: z.array(z.string()).optional(),
  isVerbless: z.literal(true).optional(),
  line: z.string().optional(),
  /** What is missing among the words, and before which of them. */
  gap: z.object({ at: z.int().min(0), asks: z.enum(['person', 'channel', 'text', 'words']) }).optional(),
});
type Kept = z.output<typeof keptSchema>;
const KEPT_WORDS: OfferKind<Kept> = { name: 'words', schema: keptSchema };

/** Gives the id that the picker or the button carries; undefined where they can't be kept. */
export async function keepWords(
  offers: Offers,
  words: readonly string[],
  more: Omit<Kept, 'words'> = {},
): Promise<string | undefined> {
  return unlessRedisIsAway(offers.make(KEPT_WORDS, { ...more, words: [...words] }), undefined);
}

/** Undefined when they have expired or never were. */
export async function findWords(
  offers: Pick<Offers, 'find'>,
  id: string,
): Promise<readonly string[] | undefined> {
  return (await findKept(offers, id))?.words;
}

/** The same with how they were typed. */
export async function findKept(offers: Pick<Offers, 'find'>, id: string): Promise<Kept | undefined> {
  return (await offers.find(KEPT_WORDS, id)).what;
}
