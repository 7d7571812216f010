import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { MessageOfPage, PageState, Patch } from '../wire.ts';

/** All that the page knows for the person it acts as; undefined until it has first arrived. */
export interface Known extends PageState {
  /** By ts, oldest first. */
  readonly messages: readonly MessageOfPage[];
}

/** Keeps what the server says for one person, by handle. `isLost`: the server is away just now. */
export function useKnown(who: string): { readonly known: Known | undefined; readonly isLost: boolean } {
  const state = useRef<Record<string, unknown>>({});
  const isLost = useRef(false);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    state.current = {};
    const events = new EventSource(`/api/events?as=${encodeURIComponent(who)}`);
    const take = (before: Record<string, unknown>, event: MessageEvent<string>): void => {
      state.current = patched(before, JSON.parse(event.data) as Patch);
      isLost.current = false;
      redraw(undefined);
    };
    events.addEventListener('all', (event: MessageEvent<string>) => take({}, event));
    events.addEventListener('changed', (event: MessageEvent<string>) => take(state.current, event));
    events.addEventListener('error', () => {
      isLost.current = true;
      redraw(undefined);
    });
    return () => events.close();
  }, [who]);
  const known = 'workspace' in state.current ? toKnown(state.current) : undefined;
  return { known, isLost: isLost.current };
}

function patched(before: Record<string, unknown>, patch: Patch): Record<string, unknown> {
  const after = { ...before, ...patch };
  for (const [key, value] of Object.entries(patch))
    if (value === null && key.startsWith('m:')) delete after[key];
  return after;
}

function toKnown(state: Record<string, unknown>): Known {
  const messages = Object.entries(state)
    .filter(([key]) => key.startsWith('m:'))
    .map(([, message]) => message as MessageOfPage)
    .toSorted((one, other) => (one.ts < other.ts ? -1 : 1));
  return { ...(state as unknown as PageState), messages };
}
