import { setTimeout as wait } from 'node:timers/promises';
import type { Timings } from '../../src/core/timings.ts';
import { type BotProcess, startBotProcess } from '../start-bot.ts';
import type { CurtainOfPage } from './wire.ts';

/** The bot as a process, which can be killed and started again. */
export interface BotLife {
  readonly state: CurtainOfPage['bot'];
  /** What a process logged that ended by itself. */
  readonly crash: string | undefined;
  /** Starts it. Rejects with its output where it ends before it is ready. */
  start(): Promise<void>;
  /** Ends it with SIGKILL, and starts it again after a moment in which it is away. Resolves when it is ready again. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Long enough to see that nobody answers. */
const AWAY_MS = 1_500;
const SETTLE_MS = 250;
const TRIES = 40;

/** `onAddress` hears where each new process listens, `onChange` of every change of the state. */
export function createBotLife({
  env,
  timings,
  onAddress,
  onChange,
}: {
  readonly env: Readonly<Record<string, string>>;
  readonly timings: Partial<Timings>;
  readonly onAddress: (requestUrl: string) => void;
  readonly onChange: () => void;
}): BotLife {
  let bot: BotProcess | undefined;
  let state: CurtainOfPage['bot'] = { state: 'starts', pid: 0, kills: 0 };
  let crash: string | undefined;
  let killing: Promise<void> | undefined;
  const stopping = new AbortController();
  const show = (change: Partial<CurtainOfPage['bot']>): void => {
    state = { ...state, ...change };
    onChange();
  };

  const start = async (): Promise<void> => {
    show({ state: 'starts' });
    // Where agents ask is printed once: who takes over from a process that was killed listens where it did.
    const port = bot?.port ?? env['PORT'];
    bot = await startBotProcess({ env: { ...env, PORT: String(port) }, timings });
    onAddress(`http://127.0.0.1:${bot.port}/slack/events`);
    show({ state: 'runs', pid: bot.pid });
  };

  /** Redis may be away meanwhile; a supervisor tries again as well. */
  const startAgain = async (): Promise<void> => {
    for (let tries = 0; tries < TRIES && !stopping.signal.aborted; tries++) {
      try {
        return await start();
      } catch (error) {
        crash = String(error);
        await wait(SETTLE_MS);
      }
    }
  };

  const kill = async (): Promise<void> => {
    await bot?.end('SIGKILL');
    show({ state: 'killed', kills: state.kills + 1 });
    await wait(AWAY_MS);
    await startAgain();
  };

  return {
    get state() {
      return state;
    },
    get crash() {
      return crash;
    },
    start,
    kill: () => (killing ??= kill().finally(() => (killing = undefined))),
    stop: async () => {
      stopping.abort();
      await killing;
      await bot?.end('SIGTERM');
    },
  };
}
