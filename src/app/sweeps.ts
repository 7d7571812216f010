import type { Sweep } from '../core/sweep.ts';
import { newId } from '../platform/id.ts';
import { asError } from '../platform/log/as-error.ts';
import type { Log } from '../platform/log/log.ts';
import { key } from '../platform/redis/key.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import { onceWithinLimit, repeat } from '../platform/time/repeat.ts';

interface SweepsDeps {
  readonly redis: RedisConnection;
  readonly log: Log;
  /** `often`: what people wait for. `seldom`: what only has to be put right some time. */
  readonly sweeps: { readonly often: readonly Sweep[]; readonly seldom: readonly Sweep[] };
  readonly everyMs: number;
}

export const SWEEPER = key('sweeper');
/** A turn is over before the next is due. */
const TURN_SHARE = 0.8;
/** Processes come in no fixed order, so that none sweeps for all and sees what only another can put right. */
const SPREAD = 0.4;
const SELDOM_EVERY = 5;

/** Sweeps whenever it is this process' turn. Gives a function that stops that. */
export function startSweeps({ redis, log, sweeps, everyMs }: SweepsDeps): () => void {
  const me = newId();
  const underWay = new Set<Sweep>();
  let turns = 0;
  let isMine = true;
  const begin = (sweep: Sweep): void => {
    if (underWay.has(sweep)) return;
    underWay.add(sweep);
    void onceWithinLimit(() => sweep.run())
      .catch((error: unknown) => log.limited('sweep', asError(error)))
      .finally(() => underWay.delete(sweep));
  };
  const turn = async (): Promise<void> => {
    const turnMs = Math.max(1, Math.round(everyMs * TURN_SHARE));
    isMine = (await redis.set(SWEEPER, me, 'PX', turnMs, 'NX')) === 'OK';
    // Nobody has it for longer than that: Redis' clock was set back since.
    if (!isMine && (await redis.pttl(SWEEPER)) > turnMs) await redis.del(SWEEPER);
    if (!isMine) return;
    const due = turns % SELDOM_EVERY === 0 ? [...sweeps.often, ...sweeps.seldom] : sweeps.often;
    turns += 1;
    // One question for all, which mostly says that there is nothing to do.
    const isAny = (await redis.exists(...due.flatMap(({ keys }) => keys))) > 0;
    for (const sweep of due) if (isAny || sweep.keys.length === 0) begin(sweep);
  };
  // The process that finds another at it asks less often.
  const nextMs = (): number => everyMs * (isMine ? 1 : 2) * (1 + SPREAD * (Math.random() - 0.5));
  return repeat(nextMs, [turn], (error) => log.limited('sweep', error));
}
