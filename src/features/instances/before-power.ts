import { nameOf } from '../../core/instances/messages.ts';
import { type Links, linksFor } from '../../core/links.ts';
import { Refusal } from '../../core/refusal.ts';
import type { HostingService, Instance, Power } from '../../platform/hosting/service.ts';
import { say } from '../../platform/slack/phrase.ts';
import { type PowerRefusal, isAsWanted } from './power-rules.ts';
import type { Operation, Outcome } from '../../core/operations/operation.ts';
import type { Past } from '../../core/operations/recent-store.ts';
import { unforced } from '../../core/policy/forced.ts';
import { leadsElsewhere, refusedWords } from './why-not.ts';
import type { Bot } from '../../core/bot/bot.ts';

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
