import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { askUntil } from '../support/until.ts';
import {
  botMessages,
  play,
  type PlayOptions,
  playTogether,
  privateTexts,
  readAll,
} from '../support/sandbox.ts';

export const OPS = 'C0OPS000001';
const SUMMARY = /\/billing\/summary$/;
/** Looks at the balance follow each other closely, and the card is edited at each. */
const TICK = { billingCheckEveryMs: 40, alertFreshMs: 0, sweepEveryMs: 50 };
/** What the instances of harbour cost a day. */
const PER_DAY = 667;

/** A sandbox whose bot looks at the balance all the time, and alerts in #ops. */
export async function watch(options: PlayOptions = {}): Promise<Sandbox> {
  return play(watching(options));
}

/** The same for several tests, as `playTogether` is. */
export function watchTogether(options: PlayOptions = {}): () => Promise<Sandbox> {
  return playTogether(watching(options));
}

function watching(options: PlayOptions): PlayOptions {
  return {
    ...options,
    env: { LAMPLIGHTER_EVERYONE: 'finance', BILLING_CHANNELS: OPS, ...options.env },
    timings: { ...TICK, ...options.timings },
  };
}

/** Sets the balance of harbour to so many days of what it costs. */
export function setDays(sandbox: Sandbox, days: number): void {
  sandbox.hosting.setBalance('harbour', Math.round(days * PER_DAY));
}

/**
 * How it is said that the balance lasts about so many days: as a number, or as a range around it where days differ, which hangs on
 * the weekday and the hour.
 */
export function aboutLeft(days: number): string {
  const oneOf = (from: number, to: number): string =>
    `(?:${Array.from({ length: to - from + 1 }, (_, index) => from + index).join('|')})`;
  const likely = oneOf(days - 1, days + 1);
  const range = `${oneOf(days - 2, days)} to ${oneOf(days, days + 3)}`;
  return `about (?:${likely} days left|${range} days left \\(most likely ${likely})`;
}

/** Waits until so many messages in a channel match. */
export async function reads(
  sandbox: Sandbox,
  what: RegExp,
  { count = 1, where = '#ops' } = {},
): Promise<string[]> {
  const matching = (): string[] => readAll(sandbox, where).filter((text) => what.test(text));
  try {
    await sandbox.slack.until(() => matching().length >= count);
  } catch {
    throw new Error(`nothing reads ${String(what)}:\n${readAll(sandbox, where).join('\n--\n')}`);
  }
  return matching();
}

/** Waits until the bot has looked at the balance so often more. */
export async function looks(sandbox: Sandbox, count = 3): Promise<void> {
  const { events } = sandbox.hosting;
  let left = count;
  await new Promise<void>((resolve) => {
    const seen = (call: { path: string }): void => {
      if (!SUMMARY.test(call.path) || --left > 0) return;
      events.off('call', seen);
      resolve();
    };
    events.on('call', seen);
  });
}

/** The first message in a channel that matches; throws where there is none. */
export function find(sandbox: Sandbox, what: RegExp, where = '#ops'): PostedMessage {
  const message = botMessages(sandbox, where).find((one) => what.test(sandbox.slack.read(one)));
  if (!message) throw new Error(`nothing reads ${String(what)}\n${readAll(sandbox, where).join('\n--\n')}`);
  return message;
}

/** What the bot wrote to somebody directly, as they read it. */
export function dmsOf(sandbox: Sandbox, who: string): string[] {
  return sandbox.slack.person(who).dms.map((message) => sandbox.slack.read(message));
}

/** Types a line and gives the answer that only the person sees. */
export async function asks(sandbox: Sandbox, line: string, who = 'fin', where = '#ops'): Promise<string> {
  const before = privateTexts(sandbox, who, where).length;
  await sandbox.slack.person(who).types(where, line);
  await sandbox.slack.until(() => privateTexts(sandbox, who, where).length > before);
  return privateTexts(sandbox, who, where).at(-1) ?? '';
}

/** Asks for the settings of alerts until they say that; gives what they say then. */
export async function says(sandbox: Sandbox, words: string): Promise<string> {
  return askUntil(
    () => asks(sandbox, '/billing alerts'),
    (text) => text.includes(words),
  );
}
