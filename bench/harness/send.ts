import { type Program, type Running, startBots, stopBots } from './bots.ts';
import { checkAnswers } from './checks.ts';
import type { LoadJob } from './load.ts';
import { interleave, type Measured, type Metrics } from './rounds.ts';

/** What is sent to a program in each round. */
export interface Sender {
  readonly name: string;
  readonly program: Program;
  readonly sent: Pick<LoadJob, 'command' | 'text' | 'count' | 'inFlight' | 'untilPosted'>;
}

/**
 * Sends a round of requests, each different, with a signature of its own. Gives the CPU for each in µs.
 * Rejects with a CheckError where one was not answered with 200.
 */
export async function send(running: Running, sent: Sender['sent']): Promise<Metrics> {
  const { name, process, load, url } = running;
  const from = running.nextNth;
  running.nextNth += sent.count;
  const start = await load.prepare({ ...sent, url, from });
  const cpuMs = process.cpuMs();
  checkAnswers(name, await start());
  return { cpuUs: (1_000 * (process.cpuMs() - cpuMs)) / sent.count };
}

/** Starts all, warms them up, and sends each its requests round by round. Rejects as `send` does. */
export async function measureSent(senders: readonly Sender[], rounds: number): Promise<Measured> {
  const running = await startBots(senders.map(({ name, program }) => [name, program]));
  try {
    const variants = senders.flatMap(({ name, sent }) =>
      running.filter((one) => one.name === name).map((one) => ({ name, measure: () => send(one, sent) })),
    );
    for (const { measure } of variants) await measure();
    return await interleave(variants, rounds);
  } finally {
    await stopBots(running);
  }
}
