import { setTimeout as wait } from 'node:timers/promises';
import type { CallFault } from '../service/service.ts';
import type { Stage } from './stage.ts';
import type { BotLife } from './bot-life.ts';
import type { TroubleName } from './wire.ts';

/** Trouble that can be caused with one press. */
export interface Troubles {
  /** What waits for its call. */
  readonly waiting: readonly TroubleName[];
  readonly redis: 'runs' | 'stopped' | 'not ours';
  /** Resolves when it is caused; where something is started again, when that runs. Throws a sentence where it can't be. */
  cause(name: TroubleName): Promise<void>;
}

const REDIS_AWAY_MS = 3_000;
const CALL_FAULTS: readonly CallFault[] = ['lose-answer', 'say-503', 'be-slow'];

/** `onChange` hears when something waits, strikes, stops or runs again. */
export function createTroubles(sandbox: Stage, bot: BotLife, onChange: () => void): Troubles {
  const waiting = new Set<TroubleName>();
  let redis: Troubles['redis'] = sandbox.redis ? 'runs' : 'not ours';
  const watch = (name: TroubleName, strikes: () => boolean): void => {
    waiting.add(name);
    onChange();
    const timer = setInterval(() => {
      if (!strikes()) return;
      clearInterval(timer);
      waiting.delete(name);
      onChange();
    }, 100);
    timer.unref();
  };

  const stopRedis = async (): Promise<void> => {
    if (!sandbox.redis) throw new Error("This Redis is not the demo's own, so it is left alone.");
    if (redis === 'stopped') return;
    redis = 'stopped';
    onChange();
    await sandbox.redis.kill();
    await wait(REDIS_AWAY_MS);
    await sandbox.redis.restart();
    redis = 'runs';
    onChange();
  };

  return {
    get waiting() {
      return [...waiting];
    },
    get redis() {
      return redis;
    },
    cause: async (name) => {
      if (waiting.has(name)) return;
      const fault = CALL_FAULTS.find((one) => one === name);
      if (fault) {
        const { service } = sandbox;
        const before = service.writes().length;
        service.failNext(fault);
        return watch(name, () => service.writes().length > before);
      }
      if (name === 'slack-loses-answer') {
        let isLost = false;
        sandbox.slack.loseAnswerOfNext(({ method }) => method === 'chat.postMessage' && (isLost = true));
        return watch(name, () => isLost);
      }
      if (name === 'kill-bot') return bot.kill();
      if (name === 'stop-redis') return stopRedis();
      sandbox.service.chargeDay();
      // A look of a moment ago would be shown again.
      await sandbox.pass(0);
      onChange();
    },
  };
}
