import { onTestFinished } from 'vitest';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import { createFailpoints, type Injection } from './failpoints.ts';
import { QUICK } from './inject.ts';
import { startRedisProxy } from './redis-proxy.ts';

/** What a bot does by itself, or is asked for, up to where it is reported. */
export interface Road {
  readonly opened?: SandboxOptions;
  /** What is so before any bot runs. */
  readonly given?: ((sandbox: Sandbox) => void) | undefined;
  /** What a bot has done before that is not interrupted, and is stopped then. */
  readonly before?: (sandbox: Sandbox) => Promise<unknown>;
  /** Parts of every bot put in place of its own. */
  readonly parts?: FaultPoints;
  /** What leads along it, where nothing does that was done before. */
  readonly asks?: (sandbox: Sandbox) => Promise<unknown>;
  /** Resolves once it is reported, be it by the bot that takes over. */
  readonly isReported: (sandbox: Sandbox) => Promise<unknown>;
  /** Makes it over, and resolves once whatever was still to be reported is. */
  readonly end: (sandbox: Sandbox) => Promise<unknown>;
}

/** So many lines of the bot's log say why a test failed. */
const LOGGED = 30;

/** Walks a road to its end, the bot interrupted at one of its awaits, and another bot that takes over. Gives what is read then. */
export async function walk(road: Road, point: string, way: Injection): Promise<Sandbox> {
  const { opened, given, before, parts = (_name, part) => part, asks, isReported, end } = road;
  const sandbox = await openSandbox({
    adapter: { limit: { requests: 100_000, seconds: 60 } },
    ...opened,
    bot: false,
    timings: { ...QUICK, ...opened?.timings },
  });
  const proxy = await startRedisProxy(sandbox.redisUrl);
  const failpoints = createFailpoints({ point, inject: way });
  try {
    given?.(sandbox);
    if (before) {
      await sandbox.startBot({}, parts);
      await before(sandbox);
      await sandbox.stopBots();
    }
    await sandbox.startBot({ REDIS_URL: proxy.url }, (name, part) =>
      failpoints.faultPoints(name, parts(name, part)),
    );
    // What asked may be cut off with it.
    void asks?.(sandbox).catch(() => undefined);
    await failpoints.injected;
    if (way === 'crash') proxy.cut();
    if (way === 'pause') proxy.freeze();
    if (way !== 'answer lost') await sandbox.startBot({}, parts);
    await isReported(sandbox);
    if (way === 'pause') {
      proxy.thaw();
      failpoints.resume();
    }
    await end(sandbox);
    await sandbox.stopBots();
    return sandbox;
  } catch (error) {
    process.stderr.write(`${point}, ${way}:\n${sandbox.logs.slice(-LOGGED).join('')}`);
    throw error;
  } finally {
    proxy.cut();
    await sandbox.close();
    await proxy.stop();
  }
}

/** Starts a bot that is killed at one of its awaits, with `around` about its fault points. Gives what resolves once it is. */
export async function startKilled(
  sandbox: Sandbox,
  point: string,
  around: (faultPoints: FaultPoints) => FaultPoints = (own) => own,
): Promise<{ readonly killed: Promise<void> }> {
  const proxy = await startRedisProxy(sandbox.redisUrl);
  onTestFinished(() => proxy.stop());
  const { faultPoints, injected } = createFailpoints({ point, inject: 'crash' });
  await sandbox.startBot({ REDIS_URL: proxy.url }, around(faultPoints));
  return { killed: injected.then(() => proxy.cut()) };
}
