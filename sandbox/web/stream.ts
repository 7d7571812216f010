import type { ServerResponse } from 'node:http';
import type { Patch } from './wire.ts';

/** One window that is sent what changes in it. */
export interface Stream {
  /** Sends what differs from what was sent before. */
  send(state: Readonly<Record<string, unknown>>): void;
}

/** Server-sent events; the first one says all, each further one what changed. */
export function createStream(response: ServerResponse): Stream {
  const sent = new Map<string, unknown>();
  const words = new Map<string, string>();
  let isFirst = true;
  return {
    send: (state) => {
      const patch: Record<string, unknown> = {};
      for (const [key, value] of Object.entries(state)) {
        if (sent.get(key) === value) continue;
        sent.set(key, value);
        const text = JSON.stringify(value);
        if (words.get(key) === text) continue;
        words.set(key, text);
        patch[key] = value;
      }
      for (const key of words.keys()) {
        if (key in state) continue;
        sent.delete(key);
        words.delete(key);
        patch[key] = null;
      }
      if (!isFirst && Object.keys(patch).length === 0) return;
      write(response, isFirst ? 'all' : 'changed', patch);
      isFirst = false;
    },
  };
}

function write(response: ServerResponse, event: 'all' | 'changed', patch: Patch): void {
  response.write(`event: ${event}\ndata: ${JSON.stringify(patch)}\n\n`);
}
