import { AT_ONCE, type Batch, endedAs, MAX_AT_ONCE } from '../batches/batch.ts';
import { readSeveral } from '../lookup/several.ts';
import { isTyped } from '../lookup/resolve.ts';
import { askedPage, placeValue } from '../lists/asked-page.ts';
import { BUTTON_TOKEN_LIFE_MS } from '../operations/button-token-store.ts';
import { Refusal } from '../refusal.ts';
import type { Ask, Note, Reply } from '../routing/route.ts';
import { ago, person, type Phrase, say } from '../../platform/slack/phrase.ts';
import { type RequestDeps, reasonsOf } from './begin-change.ts';
import type { ChangeWords } from './change-words.ts';
import type { Args, Declared } from './declaration.ts';
import { differences, examine } from './examine.ts';
import {
  countModal,
  countToType,
  LIST_ROUTE,
  nothingPicked,
  pickedGone,
  severalRouteId,
  wrongCount,
} from './several-messages.ts';
import { beginBatch, findPreview } from './begin-several.ts';
import { argsOf, askAgain, preview, resolveAsked, type Wish, wordsOf } from './preview-several.ts';

/** The option that says how many run at the same time. */
export const AT_ONCE_OPTION = 'at-once';

/**
 * Shows what would be done with several instances, frozen, and asks. Undefined where the words mean one instance. Throws a
 * Refusal.
 */
export async function showSeveral<A extends Args>(
  declared: Declared<A>,
  deps: RequestDeps,
  ask: Ask,
  words: ChangeWords,
  note: Note,
): Promise<{ readonly reply: Reply } | undefined> {
  const atOnce = parseAtOnce(words.options[AT_ONCE_OPTION]);
  const wish: Wish = { asked: { words: [...words.names] }, atOnce, ...reasonsOf(words) };
  const found = await resolveAsked(deps, ask, wish.asked);
  if (!found) return undefined;
  const { instances, notes } = found;
  if (instances.length === 0)
    throw new Refusal('no-such-instance', say`No instance matches, so nothing was done.`);
  const examined = await examine(declared, deps, ask, instances, words.override);
  note({ args: argsOf(examined), ...(words.override === undefined ? {} : { override: words.override }) });
  return { reply: await preview(declared, deps, ask, note, { wish, examined, notes, dryRun: words.dryRun }) };
}

/** The same for what was picked under a list. Throws a Refusal. */
export async function showPicked<A extends Args>(
  declared: Declared<A>,
  deps: RequestDeps,
  ask: Ask,
  note: Note,
): Promise<Reply> {
  const { listId = '', from } = await askedPage(deps, ask, 'instances list');
  const back = { label: 'Back to the list', routeId: LIST_ROUTE, value: placeValue({ listId, from }) };
  const ids = [...new Set(ask.selected)];
  if (ids.length === 0)
    throw new Refusal('no-instance', { lines: [nothingPicked(declared.verb)], buttons: [back] });
  const wish: Wish = { asked: { ids }, atOnce: AT_ONCE };
  const { instances = [], notes = [] } = (await resolveAsked(deps, ask, wish.asked)) ?? {};
  const gone = ids.length - instances.length;
  if (instances.length === 0) throw new Refusal('gone', { lines: [pickedGone(gone)], buttons: [back] });
  const examined = await examine(declared, deps, ask, instances, undefined);
  note({ args: argsOf(examined) });
  return preview(declared, deps, ask, note, {
    wish,
    examined,
    notes: gone > 0 ? [...notes, pickedGone(gone)] : notes,
  });
}

/** The yes to several: everything is looked at again, and where anything differs, nothing is done and it is asked anew. */
export async function confirmSeveral<A extends Args>(
  declared: Declared<A>,
  deps: RequestDeps,
  ask: Ask,
  note: Note,
): Promise<Reply> {
  const previewId = ask.value ?? '';
  const shown = await findPreview(deps, ask, previewId, severalRouteId(declared.id));
  const count = countToType(shown);
  if (count !== undefined && ask.typed === undefined) {
    note({ what: 'shown' });
    return countModal(wordsOf(declared), shown, previewId, count);
  }
  if (count !== undefined && !isTyped(ask, count)) throw new Refusal('wrong-word', wrongCount(count));
  const instances = await readSeveral(
    deps.hosting,
    shown.chosen.map(({ id }) => id),
  );
  const examined = await examine(declared, deps, ask, instances, shown.override);
  note({ args: argsOf(examined) });
  const changed = differences(shown, instances, examined);
  if (changed.length > 0) return askAgain(declared, deps, ask, note, { wish: shown, changed });
  return beginBatch(declared, deps, ask, note, { wish: shown, examined, previewId });
}

/** What is wrong with what stands in the modal. */
export async function checkCount<A extends Args>(
  declared: Declared<A>,
  deps: RequestDeps,
  ask: Ask,
): Promise<Phrase | undefined> {
  const count = countToType(await findPreview(deps, ask, ask.value ?? '', severalRouteId(declared.id)));
  return count === undefined || isTyped(ask, count) ? undefined : wrongCount(count);
}

/** Asks once more for what failed in a batch: at once where all is as it was, else by a preview. Throws a Refusal. */
export async function retryFailed<A extends Args>(
  declared: Declared<A>,
  deps: RequestDeps,
  ask: Ask,
  batch: Batch,
  note: Note,
): Promise<Reply> {
  const { batches, clock } = deps;
  const { id, endedAt, atOnce, because } = batch;
  const failed = endedAs(batch, 'failed').map(({ subject }) => subject);
  if (endedAt === undefined || failed.length === 0)
    throw new Refusal('over', say`There is nothing to ask for again there.`);
  if (clock.now() - endedAt > BUTTON_TOKEN_LIFE_MS)
    throw new Refusal('button-expired', say`That button is too old, so nothing was done. Ask again by name.`);
  if (await batches.findRetry(id)) throw retriedAlready(batch);
  const ids = failed.map((one) => one.id);
  const wish: Wish = { asked: { ids }, atOnce, because, retryOf: id };
  const instances = await readSeveral(deps.hosting, ids);
  const examined = await examine(declared, deps, ask, instances, undefined);
  note({ args: argsOf(examined) });
  const changed = differences({ chosen: failed }, instances, examined);
  if (changed.length > 0) return askAgain(declared, deps, ask, note, { wish, changed });
  return beginBatch(declared, deps, ask, note, { wish, examined, previewId: undefined });
}

function parseAtOnce(typed: string | undefined): number {
  if (typed === undefined) return AT_ONCE;
  const count = /^\d{1,3}$/.test(typed) ? Number(typed) : 0;
  if (count >= 1 && count <= MAX_AT_ONCE) return count;
  throw new Refusal(
    'bad-option',
    say`--at-once takes a number from 1 to ${MAX_AT_ONCE}, so nothing was done.`,
  );
}

function retriedAlready({ retried }: Batch): Refusal {
  const who = retried ? say` by ${person(retried.by)} ${ago(retried.at)}` : say``;
  return new Refusal('button-used', say`The failed ones were asked for again already${who}.`);
}
