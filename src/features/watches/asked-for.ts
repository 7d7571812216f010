import type { Entry } from '../../core/audit/entry.ts';
import type { Operation } from '../../core/operations/operation.ts';
import { unforced } from '../../core/policy/permissions.ts';
import { MINUTE_MS } from '../../platform/time/duration.ts';
import type { AskedFor } from './changes.ts';
import type { Trouble } from './states.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** One operation of the bot, as far as it explains a change. */
export interface Done {
  readonly instanceId: string;
  /** Its kind, whose last word is the verb: `instances.stop`. */
  readonly kind: string;
  /** Undefined while it is under way. */
  readonly end?: { readonly at: number; readonly result: string };
}

/** When the two lists were read between which something changed, and how long a list may lag; ms. */
export interface Between {
  readonly from: number;
  readonly to: number;
  readonly listMayLagMs: number;
}

const MAX_READ = 2_000;
/** What the bot gave up on may come to its end so long after that. */
const LATE_MS = 30 * MINUTE_MS;

/** What each verb leaves an instance in, where that is trouble to the person who did not ask for it. */
const LEAVES: Readonly<Record<string, Trouble>> = {
  stop: 'stopped',
  delete: 'deleted',
  cancel: 'deleted',
};

/**
 * Reads what the bot did with these instances, or does. What is under way is read first: what ends meanwhile is in the
 * audit by then.
 */
export async function readDone(
  { operations, auditReader }: Pick<Bot, 'auditReader' | 'operations'>,
  ids: ReadonlySet<string>,
  { from, to, listMayLagMs }: Between,
): Promise<readonly Done[]> {
  const open = (await operations.listOpen()).filter((one) => ids.has(one.subject.id) && isOnItsWay(one));
  const isEnd = ({ what, target }: Entry): boolean =>
    what === 'ended' && target !== undefined && ids.has(target.id);
  const since = Math.min(from - listMayLagMs, to - LATE_MS);
  const ended = await auditReader.read(isEnd, { limit: MAX_READ, since });
  return [
    ...open.map(({ subject, kind }) => ({ instanceId: subject.id, kind })),
    ...ended.map(({ entry: { target, route, at, result = '' } }) => ({
      instanceId: target?.id ?? '',
      kind: route,
      end: { at, result },
    })),
  ];
}

/** Whether its call may have left, and it has not ended. */
function isOnItsWay({ outcome, execution }: Operation): boolean {
  return outcome === undefined && (execution.state !== 'requested' || execution.sends > 0);
}

/** Whether what was done here explains a change that was seen between two looks. Pure. */
export function explainedBy(done: readonly Done[], between: Between): AskedFor {
  return (id, trouble) => {
    const verdicts = done
      .filter(({ instanceId }) => instanceId === id)
      .map((one) => verdictOf(one, trouble, between));
    return (['yes', 'wait'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'no';
  };
}

function verdictOf(
  { kind, end }: Done,
  trouble: Trouble,
  { from, to, listMayLagMs }: Between,
): ReturnType<AskedFor> {
  // What it comes to is reported on its own card.
  if (!end) return 'wait';
  const isExpected = LEAVES[unforced(kind.split('.').at(-1) ?? '')] === trouble;
  const isOfNow = end.at >= from - listMayLagMs;
  if (end.result === 'canceled') return 'no';
  if (end.result !== 'done') return isOfNow || (isExpected && end.at >= to - LATE_MS) ? 'yes' : 'no';
  if (!isOfNow) return 'no';
  if (isExpected) return 'yes';
  // The list may be from before it ended.
  return end.at + listMayLagMs >= to ? 'wait' : 'no';
}
