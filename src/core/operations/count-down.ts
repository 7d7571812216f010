import type { RedisClock } from '../../platform/redis/clock.ts';
import type { JobPart } from './run.ts';
import { countDownAt, countedDown } from './grace.ts';
import type { Operations } from './operations.ts';

/** The part that counts a grace down on its card. */
export function createCountDown(deps: { operations: Operations; clock: RedisClock }): JobPart {
  const { operations, clock } = deps;
  return async (operation) => {
    if (countDownAt(operation) > clock.now()) return false;
    await operations.change(operation.id, (now) => countedDown(now, clock.now()));
    return true;
  };
}
