import { byName } from '../lookup/by-name.ts';
import { MAX_ITEMS } from '../batches/batch.ts';
import type { Preview } from '../batches/preview.ts';
import { readSeveral, resolveSeveral } from '../lookup/several.ts';
import { sightOf } from '../lookup/matching.ts';
import { incompleteWords } from '../lookup/messages.ts';
import { subjectOf } from '../operations/begin.ts';
import { Refusal } from '../refusal.ts';
import type { Ask, Note, Reply } from '../routing/route.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import type { RequestDeps } from './begin-change.ts';
import type { Args, Declared } from './declaration.ts';
import { examine, type Examined } from './examine.ts';
import { nonePossible, previewMessage, type PreviewWords } from './several-messages.ts';
import { severalRouteId } from './several-messages.ts';

/** What several are asked by, and how. */
export interface Wish {
  readonly asked: Preview['asked'];
  readonly atOnce: number;
  readonly because?: string | undefined;
  readonly override?: string | undefined;
  readonly retryOf?: string | undefined;
}

/** What is shown of several, and asked. */
/** Writes down what is shown and gives it. Throws a Refusal where nothing could be done. */
export async function preview<A extends Args>(
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

/** Asks once more, with what is there now, where something differs from what was shown. Throws a Refusal. */
export async function askAgain<A extends Args>(
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

/** The instances that are asked for; undefined where the words mean one alone. */
export async function resolveAsked(
  { hosting, access, favourites }: Pick<RequestDeps, 'hosting' | 'access' | 'favourites'>,
  { actor, place: { channelId }, askedAt }: Pick<Ask, 'actor' | 'place' | 'askedAt'>,
  asked: Preview['asked'],
): Promise<{ readonly instances: readonly Instance[]; readonly notes: readonly Phrase[] } | undefined> {
  const sight = await sightOf(access, actor, channelId);
  // An id is no authority: what they may not see is not there for them.
  if ('ids' in asked) {
    const read = await readSeveral(hosting, asked.ids);
    return { instances: inOrder(read.filter(sight.maySee)), notes: [] };
  }
  const found = await resolveSeveral({ hosting, favourites }, asked.words, sight, askedAt);
  if (!found) return undefined;
  const { instances, incomplete, notes } = found;
  return {
    instances: inOrder(instances),
    notes: [...notes, ...(incomplete ? [incompleteWords(incomplete, 'instances')] : [])],
  };
}

function inOrder(instances: readonly Instance[]): readonly Instance[] {
  return instances.toSorted((one, other) => byName(one.name, other.name));
}

/** What the audit keeps of them. */
export function argsOf({ chosen }: Examined): Record<string, unknown> {
  return { several: chosen.map(({ instance }) => instance.id) };
}

function mutable(skipped: Examined['skipped']): Preview['skipped'] {
  return skipped.map(({ id, name, why }) => ({ id, name, why: [...why] }));
}

/** How a verb is said in a preview. */
export function wordsOf<A extends Args>({ verb, words }: Declared<A>): PreviewWords {
  return { verb, done: words.done };
}
