import type { IncomingMessage } from 'node:http';
import { routes, routesBeyondTheContract, type Route } from './routes.ts';
import type { Variant } from './variant.ts';

/** The largest body that is read. */
const largestBytes = 16_384;
/** How much of a larger one is let through unread, so that its sender gets to read the answer. */
const drainedBytes = 1_048_576;

/** The path and query of a request target, without ever throwing as `new URL` would. */
export function splitTarget(target: string): { path: string; query: string } {
  const at = target.indexOf('?');
  return at === -1 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}

/** The key of a request: what stands after the scheme in the header, or null. */
export function readKey(request: IncomingMessage, variant: Variant): string | null {
  const { header, scheme } = variant.auth ?? { header: 'authorization', scheme: 'Bearer' };
  const value = request.headers[header.toLowerCase()];
  if (typeof value !== 'string') return null;
  if (scheme === '') return value;
  const [given, key, ...rest] = value.split(' ');
  return given?.toLowerCase() === scheme.toLowerCase() && rest.length === 0 ? (key ?? null) : null;
}

/** The route of a request and the id in its path: null where no id is, or none that could exist. */
export function findRoute(
  method: string,
  path: string,
  variant: Variant,
): { route: Route; id: number | null } | undefined {
  const segments = path.split('/');
  for (const route of [...routes, ...routesBeyondTheContract]) {
    const wanted = route.template.split('/');
    if (route.method !== method || wanted.length !== segments.length) continue;
    if (variant.addons === 'absent' && wanted.includes('addons')) continue;
    if (!wanted.every((each, index) => each === '{id}' || each === segments[index])) continue;
    return { route, id: parseId(segments[wanted.indexOf('{id}')], variant) };
  }
  return undefined;
}

/** Reads a JSON body; nothing sent is undefined. Says in words what is wrong with one that can't be taken. */
export async function readBody(
  request: IncomingMessage,
): Promise<{ body: unknown } | { unreadable: 'is not JSON' | 'is too large' }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Not destroyed on leaving the loop: the connection is still needed for the answer.
  const received = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of received) {
    bytes += chunk.length;
    if (bytes <= largestBytes) chunks.push(chunk);
    if (bytes > drainedBytes) break;
  }
  if (bytes > largestBytes) return { unreadable: 'is too large' };
  const text = Buffer.concat(chunks).toString('utf8');
  if (text.trim() === '') return { body: undefined };
  try {
    const body: unknown = JSON.parse(text);
    return { body };
  } catch {
    return { unreadable: 'is not JSON' };
  }
}

function parseId(segment: string | undefined, variant: Variant): number | null {
  const prefix = variant.idPrefix ?? '';
  const text = decode(segment ?? '');
  if (!text.startsWith(prefix) || !/^[1-9]\d{0,14}$/.test(text.slice(prefix.length))) return null;
  return Number(text.slice(prefix.length));
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
