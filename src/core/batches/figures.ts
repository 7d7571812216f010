import { z } from 'zod';
import { parseAmount, sum } from '../money/amount.ts';
import { bringsWords } from '../money/lasting.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';

/**
 * What was known of the money when a batch was asked for to save some, as decimals. Kept only where everybody who reads the
 * card may see figures of the account.
 */
export const figuresSchema = z.object({
  balance: z.string(),
  perDay: z.string(),
  /** What each instance costs a day, by its id, as far as the service says it. */
  costs: z.record(z.string(), z.string()),
});
export type Figures = z.infer<typeof figuresSchema>;

/** How many days the stops that were done bring, by those figures; nothing where they don't say. Pure. */
export function broughtWords(figures: Figures | undefined, doneIds: readonly string[]): readonly Phrase[] {
  const balance = parseAmount(figures?.balance);
  const perDay = parseAmount(figures?.perDay);
  if (!figures || !balance || !perDay) return [];
  const costs = doneIds.flatMap((id) => parseAmount(figures.costs[id]) ?? []);
  const brings = bringsWords(balance, perDay, sum(costs));
  if (brings === undefined) return [];
  const part = costs.length < doneIds.length ? ` The cost of only ${costs.length} of them is known.` : '';
  return [say`The balance now ${brings}, by what a day cost when this was asked.${part}`];
}
