import type { Ask } from '../ask/ask.ts';
import { type ButtonToken, BUTTON_TOKENS, OFFER_KEPT_MS, type Offers } from '../offers/offers.ts';
import { person, say } from '../../platform/slack/phrase.ts';
import { Refusal } from '../refusal.ts';
import { isLeftOpen } from './operation.ts';
import type { Operations } from './operations.ts';

/**
 * What the button that was pressed stands for; a card of what was left open carries its operation. Undefined where none was
 * pressed, or it is too old; throws a Refusal where it asks somebody else: `askedAt` is in Redis' time, like the end of the operation.
 */
export async function findButtonToken(
  { offers, operations }: { readonly offers: Offers; readonly operations: Pick<Operations, 'find'> },
  { value, askedAt, actor }: Pick<Ask, 'value' | 'askedAt' | 'actor'>,
): Promise<ButtonToken | undefined> {
  if (value === undefined) return undefined;
  const { what } = await offers.find(BUTTON_TOKENS, value);
  if (what?.onlyFor !== undefined && what.onlyFor !== actor.userId)
    throw new Refusal('foreign', say`This asks ${person(what.onlyFor)}. Ask for it yourself.`);
  if (what) return what;
  const operation = await operations.find(value);
  const outcome = operation?.outcome;
  if (!outcome || !isLeftOpen(outcome)) return undefined;
  if (askedAt - outcome.at > OFFER_KEPT_MS) return undefined;
  const { subject, args } = operation;
  const { id, name, createdAt } = subject;
  return {
    instanceId: id,
    name,
    createdAt,
    ...(Object.keys(args).length === 0 ? {} : { args }),
  };
}
