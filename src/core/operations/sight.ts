import type { Operation, Seen } from './operation.ts';

/** How operations see what became of their subjects. */
export interface Sight {
  /** Looks once for all of `operations`; each then gets what was seen of its own. Throws HostingError. */
  look(operations: readonly Operation[]): Promise<(operation: Operation) => Promise<Seen>>;
}

/** What one operation's sight shows now. Throws HostingError. */
export async function lookAt(sight: Sight, operation: Operation): Promise<Seen> {
  const seeIn = await sight.look([operation]);
  return seeIn(operation);
}
