import type { ApiCall } from './calls.ts';

/** A call that a test has stopped. */
export interface Held {
  /** Resolves with the call when it is stopped. */
  readonly arrived: Promise<ApiCall>;
  /** Lets it go on. */
  release(): void;
  /** Resets its connection. */
  drop(): void;
}

/** A gate for one call; its verdict may be given before the call comes. */
export function createGate(): { held: Held; stop: (call: ApiCall) => Promise<'release' | 'drop'> } {
  const arrival = makeResolvers<ApiCall>();
  const verdict = makeResolvers<'release' | 'drop'>();
  return {
    held: {
      arrived: arrival.promise,
      release: () => verdict.resolve('release'),
      drop: () => verdict.resolve('drop'),
    },
    stop(call) {
      arrival.resolve(call);
      return verdict.promise;
    },
  };
}

function makeResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
