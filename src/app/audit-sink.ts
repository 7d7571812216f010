import type { Link } from '../core/audit/chain.ts';
import type { AuditSink } from '../core/watchdogs/keep-audit.ts';
import type { WayOut } from '../platform/http/way-out.ts';
import { namesIn } from '../platform/redis/key.ts';
import type { Log } from '../platform/log/log.ts';
import type { Config } from './config/config.ts';

/** How long whoever collects the audit may take for one page of it. */
const TAKEN_WITHIN_MS = 5_000;

/** Where the audit goes besides Redis; undefined where that isn't asked for. `scope`: what stands before its keys. */
export function createAuditSink(
  { audit: { stream } }: Config,
  {
    wayOut,
    log,
    scope,
  }: {
    readonly wayOut: WayOut;
    readonly log: Log;
    readonly scope: string;
  },
): AuditSink | undefined {
  if (stream === undefined) return undefined;
  const { to, authorization } = stream;
  const names = namesIn(scope);
  const of = names.length > 0 ? { of: names } : {};
  if (to === 'stdout')
    return async (links) => {
      for (const link of links) log.info({ audit: { ...of, ...lineOf(link) } }, 'audit');
    };
  const { origin, pathname, search } = new URL(to);
  return async (links) => {
    // A page comes now and then: nothing is kept open between two.
    const connections = wayOut.open({ connections: 1 });
    try {
      const { statusCode, body } = await connections.request({
        origin,
        path: `${pathname}${search}`,
        method: 'POST',
        headers: {
          'content-type': 'application/x-ndjson',
          ...(authorization === undefined ? {} : { authorization }),
        },
        body: links.map((link) => `${JSON.stringify({ ...of, ...lineOf(link) })}\n`).join(''),
        signal: AbortSignal.timeout(TAKEN_WITHIN_MS),
      });
      if (statusCode < 200 || statusCode > 299)
        throw new Error(
          `the collector at AUDIT_STREAM answered ${statusCode}, and gets the same entries again`,
        );
      await body.dump();
    } finally {
      await connections.destroy();
    }
  };
}

/** An entry with its place in the chain. `entry` is its text: the hash is of that. */
function lineOf({ seq, before, hash, entry }: Link): Omit<Link, 'id'> {
  return { seq, before, hash, entry };
}
