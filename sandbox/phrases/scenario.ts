import type { Timings } from '../../src/core/timings.ts';
import type { Limit } from '../../src/platform/hosting/budget.ts';
import type { Cloud, CloudKind, CloudOptions } from '../clouds/cloud.ts';
import type { HostingSandbox, HostingSandboxOptions } from '../hosting/sandbox.ts';
import type { SlackDouble, SlackDoubleOptions } from '../slack/index.ts';

/** What a scenario can reach besides what people type. */
export interface Backstage {
  readonly slack: SlackDouble;
  /** Reading it throws where the act is played at a cloud. */
  readonly hosting: HostingSandbox;
  readonly cloud: Cloud | undefined;
  readonly redisUrl: string;
  /** Has the bot look at the balance once, and resolves when what that came to stands in Slack. */
  look(): Promise<void>;
  /** It is that moment for the watch of the month: "2026-11-20". */
  setToday(day: string): void;
  /** Has another bot go on in place of this one, with these variables over the act's. */
  replaceBot(env: Readonly<Record<string, string>>): Promise<void>;
}

/** A line as a person types it in the demo, and how its end is known. */
export interface LineStep {
  readonly line: string;
  /** Goes on once a message says these words, and not only when nothing is open any more. */
  readonly until?: string;
  /** Set where only the modal answers, so that an operation may be open. */
  readonly isAnsweredInModal?: true;
}

/** Something that happens without anybody typing. */
export interface HappensStep {
  /** A sentence on it; empty where nobody who reads the messages needs it. */
  readonly happens: string;
  readonly act: (backstage: Backstage) => unknown;
  readonly until?: string;
}

/** A step; text alone is a line after which everything is waited for. */
export type Step = string | LineStep | HappensStep;

/** One state, and how people get to see its messages. */
export interface Scenario {
  /** A sentence on the state. */
  readonly title: string;
  /** Who types; default ana. */
  readonly who?: string;
  /** Where they type; default #ops. */
  readonly where?: string;
  readonly steps: readonly Step[];
}

/** Scenarios that are played one after another in one sandbox. */
export interface Act {
  /** What people talk about: acts of one heading are one page. */
  readonly heading: string;
  readonly hosting?: HostingSandboxOptions;
  /** The cloud that the bot runs in place of the hosting company. */
  readonly service?: CloudKind;
  readonly cloud?: Omit<CloudOptions, 'kind'>;
  /** The moment at which it begins for the watch of the month: "2026-11-20". */
  readonly today?: string;
  readonly slack?: SlackDoubleOptions;
  readonly timings?: Partial<Timings>;
  /** How many calls the bot may make; default as many as it likes. */
  readonly limit?: Limit;
  readonly customer?: string;
  /** How long nothing must happen before a step is over, where the bot acts by itself; default 0. */
  readonly quietMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** What the bot tells the admin by itself at its start, which is waited for and shown nowhere. */
  readonly awaits?: string;
  readonly scenarios: readonly Scenario[];
}

/** A line after which the scenario goes on as soon as a message says `words`. */
export function until(words: string, line: string): LineStep {
  return { line, until: words };
}

/** Something behind the bot's back; with `words` the scenario then waits for a message that says them. */
export function happens(sentence: string, act: HappensStep['act'], words?: string): HappensStep {
  return { happens: sentence, act, ...(words === undefined ? {} : { until: words }) };
}

/** What a bot that nobody may use yet tells its first admin. */
export const WELCOME = "I'm ready";
