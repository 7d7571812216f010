import { atOnce } from './unreadable.ts';

/** A body as it is sent, and what it is. */
export function bodyOf(body: unknown): { readonly body: string | null; readonly type?: string } {
  if (body === undefined) return { body: null };
  return body instanceof URLSearchParams
    ? { body: body.toString(), type: 'application/x-www-form-urlencoded' }
    : { body: JSON.stringify(body), type: 'application/json' };
}

/**
 * What stands in an answer; undefined where it is empty. What `read`, the service's own way, can't read is JSON, or else its text:
 * a gateway in front of a service answers in a form of its own.
 */
export function parseBody(text: string, read: (text: string) => unknown = JSON.parse): unknown {
  if (text.trim() === '') return undefined;
  for (const parse of new Set([read, JSON.parse])) {
    try {
      return atOnce(parse(text) as unknown);
    } catch {
      // The next one may.
    }
  }
  return text;
}
