import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { killAtExit } from '../../sandbox/cleanup.ts';
import { pin } from './machine.ts';

/** What the load does in one go. */
export interface LoadJob {
  /** Where the bot takes Slack's requests. */
  readonly url: string;
  readonly command: string;
  readonly text: string;
  /** The number of the first request; no number is used twice with one bot. */
  readonly from: number;
  readonly count: number;
  /** So many are on their way at once. */
  readonly inFlight: number;
  /** A request is through once its answer was posted, too, and not with its acknowledgement alone. */
  readonly untilPosted: boolean;
}

/** How many were answered with each status; 0 for those that were not answered. */
export type Statuses = Readonly<Record<string, number>>;

/** What the load's process is asked, and what it says. */
export type ToLoad = { readonly prepare: LoadJob } | { readonly run: true };
export type FromLoad =
  | { readonly slackUrl: string; readonly hostingUrl: string }
  | { readonly prepared: true }
  | { readonly statuses: Statuses }
  | { readonly failed: string };

/** A process that calls a bot and answers it as Slack and as a hosting service, from memory and within a millisecond. */
export interface Load {
  readonly apiUrl: string;
  readonly respondUrl: string;
  readonly hostingUrl: string;
  /** Signs the requests of a job. Resolves with what sends them. Both reject where the process fails. */
  prepare(job: LoadJob): Promise<() => Promise<Statuses>>;
  stop(): void;
}

const PROCESS = fileURLToPath(new URL('load-process.ts', import.meta.url));

/** Starts the load, on its own core. */
export async function startLoad(): Promise<Load> {
  const child = fork(PROCESS, {
    // It stands still as seldom as can be: what it makes for a request is gone before it is looked through.
    execArgv: ['--import', 'tsx', '--expose-gc', '--max-semi-space-size=64'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  killAtExit(child);
  if (child.pid !== undefined) pin('load', child.pid);
  const next = (): Promise<FromLoad> =>
    new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`the load ended with ${code}`));
      child.once('exit', ended);
      child.once('message', (message) => {
        child.off('exit', ended);
        resolve(message as FromLoad); // by its own process, which sends nothing else
      });
    });
  const ask = async (message: ToLoad): Promise<FromLoad> => {
    const answer = next();
    child.send(message);
    const said = await answer;
    if ('failed' in said) throw new Error(`the load: ${said.failed}`);
    return said;
  };
  const ready = await next();
  if (!('slackUrl' in ready)) throw new Error('the load is not ready');
  return {
    apiUrl: `${ready.slackUrl}/api/`,
    respondUrl: `${ready.slackUrl}/respond`,
    hostingUrl: ready.hostingUrl,
    prepare: async (job) => {
      await ask({ prepare: job });
      return async () => {
        const said = await ask({ run: true });
        if (!('statuses' in said)) throw new Error('the load gave no result');
        return said.statuses;
      };
    },
    stop: () => void child.kill('SIGKILL'),
  };
}
