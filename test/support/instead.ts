import type { FaultPoints } from '../../src/core/base.ts';

/** One method of one part of the bot put in place of its own. */
export function instead(
  name: string,
  method: string,
  put: (own: object, ...args: unknown[]) => unknown,
): FaultPoints {
  return (part, target) =>
    part !== name
      ? target
      : new Proxy(target, {
          get: (one, asked, receiver): unknown =>
            asked === method ? (...args: unknown[]) => put(one, ...args) : Reflect.get(one, asked, receiver),
        });
}
