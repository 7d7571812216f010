import type { WriteQueue } from './budget.ts';
import type { Adapter } from './adapter.ts';
import { createCalls, type OnLeftOut } from './calls.ts';
import { createHostingReads } from './hosting-reads.ts';
import type { Requester } from './request.ts';
import type { Sharing } from './instance-list.ts';
import { type AboutService, FORCIBLE, type HostingService } from './service.ts';
import { createHostingWrites } from './hosting-writes.ts';

/** Nobody waits. */
const NO_QUEUE: WriteQueue = { takeOrWait: async () => undefined, leave: async () => undefined };

interface ClientOptions {
  readonly sharedForMs?: number;
  readonly sharing?: Sharing;
  readonly writeQueue?: WriteQueue;
  readonly onLeftOut?: OnLeftOut;
}

/**
 * The hosting service behind one base URL, as its adapter describes it. Throws HostingError only. `sharedForMs`:
 * how old a reading may be that several people, or the bot itself, get without another call. `sharing`: what a long list
 * is shared over between processes. `writeQueue`: the one for the requester's budget.
 */
export function createHostingClient(
  adapter: Adapter,
  url: string,
  requester: Requester,
  { sharedForMs = 0, sharing, writeQueue = NO_QUEUE, onLeftOut }: ClientOptions = {},
): HostingService {
  const calls = createCalls(adapter, url, requester, onLeftOut);
  const { reads, forget } = createHostingReads(calls, sharedForMs, sharing);
  return {
    about: aboutOf(adapter),
    ...reads,
    ...createHostingWrites(calls, forget),
    writeQueue,
    close: () => requester.close(),
  };
}

/** What people read about a service. */
export function aboutOf({ name, deletion, stoppedCosts, instances, addons, billing }: Adapter): AboutService {
  const offers = {
    deletion: instances.remove !== undefined,
    addons: addons !== undefined,
    billing: billing?.kind,
    charges: billing?.kind === 'postpaid' && billing.charges !== undefined,
    bills: billing?.kind === 'postpaid' && billing.bills !== undefined,
    forcing: FORCIBLE.filter((power) => instances.force?.[power] !== undefined),
  };
  const currency = billing?.kind === 'postpaid' ? { currency: billing.currency } : {};
  const atZero = billing?.kind === 'prepaid' && billing.atZero ? { atZero: billing.atZero } : {};
  const unit = billing?.kind === 'prepaid' && billing.unit !== undefined ? { unit: billing.unit } : {};
  const stopped = stoppedCosts === undefined ? {} : { stoppedCosts };
  return {
    name,
    deletion,
    ...stopped,
    ...currency,
    ...unit,
    ...atZero,
    offers,
    actionProves: instances.actionProves ?? [],
  };
}
