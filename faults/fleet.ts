import { type BotProcess, startBotProcess } from '../sandbox/start-bot.ts';
import type { Timings } from '../src/core/timings.ts';

export interface FleetOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly timings: Partial<Timings>;
  readonly clockOffsetMs: (nth: number) => number;
  /** The bot that runs at first, and is replaced by today's as processes end; today's from the first where it is left out. */
  readonly firstBot?: string | undefined;
  /** Called whenever the addresses that take Slack's requests have changed. */
  readonly onAddresses: (urls: readonly string[]) => void;
}

/** Two web and two worker processes; whatever ends is started again, as a supervisor would. */
export interface Fleet {
  start(): Promise<void>;
  /** Ends one of those that run with SIGKILL, and starts it again. Gives false where none runs just now. */
  kill(role: Role, which: number): Promise<boolean>;
  /** Gives false where none runs just now. */
  pause(role: Role, which: number, forMs: number): Promise<boolean>;
  stop(): Promise<void>;
  /** The last lines of every process that ever ran, to see why. */
  output(): string;
  /** What a process itself ended by, killed ones left out; must stay empty. */
  readonly crashes: readonly string[];
}

export type Role = 'web' | 'worker';

const MAX_OUTPUT = 4_000_000;
const PLACES: readonly Role[] = ['web', 'web', 'worker', 'worker'];

export function createFleet(options: FleetOptions): Fleet {
  const places: { role: Role; bot: BotProcess | undefined }[] = [];
  const crashes: string[] = [];
  const outputs: string[] = [];
  let count = 0;
  const stopping = new AbortController();

  const announce = (): void => {
    const urls = places.flatMap(({ role, bot }) =>
      role === 'web' && bot ? [`http://127.0.0.1:${bot.port}/slack/events`] : [],
    );
    if (urls.length > 0) options.onAddresses(urls);
  };
  const fill = async (place: { role: Role; bot: BotProcess | undefined }): Promise<void> => {
    while (!stopping.signal.aborted) {
      const nth = count++;
      try {
        place.bot = await startBotProcess({
          env: { ...options.env, LAMPLIGHTER_ROLE: place.role },
          timings: options.timings,
          // A web process an hour off refuses what Slack signs: one is right, or nobody can ask for anything.
          clockOffsetMs: place === places[0] ? 0 : options.clockOffsetMs(nth),
          ...(options.firstBot !== undefined && nth < PLACES.length ? { script: [options.firstBot] } : {}),
        });
        announce();
        return;
      } catch (error) {
        // Redis may be away just now; a supervisor tries again as well.
        outputs.push(String(error));
      }
    }
  };
  const at = (role: Role, which: number): { role: Role; bot: BotProcess | undefined } | undefined => {
    const mine = places.filter((place) => place.role === role && place.bot);
    return mine[which % mine.length];
  };

  return {
    crashes,
    start: async () => {
      for (const role of PLACES) places.push({ role, bot: undefined });
      await Promise.all(places.map(fill));
    },
    kill: async (role, which) => {
      const place = at(role, which);
      const bot = place?.bot;
      if (!place || !bot) return false;
      place.bot = undefined;
      if (!bot.isRunning()) crashes.push(bot.output().slice(-2_000));
      await bot.end('SIGKILL');
      outputs.push(bot.output());
      await fill(place);
      return true;
    },
    pause: async (role, which, forMs) => {
      const bot = at(role, which)?.bot;
      if (!bot) return false;
      bot.signal('SIGSTOP');
      await new Promise((done) => setTimeout(done, forMs));
      bot.signal('SIGCONT');
      return true;
    },
    stop: async () => {
      stopping.abort();
      for (const { bot } of places.splice(0)) {
        if (bot && !bot.isRunning()) crashes.push(bot.output().slice(-2_000));
        await bot?.end('SIGKILL');
        outputs.push(bot?.output() ?? '');
      }
    },
    output: () => outputs.join('\n').slice(-MAX_OUTPUT),
  };
}
