import { baseOf, pathOf } from './address.ts';
import type { EndpointName, HostingAdapter } from './adapters/instance-hosting.ts';
import type { Requester } from './request.ts';

interface EndpointCall {
  readonly doing: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
}

/** The endpoints of the adapter's table at one address, and the way to them. */
export interface Endpoints {
  readonly adapter: HostingAdapter;
  readonly origin: string;
  readonly requester: Requester;
  callOf(name: EndpointName, doing: string, id?: string): EndpointCall;
}

export function createEndpoints(adapter: HostingAdapter, url: string, requester: Requester): Endpoints {
  const base = baseOf(url, adapter.prefix);
  return {
    adapter,
    origin: base.origin,
    requester,
    callOf: (name, doing, id) => {
      const endpoint = adapter.endpoints[name];
      return { doing, method: endpoint.method, path: pathOf(doing, base.path, endpoint.path, id) };
    },
  };
}
