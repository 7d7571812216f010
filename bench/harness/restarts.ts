import type { Sandbox } from '../../sandbox/sandbox.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { requestKeys } from '../../src/core/ask/ask.ts';
import { startPeer } from './bots.ts';
import { checkAllShown, checkSignatures } from './checks.ts';
import type { BenchProcess } from './process.ts';
import { startUnlimited } from './product.ts';
import { commandsSince, watchRedis } from './redis.ts';
import type { Metrics } from './rounds.ts';
import { channelOf, idsOf, nameOf, nameOfId, openWorld, personOf, type WorldSize } from './restart-world.ts';
import { summarize } from './slack-summary.ts';
import { wait } from './stats.ts';

const POLL_EVERY_MS = 50;
const QUIET_LIMIT_MS = 10_000;

/** What is restarted, among what, and by which bot. */
export interface Setup extends WorldSize {
  /** How the restarts of a round are asked for: all at once, or each once the one before has ended. */
  readonly pace: 'at once' | 'one by one';
  readonly bot: 'the bot' | 'in-memory bot';
  /** A round that has not ended by then is cut off. */
  readonly limitMs: number;
}

/** A bot among doubles, ready to be measured. */
export interface Restarts {
  readonly sandbox: Sandbox;
  readonly bot: BenchProcess;
  /**
   * Restarts every instance once and gives the figures, those of cost for each restart. `meanwhile` runs beside it. Rejects
   * with a CheckError where the bot left one not shown as ended.
   */
  round(meanwhile?: () => Promise<void>): Promise<Metrics>;
  close(): Promise<void>;
}

/** What the parts of a measurement share. */
interface Opened {
  readonly setup: Setup;
  readonly sandbox: Sandbox;
  readonly bot: BenchProcess;
  readonly redis: ReturnType<typeof watchRedis>;
}

/** Starts a bot among doubles, checks that it takes right requests and refuses wrong ones. */
export async function openRestarts(setup: Setup): Promise<Restarts> {
  const { bot: kind } = setup;
  const sandbox = await openWorld(setup);
  if (!sandbox.redis) throw new Error('the sandbox has no Redis of its own');
  const redis = watchRedis(sandbox.redis);
  const bot = await (kind === 'the bot'
    ? startUnlimited(sandbox.env)
    : startPeer(kind, 'memory-bot', sandbox.env));
  const url = `http://127.0.0.1:${bot.port}/slack/events`;
  await checkSignatures(kind, url, `${sandbox.env['SLACK_API_URL'] ?? ''}respond`);
  sandbox.slack.connect({ requestUrl: url });
  const opened = { setup, sandbox, bot, redis };
  await settle(opened, performance.now() + QUIET_LIMIT_MS, 0);
  return {
    sandbox,
    bot,
    round: (meanwhile) => measureRound(opened, meanwhile),
    close: async () => {
      await bot.stop();
      redis.close();
      await sandbox.close();
    },
  };
}

async function measureRound(opened: Opened, meanwhile?: () => Promise<void>): Promise<Metrics> {
  const { setup, sandbox, bot, redis } = opened;
  const { slack, hosting } = sandbox;
  const { restarts } = setup;
  await forget(opened);
  const settledAt = new Map<string, number>();
  const note = ({ instanceId, to, at }: { instanceId: number; to: string; at: number }): void => {
    if (to === 'running') settledAt.set(nameOfId(instanceId), at);
  };
  let hostingCalls = 0;
  const count = (): void => void (hostingCalls += 1);
  hosting.events.on('status', note).on('call', count);
  const slackBefore = slack.calls.length;
  const commandsBefore = await redis.commands();
  const cpuMs = (): number => bot.cpuMs() + redis.cpuMs();
  const cpuBeforeMs = cpuMs();
  const until = performance.now() + setup.limitMs;
  const [looks] = await Promise.all([restartAll(opened, until), meanwhile?.()]);
  const cost = {
    cpuMs: (cpuMs() - cpuBeforeMs) / restarts,
    commands: (commandsSince(commandsBefore, await redis.commands()) - looks) / restarts,
    hostingCalls: hostingCalls / restarts,
  };
  hosting.events.off('status', note).off('call', count);
  const names = idsOf(setup).map(nameOfId);
  const { notShown, ...said } = summarize(slack.calls.slice(slackBefore), names, settledAt);
  checkAllShown(setup.bot, notShown);
  return { ...cost, ...said };
}

/** The bot asks before it restarts again what was restarted a moment ago. */
async function forget({ setup, redis }: Opened): Promise<void> {
  await redis.client.del(idsOf(setup).map((id) => operationKeys.past(String(id))));
}

/** Restarts all; resolves once all have ended or time is up, with how many commands that looking sent to Redis. */
async function restartAll(opened: Opened, until: number): Promise<number> {
  const { setup, sandbox } = opened;
  const { restarts, channels, pace } = setup;
  const asked: Promise<unknown>[] = [];
  const repliesBefore = countReplies(sandbox);
  let looks = 0;
  for (let index = 0; index < restarts; index++) {
    const person = sandbox.slack.person(personOf(index));
    const command = `/instances restart ${nameOf(index)} --because x`;
    const typed = person.types(`#${channelOf(index % channels)}`, command);
    asked.push(typed);
    if (pace === 'at once') continue;
    await typed;
    looks += await settle(opened, until, repliesBefore + index + 1);
  }
  await Promise.all(asked);
  return looks + (await settle(opened, until, repliesBefore + restarts));
}

/** Resolves once nothing is open, or time is up, with how many commands that looking sent to Redis. */
async function settle({ setup, sandbox, redis }: Opened, until: number, replies: number): Promise<number> {
  for (let looks = 0; ;) {
    if (performance.now() > until) return looks;
    if (setup.bot === 'in-memory bot') {
      if (countReplies(sandbox) >= replies) return 0;
    } else {
      looks += 2;
      const open = await Promise.all([
        redis.client.zcard(requestKeys.open),
        redis.client.zcard(operationKeys.open),
      ]);
      if (open.every((count) => count === 0)) return looks;
    }
    await wait(POLL_EVERY_MS);
  }
}

function countReplies({ slack }: Sandbox): number {
  const isReply = ({ method, args, ok }: (typeof slack.calls)[number]): boolean =>
    ok === true && method === 'chat.postMessage' && args['thread_ts'] !== undefined;
  return slack.calls.filter(isReply).length;
}
