import { entryOf } from '../audit/entry-of.ts';
import { AT_ONCE, type Batch, endedAs, MAX_AT_ONCE, MAX_ITEMS } from '../batches/batch.ts';
import type { Preview } from '../batches/preview.ts';
import { readSeveral, resolveSeveral } from '../lookup/several.ts';
import { incompleteWords } from '../lookup/messages.ts';
import { isTyped } from '../lookup/resolve.ts';
import { subjectOf } from '../operations/begin.ts';
import { BUTTON_TOKEN_LIFE_MS } from '../operations/button-token-store.ts';
import { ruleText } from '../policy/messages.ts';
import { Refusal } from '../refusal.ts';
import type { Ask, Note, Reply } from '../routing/route.ts';
import { newId } from '../../platform/id.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { ago, person, type Phrase, say } from '../../platform/slack/phrase.ts';
import { type RequestDeps, reasonsOf } from './begin-change.ts';
import type { ChangeWords } from './change-words.ts';
import type { Args, Declared } from './declaration.ts';
import { differences, examine, type Examined } from './examine.ts';
import {
  countModal,
  countToType,
  nonePossible,
  previewMessage,
  type PreviewWords,
  wrongCount,
} from './several-messages.ts';

/** The option that says how many run at the same time. */
export const AT_ONCE_OPTION = 'at-once';

/** What several are asked by, and how. */
interface Wish {
  readonly asked: Preview['asked'];
  readonly atOnce: number;
  readonly because?: string | undefined;
  readonly override?: string | undefined;
  readonly retryOf?: string | undefined;
}

/** The route that confirms several. */
export function severalRouteId(id: string): string {
  return `${id}-several`;
}

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

/** Writes down what is shown and gives it. Throws a Refusal where nothing could be done. */
async function preview<A extends Args>(
  declared: Declared<A>,
  deps: RequestDeps,
  ask: Ask,
  note: Note,
  {
    wish,
    examined,
    notes,
    dryRun = false,
    changed = [],
  }: {
    readonly wish: Wish;
    readonly examined: Examined;
    readonly notes: readonly Phrase[];
    readonly dryRun?: boolean;
    readonly changed?: readonly Phrase[];
  },
): Promise<Reply> {
  const { previews, clock, timings } = deps;
  const { verb, several } = declared;
  const { chosen, skipped } = examined;
  if (chosen.length === 0)
    throw new Refusal('none-possible', nonePossible(wordsOf(declared), mutable(skipped), changed));
  if (chosen.length > MAX_ITEMS) {
    throw new Refusal(
      'too-many-instances',
      say`That would ${verb} ${chosen.length} instances. I take at most ${MAX_ITEMS} at once, so nothing was done. Narrow it.`,
    );
  }
  const price =
    (await several?.price?.(
      chosen.map(({ instance }) => instance),
      ask,
    )) ?? [];
  const { asked, atOnce, because, override, retryOf } = wish;
  const shown: Preview = {
    routeId: severalRouteId(declared.id),
    actor: ask.actor,
    place: ask.place,
    asked,
    chosen: chosen.map(({ instance }) => subjectOf(instance)),
    skipped: mutable(skipped),
    notes: [...price, ...notes].map((phrase) => [...phrase]),
    atOnce,
    ...(because === undefined ? {} : { because }),
    ...(override === undefined ? {} : { override }),
    ...(retryOf === undefined ? {} : { retryOf }),
    expiresAt: clock.now() + timings.confirmWithinMs,
  };
  const said = wordsOf(declared);
  if (dryRun) {
    note({ what: 'dry run' });
    return previewMessage(said, shown, undefined);
  }
  note({ what: 'shown' });
  return previewMessage(said, shown, await previews.create(shown), changed);
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

async function askAgain<A extends Args>(
  declared: Declared<A>,
  deps: RequestDeps,
  ask: Ask,
  note: Note,
  { wish, changed }: { readonly wish: Wish; readonly changed: readonly Phrase[] },
): Promise<Reply> {
  const { asked, override } = wish;
  const found = await resolveAsked(deps, ask, asked);
  if (!found || found.instances.length === 0)
    throw new Refusal('changed', nonePossible(wordsOf(declared), [], changed));
  const examined = await examine(declared, deps, ask, found.instances, override);
  return preview(declared, deps, ask, note, { wish, examined, notes: found.notes, changed });
}

async function beginBatch<A extends Args>(
  declared: Declared<A>,
  { batches, clock }: RequestDeps,
  ask: Ask,
  note: Note,
  {
    wish: { atOnce, because, override, retryOf },
    examined: { chosen },
    previewId,
  }: { readonly wish: Wish; readonly examined: Examined; readonly previewId: string | undefined },
): Promise<Reply> {
  const { id: kind, words } = declared;
  const { id, actor, place } = ask;
  const items = chosen.map(({ instance, rule }) => ({
    operationId: newId(),
    subject: subjectOf(instance),
    rule: ruleText(rule),
  }));
  const entry = entryOf(ask, 'set', clock.now(), {
    route: kind,
    args: { several: items.map(({ subject }) => subject.id) },
    ...(override === undefined ? {} : { override }),
  });
  const batch = {
    id,
    kind,
    actor,
    place,
    atOnce,
    items,
    ...(because === undefined ? {} : { because }),
    ...(override === undefined ? {} : { override }),
  };
  const begun = await batches.begin(batch, { previewId, retryOf }, entry);
  if (begun.result === 'unconfirmed') throw new Refusal('confirmation-expired', expired());
  if (begun.result === 'used') throw confirmedAlready();
  note('recorded');
  if (begun.result === 'gone') return undefined;
  if (retryOf !== undefined) await batches.showRetried(retryOf, actor);
  if (!ask.replaces) return undefined;
  const what = items.length === 1 ? '1 instance' : `${items.length} instances`;
  return { lines: [say`${words.doing} ${what}. The card in the channel shows the progress.`] };
}

/**
 * What a person was shown, provided that it is theirs and, where `routeId` is to be done, counts still. Throws a Refusal.
 */
export async function findPreview(
  { previews }: Pick<RequestDeps, 'previews'>,
  ask: Ask,
  previewId: string,
  routeId?: string,
): Promise<Preview> {
  const found = await previews.find(previewId);
  if (!found) throw new Refusal('confirmation-expired', expired());
  const { preview: shown, usedBy } = found;
  if (shown.actor.userId !== ask.actor.userId || (routeId !== undefined && shown.routeId !== routeId)) {
    throw new Refusal(
      'confirmation-foreign',
      say`That was asked of ${person(shown.actor.userId)}, who can still confirm it. Nothing was done for you; ask yourself if you want it.`,
    );
  }
  if (routeId === undefined) return shown;
  if (usedBy !== undefined && usedBy !== ask.id) throw confirmedAlready();
  if (ask.askedAt > shown.expiresAt) throw new Refusal('confirmation-expired', expired());
  return shown;
}

/** The instances that are asked for; undefined where the words mean one alone. */
async function resolveAsked(
  { hosting, access }: RequestDeps,
  { actor, place: { channelId }, askedAt }: Ask,
  asked: Preview['asked'],
): Promise<{ readonly instances: readonly Instance[]; readonly notes: readonly Phrase[] } | undefined> {
  if ('ids' in asked) return { instances: await readSeveral(hosting, asked.ids), notes: [] };
  const maySee = await access.which(actor, 'instances:read', channelId);
  const found = await resolveSeveral(hosting, asked.words, maySee, askedAt);
  if (!found) return undefined;
  const { instances, incomplete } = found;
  return {
    instances: instances.toSorted((one, other) => one.name.localeCompare(other.name)),
    notes: incomplete ? [incompleteWords(incomplete, 'instances')] : [],
  };
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

function argsOf({ chosen }: Examined): Record<string, unknown> {
  return { several: chosen.map(({ instance }) => instance.id) };
}

function mutable(skipped: Examined['skipped']): Preview['skipped'] {
  return skipped.map(({ id, name, why }) => ({ id, name, why: [...why] }));
}

function wordsOf<A extends Args>({ verb, words }: Declared<A>): PreviewWords {
  return { verb, done: words.done };
}

function expired(): Phrase {
  return say`What you were shown counts no more, so nothing was done. Ask again to see what is there now.`;
}

function confirmedAlready(): Refusal {
  return new Refusal('button-used', say`That was confirmed already; its card shows the progress.`);
}

function retriedAlready({ retried }: Batch): Refusal {
  const who = retried ? say` by ${person(retried.by)} ${ago(retried.at)}` : say``;
  return new Refusal('button-used', say`The failed ones were asked for again already${who}.`);
}
