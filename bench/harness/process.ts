import { type ChildProcess, spawn } from 'node:child_process';
import { killAtExit } from '../../sandbox/cleanup.ts';
import { cpuMsOf, rssMibOf } from './cpu.ts';
import { type Core, pinned } from './machine.ts';

/** A process of a benchmark: the bot, a peer, the load. */
export interface BenchProcess {
  readonly pid: number;
  readonly port: number;
  /** From its start to its readiness, in ms. */
  readonly startMs: number;
  /** The CPU time that it has used, in ms. */
  cpuMs(): number;
  /** Its resident memory, in MiB. */
  rssMib(): number;
  /** Ends it; resolves once it is gone. */
  stop(): Promise<void>;
}

export interface ProcessOptions {
  readonly name: string;
  /** The words after `node`. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly core: Core;
}

/** Says that it is ready, and where it listens, if it does. */
const READY = '"msg":"ready"';
const PORT = /"port":(\d+)/;
const START_LIMIT_MS = 30_000;
const KEPT_OUTPUT = 64_000;

/** Starts a process pinned to its core. Rejects with what it wrote where it ends, or isn't ready in time. */
export async function startProcess({ name, words, env, core }: ProcessOptions): Promise<BenchProcess> {
  const [program = '', ...args] = pinned(core, [process.execPath, ...words]);
  const started = performance.now();
  const child = spawn(program, args, {
    env: { PATH: pathOf(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killAtExit(child);
  let output = '';
  let port = 0;
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string): void => {
      child.kill('SIGKILL');
      reject(new Error(`${name} ${why}: ${output}`));
    };
    const timer = setTimeout(() => fail(`is not ready after ${START_LIMIT_MS} ms`), START_LIMIT_MS);
    let isReady = false;
    const read = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-KEPT_OUTPUT);
      if (isReady) return;
      port = Number(PORT.exec(output)?.[1] ?? port);
      if (!output.includes(READY)) return;
      isReady = true;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      fail(`ended with ${code ?? signal}`);
    });
  });
  const startMs = performance.now() - started;
  const pid = child.pid ?? 0;
  return {
    pid,
    port,
    startMs,
    cpuMs: () => cpuMsOf(pid),
    rssMib: () => rssMibOf(pid),
    stop: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await gone;
}

function pathOf(): string {
  // How a program is found is the shell's business, not configuration of the bot.
  return process.env['PATH'] ?? '';
}
