import { askFor, prepare } from '../../faults/asking.ts';
import { createMailboxes } from '../../faults/mailboxes.ts';
import { readBooks } from '../../faults/books.ts';
import { companyOf } from '../../faults/ground.ts';
import type { FaultedKind } from '../../faults/kinds.ts';
import { faultsOf } from '../../faults/report.ts';
import { judge } from '../../faults/verdict.ts';
import { openSandbox } from '../../sandbox/sandbox.ts';
import { worldOf } from '../../sandbox/world.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import type { Timings } from '../../src/core/timings.ts';
import { createFailpoints, type Injection } from './failpoints.ts';
import { startRedisProxy } from './redis-proxy.ts';
import { FAST, IMPATIENCE } from './sandbox.ts';
import { takeDatabase } from './shared-redis.ts';
import { until } from './until.ts';

export interface InjectionOptions {
  readonly kind: FaultedKind;
  /** Where and how; without it the road is only walked. */
  readonly at?: { readonly point: string; readonly inject: Injection };
  /** Waits other than those of most tests. */
  readonly timings?: Partial<Timings>;
  /** Guards taken out: parts of the bot put in place of others, and other waits. */
  readonly without?: { readonly faultPoints?: FaultPoints; readonly timings?: Partial<Timings> };
}

export interface Injected {
  /** Every await that was passed since it was asked for. */
  readonly passed: readonly string[];
  readonly isInjected: boolean;
  /** Changing calls that reached the hosting service. */
  readonly calls: number;
  /** Cards and replies ever posted, those taken away again among them. */
  readonly posts: number;
  /** What is wrong in the end; empty for nothing. */
  readonly faults: readonly string[];
}

/** Quick, so that the bot that takes over does so soon. */
export const QUICK: Partial<Timings> = {
  ...FAST,
  ...IMPATIENCE,
  apiTimeoutMs: 900,
  slackTimeoutMs: 500,
  findPostAfterMs: 1_000,
  settleMs: 400,
  staleMs: 200,
  jobLockMs: 400,
  patienceMs: 20_000,
  slowAfterMs: 10_000,
  drainMs: 300,
  cancelWindowMs: 200,
};
const TOKEN = 'struck';
const GUARDLESS_LIMIT_MS = 6_000;
/** What a busy machine is late with comes within this; what does not is stuck. */
const STUCK_AFTER_MS = 120_000;

/** One operation's whole road, the bot interrupted at one of its awaits, and another bot that takes over. */
export async function inject(options: InjectionOptions): Promise<Injected> {
  const { kind, at, without } = options;
  const database = await takeDatabase();
  const sandbox = await openSandbox({
    bot: false,
    timings: { ...QUICK, ...options.timings, ...without?.timings },
    redisUrl: database.url,
    env: { LAMPLIGHTER_ALLOW: '', LAMPLIGHTER_EVERYONE: 'admin' },
    hosting: {
      world: worldOf([]),
      powerMs: 60,
      deleteMs: 60,
      rateLimit: 100_000,
    },
    adapter: { limit: { requests: 100_000, seconds: 60 } },
  });
  const ground = companyOf(sandbox);
  prepare(ground, kind, 1, 'web-1');
  const written = ground.written();
  const proxy = await startRedisProxy(sandbox.redisUrl);
  const failpoints = createFailpoints(at);
  // Without a guard it may never settle, and that is for the verdict to say.
  const settled = async (): Promise<void> =>
    sandbox.settled(without ? GUARDLESS_LIMIT_MS : STUCK_AFTER_MS).catch((error: unknown) => {
      if (!without) throw error;
    });
  const guardless: FaultPoints = without?.faultPoints ?? ((_name, part) => part);
  try {
    await sandbox.startBot({ REDIS_URL: proxy.url }, (name, part) =>
      guardless(name, failpoints.faultPoints(name, part)),
    );
    const atStart = failpoints.passed.length;
    const taken = failpoints.injected.then(async () => {
      if (at?.inject === 'crash') proxy.cut();
      if (at?.inject === 'pause') proxy.freeze();
      if (at?.inject !== 'answer lost') await sandbox.startBot({}, guardless);
    });
    // Where the road ends before it has started, the end says why.
    taken.catch(() => undefined);
    const ana = sandbox.slack.person('ana');
    const asking = {
      kind,
      name: 'web-1',
      token: TOKEN,
      channel: '#ops',
      way: 'command',
      again: false,
    } as const;
    const heard = await askFor(sandbox, createMailboxes(sandbox, ['#ops']), ana, asking);
    const asked = [{ token: TOKEN, instanceId: '1', name: 'web-1', kind, userId: ana.id, ...heard }];
    const isInjected = await Promise.race([
      failpoints.injected.then(() => true),
      settled().then(() => false),
    ]);
    if (isInjected) await taken;
    await settled();
    const posts = (): number =>
      sandbox.slack.channel('#ops').history.filter(({ metadata }) => metadata).length;
    if (at?.inject === 'pause') {
      const before = [written.length, posts()];
      proxy.thaw();
      failpoints.resume();
      // Without its guard the one that slept does harm, however busy the machine is.
      if (without) await soon(() => written.length !== before[0] || posts() !== before[1]);
    }
    await sandbox.stopBots();
    const verdict = judge(await readBooks(sandbox, { asked, looked: [] }, written, ['#ops']));
    return {
      passed: failpoints.passed.slice(atStart),
      isInjected,
      calls: written.length,
      posts: posts(),
      faults: faultsOf({ ...verdict, crashes: [] }),
    };
  } finally {
    proxy.cut();
    await sandbox.close();
    await proxy.stop();
    database.release();
  }
}

/** Resolves once it is so, or at the limit, and the verdict says which. */
function soon(isSo: () => boolean): Promise<void> {
  const end = performance.now() + GUARDLESS_LIMIT_MS;
  return until(() => isSo() || performance.now() >= end);
}
