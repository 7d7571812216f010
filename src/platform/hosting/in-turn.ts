import type { HostingService, ReadOptions } from './service.ts';
import type { Reader } from './shared-read.ts';

/** The same service, read in the turn of `turn` wherever a call doesn't name one itself. */
export function inTurn<
  H extends Pick<HostingService, 'findInstance' | 'listInstances' | 'listAddons' | 'listBegun'>,
>(hosting: H, turn: Reader): H {
  const as = <O extends Pick<ReadOptions, 'turn'>>(options: O): O & { turn: Reader } => ({
    ...options,
    turn: options.turn ?? turn,
  });
  return {
    ...hosting,
    findInstance: (id, options = {}) => hosting.findInstance(id, as(options)),
    listInstances: (options = {}) => hosting.listInstances(as(options)),
    // Without options it is read now, by a call of its own.
    listAddons: (options = { freshMs: 0 }) => hosting.listAddons(as(options)),
    listBegun: (id, options = {}) => hosting.listBegun(id, as(options)),
  };
}
