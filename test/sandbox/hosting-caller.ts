import { onTestFinished } from 'vitest';
import { createHostingSandbox, type HostingSandboxOptions } from '../../sandbox/hosting/sandbox.ts';

/** One answer, as it came. `json` is undefined where the body isn't JSON. */
export interface Heard {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** A clock that moves when it is set. It begins at noon, far from any midnight. */
function createClock(): { now: () => number; advance: (ms: number) => void } {
  let at = Date.UTC(2026, 1, 10, 12);
  return {
    now: () => at,
    advance(ms) {
      at += ms;
    },
  };
}

/**
 * Starts a sandbox with a still clock and no rate limit in the way, and a caller for it. It is stopped
 * when the test ends.
 */
export async function openSandbox(options: HostingSandboxOptions = {}) {
  const clock = createClock();
  const sandbox = createHostingSandbox({ clock: clock.now, rateLimit: 10_000, ...options });
  const { url } = await sandbox.start();
  onTestFinished(() => sandbox.stop());
  const call = async (method: string, path: string, init: RequestInit = {}): Promise<Heard> => {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', 'Bearer oc_live_demo_harbour');
    const response = await fetch(`${url}${path}`, { ...init, method, headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parse(text) };
  };
  const post = (path: string, body?: unknown): Promise<Heard> =>
    call('POST', `/api/v1${path}`, body === undefined ? {} : { body: JSON.stringify(body) });
  const get = (path: string, headers: Record<string, string> = {}): Promise<Heard> =>
    call('GET', `/api/v1${path}`, { headers });
  const remove = (path: string): Promise<Heard> => call('DELETE', `/api/v1${path}`);
  return { sandbox, url, clock, call, get, post, remove };
}

/** What stands under `data`, for tests that read single fields of it. */
export function dataOf(heard: Heard): Record<string, unknown> {
  return (heard.json as { data: Record<string, unknown> }).data;
}

/** The list under `data`. */
export function listOf(heard: Heard): Record<string, unknown>[] {
  return (heard.json as { data: Record<string, unknown>[] }).data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
