import { onTestFinished } from 'vitest';
import { createHostingSandbox, type HostingSandboxOptions } from '../../sandbox/hosting/sandbox.ts';
import { hear, type Heard } from '../clouds/calling.ts';

export type { Heard };

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
    return hear(await fetch(`${url}${path}`, { ...init, method, headers }));
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
