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

/** A port that nobody listened at a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
