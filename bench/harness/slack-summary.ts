import type { SlackDouble } from '../../sandbox/slack/index.ts';
import { percentile } from './stats.ts';

type Call = SlackDouble['calls'][number];

/** What was said to Slack in a round; counts of calls for each restart. */
export interface SlackSummary {
  /** Posts and edits, those answered with 429 included. */
  readonly messageCalls: number;
  /** How many were answered with 429, in all. */
  readonly limited: number;
  /** How many restarts are not shown as ended. */
  readonly notShown: number;
  /** From the end at the host to the message that shows it, in seconds; NaN where none is shown. */
  readonly shownP95S: number;
}

const END = /(?:Restarted|✅)[^✅]{0,60}?((?:box|other)-\d+)/g;
/** What a board says of ends that have no line of their own. */
const ENDS = /✅ done: ([^✅❌❔⏳⚪]*)/gu;
const NAME = /(?:box|other)-\d+/g;

/** Pure: reads what the bot said to Slack of restarts. `names`: of which instances; `settledAt`: when each was running again, Unix ms. */
export function summarize(
  calls: readonly Call[],
  names: readonly string[],
  settledAt: ReadonlyMap<string, number>,
): SlackSummary {
  const said = calls.filter(({ method, ok }) => ok === true && method.startsWith('chat.'));
  const shownAt = findShown(said);
  const delaysS = names.flatMap((name) => {
    const [settled, shown] = [settledAt.get(name), shownAt.get(name)];
    return settled === undefined || shown === undefined ? [] : [(shown - settled) / 1_000];
  });
  return {
    messageCalls: calls.filter(({ method }) => method.startsWith('chat.')).length / names.length,
    limited: calls.filter(({ error }) => error === 'ratelimited').length,
    notShown: names.filter((name) => !shownAt.has(name)).length,
    shownP95S: percentile(delaysS, 0.95),
  };
}

/** Pure: when the end of each restart reached Slack first, Unix ms, by the name of the instance. */
export function findShown(said: readonly Call[]): ReadonlyMap<string, number> {
  const shownAt = new Map<string, number>();
  for (const { args, at } of said) {
    const words = wordsOf(args);
    const alone = [...words.matchAll(END)].map(([, name = '']) => name);
    const together = [...words.matchAll(ENDS)].flatMap(([, names = '']) => names.match(NAME) ?? []);
    for (const name of [...alone, ...together]) if (!shownAt.has(name)) shownAt.set(name, at);
  }
  return shownAt;
}

/** All text in a message. */
function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(' ');
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, inner]) => (typeof inner === 'string' ? (key === 'text' ? inner : '') : wordsOf(inner)))
    .join(' ');
}
