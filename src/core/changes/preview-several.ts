import type { Changing } from './changing.ts';
import { byName, type Fingerprint, isSame } from '../instances/facts.ts';
import { MAX_ITEMS } from '../batches/batch.ts';
import { type Preview, PREVIEWS } from '../batches/preview.ts';
import { toAsker } from '../offers/confirmation.ts';
import { readSeveral, resolveSeveral } from '../lookup/several.ts';
import { sightOf } from '../lookup/sight.ts';
import { incompleteWords } from '../instances/messages.ts';
import { severalBackWords } from '../operations/way-back.ts';
import { subjectOf } from '../operations/begin.ts';
import { Frozen } from '../policy/no-access.ts';
import { Refusal } from '../refusal.ts';
import type { Ask, Reply } from '../ask/ask.ts';
import type { AuditAttempt } from '../intake/route.ts';
import type { Incomplete, Instance } from '../../platform/hosting/service.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Args, Declared } from './declaration.ts';
import { exceptionButtons } from './exception.ts';
import { examine, type Examined } from './examine.ts';
import { nonePossible, previewMessage, type PreviewWords, severalRouteId } from './several-messages.ts';

/** What several are asked by, and how. */
export interface Wish {
  readonly asked: Preview['asked'];
  readonly atOnce: number;
  readonly because?: string;
  readonly override?: string;
  readonly follows?: Preview['follows'];
  readonly back?: Preview['back'];
}

/** Writes down what is shown and gives it. Throws a Refusal where nothing could be done. */
export async function preview<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  audit: AuditAttempt,
  {
    wish,
    examined,
    remarks,
    dryRun = false,
    changed = [],
  }: {
    readonly wish: Wish;
    readonly examined: Examined;
    readonly remarks: readonly Phrase[];
    readonly dryRun?: boolean;
    readonly changed?: readonly Phrase[];
  },
): Promise<Reply> {
  const { verb, several } = declared;
  const { chosen, skipped, frozen, wayOn } = examined;
  if (chosen.length === 0) {
    const none = nonePossible(previewWords(declared), mutable(skipped), changed);
    const buttons = dryRun ? [] : await exceptionButtons(declared, deps, ask, frozen, wish.because);
    const said = buttons.length > 0 ? { ...none, buttons } : none;
    throw wayOn && !dryRun
      ? new Frozen(said, wayOn, undefined, 'none-possible')
      : new Refusal('none-possible', said);
  }
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
  const { asked, atOnce, because, override, follows, back } = wish;
  const shown: Preview = {
    routeId: severalRouteId(declared.id),
    ...toAsker(ask, deps),
    place: ask.place,
    asked,
    chosen: chosen.map(({ instance }) => subjectOf(instance)),
    skipped: mutable(skipped),
    remarks: [...(back ? [severalBackWords(back)] : []), ...price, ...remarks].map((phrase) => [...phrase]),
    atOnce,
    because,
    override,
    follows,
    back,
  };
  const said = previewWords(declared);
  if (dryRun) {
    audit({ what: 'dry run' });
    return previewMessage(said, shown, undefined);
  }
  audit({ what: 'shown' });
  return previewMessage(said, shown, await deps.offers.make(PREVIEWS, shown), changed);
}

/** Asks once more, with what is there now, where something differs from what was shown. Throws a Refusal. */
export async function askAgain<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  audit: AuditAttempt,
  { wish, changed }: { readonly wish: Wish; readonly changed: readonly Phrase[] },
): Promise<Reply> {
  const { asked, override } = wish;
  const found = await resolveAsked(deps, ask, asked);
  if (!found || found.instances.length === 0)
    throw new Refusal(
      'changed',
      nonePossible(previewWords(declared), mutable(found?.missing ?? []), changed),
    );
  const seen = withMissing(await examine(declared, deps, ask, found.instances, override), found);
  const examined = await withoutStuck(declared, ask, seen, wish.back);
  return preview(declared, deps, ask, audit, { wish, examined, remarks: found.remarks, changed });
}

/** Whether it is the instance that was seen: its name may have changed, where its birthday says that it is the same. */
function isOne(seen: Fingerprint, now: Instance): boolean {
  return seen.createdAt === undefined ? isSame(seen, now) : seen.createdAt === now.createdAt;
}

/** What is asked for, found. */
interface FoundInstances {
  readonly instances: readonly Instance[];
  readonly remarks: readonly Phrase[];
  /** Those that are not there any more, or whose place another has taken. */
  readonly missing: Examined['skipped'];
  readonly incomplete?: Incomplete | undefined;
}

/** What was examined, with those that were not there to be. */
export function withMissing(examined: Examined, { missing }: Pick<FoundInstances, 'missing'>): Examined {
  return { ...examined, skipped: [...examined.skipped, ...missing] };
}

/** What was examined without those that could not be turned around later, where that is asked for. */
export async function withoutStuck<A extends Args>(
  { several }: Declared<A>,
  ask: Ask,
  examined: Examined,
  back: Preview['back'],
): Promise<Examined> {
  if (!back) return examined;
  const each = await Promise.all(
    examined.chosen.map(async (one) => ({ one, why: await several?.whyNotBack?.(one.instance, back, ask) })),
  );
  return {
    ...examined,
    chosen: each.flatMap(({ one, why }) => (why ? [] : [one])),
    skipped: [
      ...examined.skipped,
      ...each.flatMap(({ one: { instance }, why }) =>
        why ? [{ id: instance.id, name: instance.name, why }] : [],
      ),
    ],
  };
}

/** The instances that are asked for; undefined where the words mean one alone. */
export async function resolveAsked(
  { hosting, access, favorites }: Pick<Changing, 'hosting' | 'access' | 'favorites'>,
  { actor, place: { channelId }, askedAt }: Pick<Ask, 'actor' | 'place' | 'askedAt'>,
  asked: Preview['asked'],
): Promise<FoundInstances | undefined> {
  const sight = await sightOf(access, actor, channelId);
  if ('those' in asked) {
    const read = await readSeveral(
      hosting,
      asked.those.map(({ id }) => id),
    );
    // What isn't theirs to see is left out, and nothing is said of what became of it.
    const hidden = new Set(read.filter((one) => !sight.maySee(one)).map(({ id }) => id));
    const those = asked.those.filter(({ id }) => !hidden.has(id));
    const found = ofThose({ ...asked, those }, read.filter(sight.maySee));
    const some = hidden.size === 1 ? say`One of them isn't` : say`${hidden.size} of them aren't`;
    return hidden.size === 0
      ? found
      : { ...found, remarks: [...found.remarks, say`${some} covered by your role.`] };
  }
  // An id is no authority: what they may not see is not there for them.
  if ('ids' in asked) {
    const read = await readSeveral(hosting, asked.ids);
    return { instances: inOrder(read.filter(sight.maySee)), remarks: [], missing: [] };
  }
  const found = await resolveSeveral({ hosting, favorites }, asked.words, sight, askedAt);
  if (!found) return undefined;
  const { instances, incomplete, remarks } = found;
  return {
    instances: inOrder(instances),
    remarks: [...remarks, ...(incomplete ? [incompleteWords(incomplete, 'instances')] : [])],
    missing: [],
    incomplete,
  };
}

/** Those that are the same and need it still, and the others with what became of them. Pure. */
function ofThose(
  { those, isForTrouble }: Extract<Preview['asked'], { those: unknown }>,
  read: readonly Instance[],
): FoundInstances {
  const byId = new Map(read.map((instance) => [instance.id, instance]));
  const whyNot = (seen: Fingerprint): Phrase | undefined => {
    const now = byId.get(seen.id);
    if (!now) return say`no longer exists`;
    if (!isOne(seen, now)) return say`is a different instance now`;
    const isWell = now.status === 'running' && now.health !== 'unhealthy';
    return isForTrouble && isWell ? say`is running again` : undefined;
  };
  const missing = those.flatMap((seen) => {
    const why = whyNot(seen);
    return why ? [{ id: seen.id, name: seen.name, why }] : [];
  });
  const missingIds = new Set(missing.map(({ id }) => id));
  return { instances: inOrder(read.filter(({ id }) => !missingIds.has(id))), remarks: [], missing };
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
export function previewWords<A extends Args>({ verb, words }: Declared<A>): PreviewWords {
  return { verb, done: words.done };
}
