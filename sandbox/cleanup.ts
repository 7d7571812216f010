import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';

/**
 * What a process of the sandbox starts ends with it: at its exit, and at the signals that would end it without one. Only a
 * SIGKILL of the process itself leaves something behind.
 */
const children = new Set<ChildProcess>();
const folders = new Set<string>();
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
const POLL_EVERY_MS = 250;

/** Has a child killed when this process ends before it. */
export function killAtExit(child: ChildProcess): void {
  watchForTheEnd();
  children.add(child);
  child.once('exit', () => children.delete(child));
}

/** Has a folder removed when this process ends. Gives what removes it before. */
export function removeAtExit(folder: string): () => void {
  watchForTheEnd();
  folders.add(folder);
  return () => {
    folders.delete(folder);
    remove(folder);
  };
}

/**
 * Ends this process soon after the npm that runs it. npm hands SIGHUP on to nobody, and it can be killed itself: then
 * nothing else tells its script that the terminal is gone.
 */
export function endWithNpm(): void {
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const npm = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== npm) process.exit(1);
  }, POLL_EVERY_MS);
  timer.unref();
}

let isWatching = false;

function watchForTheEnd(): void {
  if (isWatching) return;
  isWatching = true;
  process.once('exit', cleanUp);
  for (const signal of SIGNALS) {
    process.once(signal, () => {
      cleanUp();
      // A process that waits for this one sees which signal ended it.
      process.kill(process.pid, signal);
    });
  }
}

function cleanUp(): void {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) remove(folder);
}

function remove(folder: string): void {
  // A server that was killed a moment ago may still close a file in it.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}
