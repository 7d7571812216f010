import { randomInt } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { killAtExit } from './cleanup.ts';

/** Starts a Redis or a Sentinel; resolves once it takes commands. */
export function launch(server: string, settings: readonly string[]): Promise<ChildProcess> {
  const child = spawn(server, settings, { stdio: ['ignore', 'pipe', 'inherit'] });
  killAtExit(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code} before it was ready`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      if (/ready to accept connections|Sentinel ID is/i.test(chunk.toString())) resolve(child);
    });
  });
}

export async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

/** Below those that the system gives to whoever asks for any, and which are taken again at once. */
const [FIRST_PORT, LAST_PORT] = [10_000, 30_000];

/** A port that nobody listened at a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    const server = createServer();
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen(port, '127.0.0.1', () => done(true));
    });
    await new Promise((done) => server.close(done));
    if (isFree) return port;
  }
}
