import { nameOf } from '../../core/instances/messages.ts';
import { type Links, linksFor } from '../../core/links.ts';
import { Refusal } from '../../core/refusal.ts';
import type { HostingService, Instance, Power } from '../../platform/hosting/service.ts';
import { say } from '../../platform/slack/phrase.ts';
import { type PowerRefusal, isAsWanted } from './power-rules.ts';
import type { Operation, Outcome } from '../../core/operations/operation.ts';
import type { Past } from '../../core/operations/past.ts';
import { unforced } from '../../core/policy/permissions.ts';
import { leadsElsewhere, refusedWords } from './why-not.ts';
import type { Bot } from '../../core/bot/bot.ts';
import type { ButtonToken } from '../../core/offers/offers.ts';
import { FORCE_ROUTES, RESTART } from './route-ids.ts';

/** The instance as the service has it now. Throws a Refusal where it is gone, and HostingError. */
export async function readNow(hosting: HostingService, listed: Instance): Promise<Instance> {
  const instance = await hosting.findInstance(listed.id);
  if (instance) return instance;
  throw new Refusal('gone', say`There is no instance ${nameOf(listed)} any more.`);
}

/** The instance, where the action is possible by the freshest word of the service. Throws a Refusal, and HostingError. */
export async function refuseUnless<P extends Power>(
  power: P,
  { hosting, links }: { readonly hosting: HostingService; readonly links: Links },
  listed: Instance,
  refuse: (power: P, instance: Instance) => PowerRefusal | undefined,
): Promise<Instance> {
  if (refuse(power, listed) === undefined) return listed;
  const instance = await readNow(hosting, listed);
  const refusal = refuse(power, instance);
  if (refusal === undefined) return instance;
  const buttons = leadsElsewhere(power, instance, refusal) ? linksFor(links, instance) : [];
  throw new Refusal(refusal, { lines: [refusedWords(power, instance, refusal)], buttons });
}

/**
 * Before the first call of a start or stop: whether another operation may have done the same since the instance was read
 * for this one, and it is as wanted already. Otherwise, if the call gets lost, the end of the other would be reported for
 * this one, too. Nothing can overtake it from here on, since it holds the lock. Throws HostingError.
 */
export async function endedAsOvertaken(
  power: Power,
  { hosting, past, clock, timings }: Pick<Bot, 'clock' | 'timings' | 'hosting' | 'past'>,
  { subject, requestedAt, execution }: Operation,
): Promise<Omit<Outcome, 'at'> | undefined> {
  // A restart is seen on its way, or not at all; and what is asked again may have been done by the call before.
  if (power === 'restart' || execution.sends > 0) return undefined;
  const since = requestedAt - timings.listMayLagMs;
  const isSame = ({ kind, at }: Past): boolean => at >= since && unforced(kind.split('.')[1] ?? '') === power;
  if (!(await past.list(subject.id, clock.now())).some(isSame)) return undefined;
  const instance = await hosting.findInstance(subject.id);
  return instance && isAsWanted(power, instance) ? { result: 'done', code: 'already' } : undefined;
}

/** Why a stop or restart asks first. */
export type ReasonToAsk =
  | { readonly why: 'protected' }
  | { readonly why: 'restart-loop'; readonly times: number }
  | { readonly why: 'save-credits' }
  | { readonly why: 'restart-unknown' | 'restarted-lately' | 'started-by-another'; readonly past: Past };

const LATELY_MS = 10 * 60_000;
/** A fourth restart of one instance within a day is called a restart loop. */
const RESTARTS_OF_A_LOOP = 3;

/**
 * Whether a power action asks first, and why. Pure. `past` is what was done with the instance in the last day, newest
 * first; times are Unix ms.
 */
export function whyAsk(
  power: Power,
  facts: {
    readonly isProtected: boolean;
    readonly past: readonly Past[];
    readonly userId: string;
    readonly now: number;
    /** What the pressed button was shown for, if it was shown to be picked. */
    readonly pickedTo: ButtonToken['pickedTo'];
  },
): ReasonToAsk | undefined {
  if (power === 'start') return undefined;
  if (facts.isProtected) return { why: 'protected' };
  const times = countRestarts(facts.past);
  if (power === 'restart' && isLoop(times)) return { why: 'restart-loop', times };
  const latest = facts.past.find(isRestart);
  if (latest && facts.now - latest.at < LATELY_MS)
    return { why: isKnown(latest) ? 'restarted-lately' : 'restart-unknown', past: latest };
  const started = facts.past.find((one) => one.kind === 'instances.start' && isKnown(one));
  if (started && started.userId !== facts.userId) return { why: 'started-by-another', past: started };
  return facts.pickedTo && { why: facts.pickedTo };
}

/**
 * Whether a power action asks again although its person has said yes to what they were shown at `shownAt`, and why: somebody has
 * done the same since. Pure. `past`, `now` as above.
 */
export function whyAskAgain(
  power: Power,
  past: readonly Past[],
  { userId, shownAt, now }: { readonly userId: string; readonly shownAt: number; readonly now: number },
): ReasonToAsk | undefined {
  const since = past.filter(({ at }) => at > shownAt);
  return whyAsk(power, { isProtected: false, past: since, userId, now, pickedTo: undefined });
}

/** How many restarts were done, or taken by the service at least. Pure. */
export function countRestarts(past: readonly Past[]): number {
  return past.filter((one) => isRestart(one) && isKnown(one)).length;
}

/** Whether one more restart would be called a restart loop. Pure. */
export function isLoop(times: number): boolean {
  return times >= RESTARTS_OF_A_LOOP;
}

/** Whether it is a restart, also a forced one. */
function isRestart({ kind }: Past): boolean {
  return kind === RESTART || kind === FORCE_ROUTES.restart;
}

/** Whether it is known to have been done, or taken at least. */
function isKnown({ result }: Past): boolean {
  return result !== 'unknown';
}
