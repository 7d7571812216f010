import type { HostingAdapter } from './adapters/instance-hosting.ts';
import { createEndpoints } from './endpoints.ts';
import { createHostingReads } from './hosting-reads.ts';
import type { Requester } from './request.ts';
import type { HostingService } from './service.ts';
import { createHostingWrites } from './hosting-writes.ts';

/**
 * The hosting service behind one base URL, as its adapter's table describes it. Throws HostingError only. `sharedForMs`:
 * how old a reading may be that several people, or the bot itself, get without another call.
 */
export function createHostingClient(
  adapter: HostingAdapter,
  url: string,
  requester: Requester,
  { sharedForMs = 0 }: { sharedForMs?: number } = {},
): HostingService {
  const endpoints = createEndpoints(adapter, url, requester);
  const { reads, forget } = createHostingReads(endpoints, sharedForMs);
  return { ...reads, ...createHostingWrites(endpoints, forget), close: () => requester.close() };
}
