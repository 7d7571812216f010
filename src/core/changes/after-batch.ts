import type { Changing } from './changing.ts';
import { type Batch, type FollowUp, askedFor, leftFor } from '../batches/batch.ts';
import { type OnceAfter, ONCE_AFTER } from '../batches/preview.ts';
import { readSeveral } from '../lookup/several.ts';
import { OFFER_KEPT_MS } from '../offers/offers.ts';
import { Refusal } from '../refusal.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import type { AuditAttempt } from '../intake/route.ts';
import { ago, person, say } from '../../platform/slack/phrase.ts';
import { beginBatch } from './begin-several.ts';
import type { Args, Declared } from './declaration.ts';
import { differences, examine } from './examine.ts';
import { argsOf, askAgain, type Wish } from './preview-several.ts';
import { showThose } from './several.ts';

/** Asks once more for what failed in a batch: at once where all is as it was, else by a preview. Throws a Refusal. */
export async function retryFailed<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  batch: Batch,
  audit: AuditAttempt,
): Promise<Reply> {
  const { id, atOnce, because, endedAt } = batch;
  await refuseUnlessLeft(deps, batch, 'retry');
  const failed = leftFor(batch, 'retry');
  const ids = failed.map((one) => one.id);
  const wish: Wish = { asked: { ids }, atOnce, because, follows: { what: 'retry', batchId: id } };
  const instances = await readSeveral(deps.hosting, ids);
  const seen = { ...ask, ...(endedAt === undefined ? {} : { shownAt: endedAt }) };
  const examined = await examine(declared, deps, seen, instances, undefined);
  audit({ args: argsOf(examined) });
  const changed = differences({ chosen: [...failed] }, instances, examined);
  if (changed.length > 0) return askAgain(declared, deps, ask, audit, { wish, changed });
  return beginBatch(declared, deps, ask, audit, { wish, examined, previewId: undefined });
}

/** Shows what a batch did not begin, and asks whether to go on with it. Throws a Refusal. */
export async function goOnWithRest<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  batch: Batch,
  audit: AuditAttempt,
): Promise<Reply> {
  const { id, atOnce, because } = batch;
  await refuseUnlessLeft(deps, batch, 'rest');
  const follows = { what: 'rest', batchId: id } as const;
  return showThose(declared, deps, ask, { those: leftFor(batch, 'rest'), atOnce, because, follows }, audit);
}

/** Throws a Refusal where that can't be asked for after this batch any more. */
async function refuseUnlessLeft({ offers, clock }: Changing, batch: Batch, what: OnceAfter): Promise<void> {
  const { id, endedAt } = batch;
  if (endedAt === undefined || leftFor(batch, what).length === 0)
    throw new Refusal('over', say`There is nothing to ask for again there.`);
  if (clock.now() - endedAt > OFFER_KEPT_MS)
    throw new Refusal('button-expired', say`That button is too old, so nothing was done. Ask again by name.`);
  const { usedBy } = await offers.find(ONCE_AFTER[what], id);
  if (usedBy !== undefined) throw askedAlready(batch, what);
}

const THOSE: Readonly<Record<OnceAfter, string>> = {
  retry: 'The failed ones were asked for again',
  rest: 'The rest was asked for',
};

function askedAlready(batch: Batch, what: FollowUp & OnceAfter): Refusal {
  const asked = askedFor(batch, what);
  const who = asked ? say` by ${person(asked.by)} ${ago(asked.at)}` : say``;
  return new Refusal('button-used', say`${THOSE[what]} already${who}.`);
}
