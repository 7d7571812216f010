import type { Changing } from './changing.ts';
import { AT_ONCE, MAX_AT_ONCE } from '../batches/batch.ts';
import { readSeveral } from '../lookup/several.ts';
import type { Fingerprint } from '../instances/facts.ts';
import { isTyped } from '../lookup/resolve.ts';
import { askedPage, placeValue } from '../lists/asked-page.ts';
import { Refusal } from '../refusal.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import type { AuditAttempt } from '../intake/route.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { reasonsOf } from './begin-change.ts';
import type { ChangeWords } from './find-asked.ts';
import type { Args, Declared } from './declaration.ts';
import { differences, examine } from './examine.ts';
import { countModal, countToType, nothingPicked, pickedGone, wrongCount } from './several-messages.ts';
import { beginBatch, findPreview } from './begin-several.ts';
import {
  argsOf,
  askAgain,
  preview,
  resolveAsked,
  type Wish,
  withMissing,
  withoutStuck,
  previewWords,
} from './preview-several.ts';

/** The option that says how many run at the same time. */
export const AT_ONCE_OPTION = 'at-once';

/**
 * Shows what would be done with several instances, frozen, and asks. Undefined where the words mean one instance. Throws a
 * Refusal.
 */
export async function showSeveral<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  words: ChangeWords,
  audit: AuditAttempt,
): Promise<{ readonly reply: Reply } | undefined> {
  const atOnce = parseAtOnce(words.options[AT_ONCE_OPTION]);
  const back = await backOf(declared, ask, words);
  const wish: Wish = {
    asked: { words: [...words.names] },
    atOnce,
    ...reasonsOf(words),
    ...(back && { back }),
  };
  const found = await resolveAsked(deps, ask, wish.asked);
  if (!found) return undefined;
  const { instances, remarks } = found;
  if (instances.length === 0)
    throw new Refusal('no-such-instance', say`No instance matches, so nothing was done.`);
  const seen = await examine(declared, deps, ask, instances, words.override);
  const examined = await withoutStuck(declared, ask, seen, back);
  audit({ args: argsOf(examined), ...reasonsOf(words) });
  return {
    reply: await preview(declared, deps, ask, audit, { wish, examined, remarks, dryRun: words.dryRun }),
  };
}

/** What turns them around, where the words say until when. Throws a Refusal for what is no end. */
async function backOf<A extends Args>(
  { read, turnsBack }: Declared<A>,
  ask: Ask,
  { end, options }: ChangeWords,
): Promise<Wish['back']> {
  if (!end) return undefined;
  const { args } = (await read?.({ ask, words: [], options, end, buttonToken: undefined })) ?? {};
  const back = args !== undefined && typeof args !== 'function' ? turnsBack?.(args) : undefined;
  if (back) return back;
  throw new Refusal('bad-argument', say`I can't do that only for a while, so nothing was done.`);
}

/** The same for what was picked under a list. Throws a Refusal. */
export async function showPicked<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  audit: AuditAttempt,
): Promise<Reply> {
  const {
    listId = '',
    from,
    start: routeId = deps.listRoute,
  } = await askedPage(deps, ask, '/instances list');
  const back = { label: 'Back to the list', routeId, value: placeValue({ listId, from }) };
  const ids = [...new Set(ask.selected)];
  if (ids.length === 0)
    throw new Refusal('no-instance', { lines: [nothingPicked(declared.verb)], buttons: [back] });
  const wish: Wish = { asked: { ids }, atOnce: AT_ONCE };
  const { instances = [], remarks = [] } = (await resolveAsked(deps, ask, wish.asked)) ?? {};
  const gone = ids.length - instances.length;
  if (instances.length === 0) throw new Refusal('gone', { lines: [pickedGone(gone)], buttons: [back] });
  const examined = await examine(declared, deps, ask, instances, undefined);
  audit({ args: argsOf(examined) });
  return preview(declared, deps, ask, audit, {
    wish,
    examined,
    remarks: gone > 0 ? [...remarks, pickedGone(gone)] : remarks,
  });
}

/** Instances that are asked for, and what is kept of why. */
export interface Those extends Partial<Pick<Wish, 'atOnce' | 'because' | 'follows'>> {
  readonly those: readonly Fingerprint[];
  /** One that runs and is healthy by now no longer needs it. */
  readonly isForTrouble?: true;
}

/**
 * Shows what would be done with exactly these. What is gone, or no longer needs it, is left out and said; and so is another
 * one that has taken the place of one of `those`. Throws a Refusal where none is left.
 */
export async function showThose<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  { atOnce = AT_ONCE, because, follows, those, isForTrouble }: Those,
  audit: AuditAttempt,
): Promise<Reply> {
  const kept = { those: those.map(({ id, name, createdAt }) => ({ id, name, createdAt })), isForTrouble };
  const wish: Wish = { asked: kept, atOnce, because, follows };
  const { instances = [], remarks = [], missing = [] } = (await resolveAsked(deps, ask, kept)) ?? {};
  const examined = withMissing(await examine(declared, deps, ask, instances, undefined), { missing });
  audit({ args: argsOf(examined) });
  return preview(declared, deps, ask, audit, {
    wish,
    examined,
    remarks,
  });
}

/** The yes to several: everything is checked again, and where anything differs, it is asked again in place of being done. */
export async function confirmSeveral<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  audit: AuditAttempt,
): Promise<Reply> {
  const previewId = ask.value ?? '';
  const shown = await findPreview(deps, ask, previewId);
  const count = countToType(shown);
  // No modal is taken whose count is wrong: `checkCount` looks at it before.
  if (count !== undefined && ask.typed === undefined) {
    audit({ what: 'shown' });
    return countModal(previewWords(declared), shown, previewId, count);
  }
  const instances = await readSeveral(
    deps.hosting,
    shown.chosen.map(({ id }) => id),
  );
  const shownAt = shown.expiresAt - deps.timings.confirmWithinMs;
  const seen = await examine(declared, deps, { ...ask, shownAt }, instances, shown.override);
  const examined = await withoutStuck(declared, ask, seen, shown.back);
  audit({ args: argsOf(examined) });
  const changed = differences(shown, instances, examined);
  if (changed.length > 0) return askAgain(declared, deps, ask, audit, { wish: shown, changed });
  return beginBatch(declared, deps, ask, audit, { wish: shown, examined, previewId });
}

/** What is wrong with what stands in the modal. */
export async function checkCount(deps: Changing, ask: Ask): Promise<Phrase | undefined> {
  const count = countToType(await findPreview(deps, ask, ask.value ?? ''));
  return count === undefined || isTyped(ask, count) ? undefined : wrongCount(count);
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
