const PREFIX = 'lamplighter';

/** The one way to name a key in Redis: what it is first, then whose. Each store keeps its own names beside it. */
export function key(...parts: readonly [string, ...string[]]): string {
  return [PREFIX, ...parts].join(':');
}
