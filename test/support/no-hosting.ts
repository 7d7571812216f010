import { adapter } from '../../src/platform/hosting/adapters/instance-hosting.ts';
import { aboutOf } from '../../src/platform/hosting/client.ts';
import type { HostingService } from '../../src/platform/hosting/service.ts';

/** The default hosting service for what only words and judges: no call of it is answered. */
export function noHosting(): HostingService {
  const known: Partial<HostingService> = { about: aboutOf(adapter) };
  return new Proxy(known as HostingService, {
    get: (own, name) =>
      Reflect.get(own, name) ?? (() => Promise.reject(new Error(`${String(name)} is asked`))),
  });
}
