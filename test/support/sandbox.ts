import { afterAll, expect, onTestFailed, onTestFinished } from 'vitest';
import { openSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { View } from '../../sandbox/slack/workspace/views.ts';
import { faultsLeftIn } from './redis-keys.ts';
import { saidTwiceIn } from './spoken-labels.ts';
import { takeDatabase } from './shared-redis.ts';
import type { Timings } from '../../src/core/timings.ts';
import { until } from './until.ts';

/** How soon the bot looks, tells and tries again: short, so that a test takes a second where a person would wait a minute. */
const PACE: Partial<Timings> = {
  // What a test does behind the bot's back is seen at once.
  sharedForMs: 0,
  staleMs: 300,
  settleMs: 800,
  // Nobody cancels within it, unless the test is about that.
  cancelWindowMs: 120,
  pollEveryMs: 50,
  postEveryMs: 5,
  editEveryMs: 5,
  sameEditEveryMs: 0,
  progressAfterMs: 0,
  // Each operation has a card of its own, unless the test is about boards.
  ownCards: 1_000,
  boardEveryMs: 4,
  // Each end has its reply, unless the test is about who is mentioned.
  mentionAfterMs: 0,
  sweepEveryMs: 150,
  longestBackOffMs: 2_000,
  // What a test counts is not disturbed by looks at the balance, unless it is about them.
  billingCheckEveryMs: Number.POSITIVE_INFINITY,
  readAgainAfterMs: 20,
  billingRetryMs: 5,
  watchEveryMs: 60,
  unhealthyAfterMs: 200,
  // They look at once when a bot starts; what they would see later is not what most tests are about.
  watchdogEveryMs: 1_000,
  // Files that change are what few tests are about.
  settingsEveryMs: 60_000,
  // What it asks Slack and the service for is not what a test counts.
  checkNamedAfterMs: Number.POSITIVE_INFINITY,
  asksPerMinute: 1_000,
};

/** Longer than a busy machine stands still, and short enough that a test which waits in vain says so itself. */
const PATIENCE_MS = 30_000;

/**
 * How long the bot waits for somebody before it gives up. A test that is about one of them shortens that one, and holds the
 * other side: a machine that is slow must look like nothing else.
 */
const PATIENCE: Partial<Timings> = {
  apiTimeoutMs: PATIENCE_MS,
  slackTimeoutMs: PATIENCE_MS,
  redisAnswerMs: PATIENCE_MS,
  writeDownWithinMs: PATIENCE_MS,
  // As much as is taken off the time after which a call counts as lost.
  sendWithinMs: 1_000,
  findPostAfterMs: PATIENCE_MS + 1_000,
  slowAfterMs: PATIENCE_MS,
  patienceMs: PATIENCE_MS,
  noticeAfterMs: PATIENCE_MS,
  jobLockMs: PATIENCE_MS,
  drainMs: PATIENCE_MS,
};

/** The waits of the bots of most tests. */
export const FAST: Partial<Timings> = { ...PACE, ...PATIENCE };

/** What Slack loses is given up and looked up soon. */
export const SOON_FOUND: Partial<Timings> = { slackTimeoutMs: 1_000, findPostAfterMs: 2_000 };

/** Waits of a bot in tests of what is lost and of who is gone: each of those takes as long as somebody is waited for. */
export const IMPATIENCE: Partial<Timings> = {
  apiTimeoutMs: 1_500,
  slackTimeoutMs: 2_500,
  redisAnswerMs: 800,
  writeDownWithinMs: 1_000,
  sendWithinMs: 400,
  findPostAfterMs: 3_000,
  slowAfterMs: 1_500,
  patienceMs: 3_000,
  noticeAfterMs: 250,
  jobLockMs: 800,
  drainMs: 3_000,
};

/** Most of these files are about such things, and none of them stands in the way of a commit. */
const isImpatient = (): boolean =>
  /\.(?:long|chaos|browser)\.test\.ts$/.test(expect.getState().testPath ?? '');

export interface PlayOptions extends SandboxOptions {
  /** Whether it has a Redis of its own, which the test may kill and set. */
  readonly ownRedis?: boolean;
  /** Whether the test has Slack refuse the bot something; else a refusal fails it. */
  readonly isRefused?: boolean;
}

/** So many lines of the bot's log say why a test failed. */
const LOGGED = 30;

/** A sandbox with fast timings. */
interface Played {
  readonly sandbox: Sandbox;
  /** Expects that Slack has taken all that the bot sent, and that no message has two buttons that sound the same. */
  check(): void;
  /** Closes it, and expects that each key that is left in Redis has its row in docs/redis-keys.md. */
  close(): Promise<void>;
}

/**
 * A sandbox with fast timings, closed after the test, in which Slack has taken all that the bot sent, no message has two
 * buttons that sound the same, and each key that is left in Redis has its row in docs/redis-keys.md. The API's budget is out of the way unless asked for.
 */
export async function play(options: PlayOptions = {}): Promise<Sandbox> {
  const { sandbox, check, close } = await open(options);
  tellLogOfFailed(sandbox);
  onTestFinished(async () => {
    await close();
    check();
  });
  return sandbox;
}

/**
 * What gives the same sandbox to each test of this file or `describe` that asks for it, for those that leave nothing behind
 * which another would notice. Opened by the first that asks, looked at as that of `play` after each, and closed after all. A test that
 * runs on a cluster as well has it in a `describe` without others: a cluster has room for one sandbox.
 */
export function playTogether(options: PlayOptions = {}): () => Promise<Sandbox> {
  let played: Promise<Played> | undefined;
  afterAll(async () => (await played)?.close());
  return async () => {
    const { sandbox, check } = await (played ??= open(options));
    tellLogOfFailed(sandbox);
    onTestFinished(check);
    return sandbox;
  };
}

async function open({ ownRedis = false, isRefused = false, ...options }: PlayOptions): Promise<Played> {
  const database = ownRedis ? undefined : await takeDatabase();
  const sandbox = await openSandbox({
    ...options,
    // Shared, and fit all the same: nothing needs to be allowed.
    ...(database && {
      redisUrl: database.url,
      env: { LAMPLIGHTER_ALLOW: '', REDIS_URL: database.urlOfBot, ...options.env },
    }),
    timings: {
      ...FAST,
      // BullMQ waits in vain for what it asked a Redis that was away, and takes all the time that there is to end.
      ...(ownRedis && { drainMs: IMPATIENCE.drainMs }),
      ...(isImpatient() && IMPATIENCE),
      ...options.timings,
    },
    slack: { deadlineMs: PATIENCE_MS, ...options.slack },
    hosting: { powerMs: 250, restartsAreShown: true, deleteMs: 100, rateLimit: 100_000, ...options.hosting },
    adapter: { limit: { requests: 100_000, seconds: 60 }, ...options.adapter },
  });
  let checked = 0;
  return {
    sandbox,
    check: () => {
      const { calls, refusals } = sandbox.slack;
      const from = checked;
      checked = calls.length;
      if (!isRefused) expect(refusals).toEqual([]);
      expect(saidTwiceIn(calls.slice(from))).toEqual([]);
    },
    close: async () => {
      await sandbox.close();
      // A Redis of its own may have been killed, and is gone by now.
      if (database) expect(await faultsLeftIn(database.redis)).toEqual([]);
      database?.release();
    },
  };
}

/** What the bot logged last says why a test waited in vain. */
function tellLogOfFailed(sandbox: Sandbox): void {
  onTestFailed(() => void process.stderr.write(sandbox.logs.slice(-LOGGED).join('')));
}

/** Where the bot in this process listens for HTTP, from its own log. */
export function urlOf(sandbox: Sandbox, path: string): string {
  const port = /"port":(\d+)/.exec(sandbox.logs.join(''))?.[1];
  return `http://127.0.0.1:${port}${path}`;
}

/** Resolves once the bot says that it is ready. */
export function ready(sandbox: Sandbox): Promise<void> {
  return until(async () => (await fetch(urlOf(sandbox, '/readyz'))).status === 200);
}

/** What everybody reads in #ops: each message as a person sees it. */
export function readAll(sandbox: Sandbox, channel = '#ops'): string[] {
  return botMessages(sandbox, channel).map((message) => sandbox.slack.read(message));
}

const FACT =
  /^(?:🗞️ )?@\w+ (?:changed the alerts|chose this channel|turned the (?:alerts|digest)|set the digest)/;

/** Whether a text says what somebody has set of the alerts or the digest. */
export function isFact(text: string): boolean {
  return FACT.test(text);
}

/** What everybody reads in a channel, but for what somebody has set. */
export function readNews(sandbox: Sandbox, channel = '#ops'): string[] {
  return readAll(sandbox, channel).filter((text) => !isFact(text));
}

/** The bot's messages that everybody sees. */
export function botMessages(sandbox: Sandbox, channel = '#ops'): PostedMessage[] {
  return sandbox.slack.channel(channel).messages.filter((message) => message.bot_id !== undefined);
}

/** What the bot has said to one person alone, as they read it. */
export function privateTexts(sandbox: Sandbox, who: string, channel = '#ops'): string[] {
  return sandbox.slack
    .channel(channel)
    .ephemeralFor(who)
    .filter((message) => !message.deleted)
    .map((message) => sandbox.slack.read(message));
}

/** Power calls that reached the hosting service. */
export function powerCalls(sandbox: Sandbox, power?: string): number {
  return sandbox.hosting.countCalls('POST', new RegExp(`/${power ?? '(start|stop|restart)'}$`));
}

/** Deletions of instances that reached the hosting service, answered or not. */
export function deleteCalls(sandbox: Sandbox): number {
  return sandbox.hosting.countCalls('DELETE', /\/instances\/[^/]+$/);
}

/** Types a line, and resolves once all that came of it has ended. */
export async function runToEnd(sandbox: Sandbox, who: string, line: string): Promise<void> {
  await sandbox.slack.person(who).types('#ops', line);
  await sandbox.settled();
}

/** Types a line that opens a modal, and gives it once it stands open. */
export async function opensModal(
  sandbox: Sandbox,
  who: string,
  line: string,
  channel = '#ops',
): Promise<View> {
  const person = sandbox.slack.person(who);
  const before = person.views.at(-1);
  await person.types(channel, line);
  return sandbox.slack.until(() => person.views.at(-1) !== before && person.views.at(-1));
}

/** Has somebody delete an instance, up to the submitted modal. */
export async function deletes(sandbox: Sandbox, name = 'web-1', who = 'admin'): Promise<void> {
  const modal = await opensModal(sandbox, who, `/instances delete ${name}`);
  await sandbox.slack.person(who).submits(modal, { typed: name });
}

/** The first message that only `who` sees whose words contain `words`, once it is there. */
export async function privateMessage(sandbox: Sandbox, who: string, words: string): Promise<PostedMessage> {
  const { slack } = sandbox;
  return slack.until(() =>
    slack
      .channel('#ops')
      .ephemeralFor(who)
      .find((message) => !message.deleted && slack.read(message).includes(words)),
  );
}

/** Changes of add-ons that reached the hosting service: POST buys, DELETE cancels. */
export function addonCalls(sandbox: Sandbox, method: 'POST' | 'DELETE'): number {
  return sandbox.hosting.countCalls(method, /\/addons(\/[^/]+)?$/);
}

/** Types a line and gives the first message that the bot answers it with, to that person alone. */
export async function answeredWith(sandbox: Sandbox, who: string, line: string): Promise<PostedMessage> {
  const interaction = await sandbox.slack.person(who).types('#ops', line);
  return sandbox.slack.until(() => interaction.ephemeral[0]);
}

/** The label of the button that turns a page of a list, which may say how many the page has: "Next 40". */
export function turning(sandbox: Sandbox, message: PostedMessage, way: 'Next' | 'Previous'): string {
  return new RegExp(`\\[ (${way}(?: \\d+)?) \\]`).exec(sandbox.slack.read(message))?.[1] ?? way;
}

/** What somebody is answered, as they read it. */
export async function answerTo(sandbox: Sandbox, who: string, line: string): Promise<string> {
  return sandbox.slack.read(await answeredWith(sandbox, who, line));
}
