import { isDeepStrictEqual } from 'node:util';
import type { Dispatcher } from 'undici';
import type { ClientCertificate } from '../http/way-out.ts';

/** Connections that are kept, by the certificate that they were opened with. */
export interface ReadConnections {
  /** Those with the certificate that counts now. Those of one before end with what is under way on them. */
  now(): Dispatcher;
  close(): Promise<void>;
}

export function createReadConnections(
  certificate: () => ClientCertificate | undefined,
  open: (certificate: ClientCertificate | undefined) => Dispatcher,
): ReadConnections {
  let of = certificate();
  let connections = open(of);
  return {
    now: () => {
      const now = certificate();
      if (isDeepStrictEqual(now, of)) return connections;
      const before = connections;
      [of, connections] = [now, open(now)];
      before.close().catch(() => undefined);
      return connections;
    },
    close: () => connections.destroy(),
  };
}
