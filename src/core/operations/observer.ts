import type { Operation, Seen } from './operation.ts';

/** How operations see what became of their subjects. */
export interface Observer {
  /** Many operations are looked at by one list that shows everybody, so that one more costs nothing. */
  readonly isByList?: true;
  /** Looks once for all of `operations`; each then gets what was seen of its own. Throws HostingError. */
  look(operations: readonly Operation[]): Promise<(operation: Operation) => Promise<Seen>>;
}

/** What one operation's observer shows now. Throws HostingError. */
export async function lookAt(observer: Observer, operation: Operation): Promise<Seen> {
  const seeIn = await observer.look([operation]);
  return seeIn(operation);
}
