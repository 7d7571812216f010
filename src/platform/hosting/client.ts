import type { Line } from './budget.ts';
import type { HostingAdapter } from './adapters/instance-hosting.ts';
import { createEndpoints } from './endpoints.ts';
import { createHostingReads } from './hosting-reads.ts';
import type { Requester } from './request.ts';
import type { Sharing } from './instance-list.ts';
import type { HostingService } from './service.ts';
import { createHostingWrites } from './hosting-writes.ts';

/** Nobody waits. */
const NO_LINE: Line = { takeOrWait: async () => undefined, leave: async () => undefined };

/**
 * The hosting service behind one base URL, as its adapter's table describes it. Throws HostingError only. `sharedForMs`:
 * how old a reading may be that several people, or the bot itself, get without another call. `sharing`: what a long list
 * is shared over between processes. `line`: the one in front of the requester's budget.
 */
export function createHostingClient(
  adapter: HostingAdapter,
  url: string,
  requester: Requester,
  { sharedForMs = 0, sharing, line = NO_LINE }: { sharedForMs?: number; sharing?: Sharing; line?: Line } = {},
): HostingService {
  const endpoints = createEndpoints(adapter, url, requester);
  const { reads, forget } = createHostingReads(endpoints, sharedForMs, sharing);
  return { ...reads, ...createHostingWrites(endpoints, forget), line, close: () => requester.close() };
}
