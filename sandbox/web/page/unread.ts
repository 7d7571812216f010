import { useRef } from 'preact/hooks';
import type { Known } from './store.ts';
import type { Place } from './sidebar.tsx';

/** The channels in which something is new for the person since they last looked, and since the page was opened. */
export function useUnread({ messages, workspace }: Known, place: Place): ReadonlySet<string> {
  const seen = useRef<{ readonly who: string; readonly upTo: Map<string, string> } | undefined>(undefined);
  const newest = new Map(
    messages.filter(({ user }) => user !== workspace.me.id).map(({ channel, ts }) => [channel, ts]),
  );
  if (seen.current?.who !== workspace.me.id) seen.current = { who: workspace.me.id, upTo: new Map(newest) };
  const { upTo } = seen.current;
  const here = newest.get(place);
  if (here !== undefined) upTo.set(place, here);
  return new Set(
    [...newest].filter(([channel, ts]) => ts > (upTo.get(channel) ?? '')).map(([channel]) => channel),
  );
}
