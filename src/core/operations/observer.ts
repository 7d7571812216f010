import type { Operation, ObservedState } from './operation.ts';

/** How operations learn what became of their subjects. */
export interface Observer {
  /** One list shows the subjects of many operations, so that one more costs nothing. */
  readonly isByList?: true;
  /** Asks the service once for all of `operations`; each then gets the state of its own. Throws HostingError. */
  observe(operations: readonly Operation[]): Promise<(operation: Operation) => Promise<ObservedState>>;
}

/** What one operation's observer shows now. Throws HostingError. */
export async function observeOne(observer: Observer, operation: Operation): Promise<ObservedState> {
  const stateOf = await observer.observe([operation]);
  return stateOf(operation);
}
