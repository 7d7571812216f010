import { nameOf } from '../../core/instances/messages.ts';
import { type Links, linksFor } from '../../core/links.ts';
import { Refusal } from '../../core/refusal.ts';
import type { HostingService, Instance, Power } from '../../platform/hosting/service.ts';
import { say } from '../../platform/slack/phrase.ts';
import { powerRefused } from './power-messages.ts';
import type { PowerRefusal } from './power-rules.ts';

/** The instance as the service has it now. Throws a Refusal where it is gone, and HostingError. */
export async function readNow(hosting: HostingService, listed: Instance): Promise<Instance> {
  const instance = await hosting.findInstance(listed.id);
  if (instance) return instance;
  throw new Refusal('gone', say`There is no instance ${nameOf(listed)} any more.`);
}

/** Refusals that can only be helped, or understood, where the instance is hosted. */
const LEADS_ELSEWHERE: readonly PowerRefusal[] = [
  'paused',
  'needs-owner',
  'broken',
  'locked',
  'unknown-status',
];

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
  const buttons = LEADS_ELSEWHERE.includes(refusal) ? linksFor(links, instance) : [];
  throw new Refusal(refusal, { lines: [powerRefused(power, instance, refusal)], buttons });
}
