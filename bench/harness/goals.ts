/** What a figure should be. */
export interface Goal {
  readonly id: string;
  /** What is divided by what, or counted. */
  readonly what: string;
  /** Whether a figure reaches the goal by being at most this, or at least. */
  readonly wanted: 'at most' | 'at least';
  readonly bar: number;
  /** What to aim for beyond it. */
  readonly stretch?: number;
  readonly unit: '×' | '' | 's' | 'ms' | 'MiB';
}

const atMost = (id: string, what: string, bar: number, stretch?: number, unit: Goal['unit'] = '×'): Goal => ({
  id,
  what,
  wanted: 'at most',
  bar,
  ...(stretch === undefined ? {} : { stretch }),
  unit,
});
const atLeast = (...words: Parameters<typeof atMost>): Goal => ({ ...atMost(...words), wanted: 'at least' });

/** A restart alone once cost 512 commands. */
const QUARTER = 128;

/** Every goal, in the order of docs/performance.md. */
export const GOALS: readonly Goal[] = [
  atLeast(
    'G1 unknown word',
    'acknowledgements for the same CPU, an unknown word / bare Bolt, one command',
    1.4,
    1.6,
  ),
  atLeast('G1 help', 'acknowledgements for the same CPU, help / bare Bolt, one command', 1.4, 1.6),
  atLeast(
    'G1 written down',
    'acknowledgements for the same CPU, a restart written down first / bare Bolt, one command',
    1.4,
    1.6,
  ),
  atLeast(
    'G2',
    'acknowledgements for the same CPU, an unknown word / Bolt with as many handlers registered one by one',
    5,
    6,
  ),
  atMost('G3', 'CPU of the acknowledgement of an unknown word / raw node:http with HMAC and parse', 3, 2.5),
  atMost('G4', 'CPU of an acknowledgement with 50 more verbs / without', 1.25, 1.1),
  atMost('G5 raw', 'acknowledgement p99 at 500 commands a second / raw node:http', 1.5, 1.25),
  atMost('G5 Bolt', 'acknowledgement p99 at 500 commands a second / Bolt + Pool + default WebClient', 0.4),
  atMost('G6', 'CPU of /instances, end to end / Bolt + Pool + zod + default WebClient', 0.4, 0.27),
  atMost('G7', 'CPU of /instances, end to end / raw node:http', 2.1, 1.6),
  atMost('G8', 'validation of 1,000 instances / JSON.parse of the same bytes', 0.35, 0.2),
  atMost('G9', 'CPU of a poll, bot and Redis, at 1,000 pending / BullMQ, re-delay and updateData', 0.2, 0.12),
  atMost('G10', 'commands from the bot to Redis for a look, at 1,000 pending', 0.05, 0.02, ''),
  atMost('G11', '10,000 due at once until all are looked at / BullMQ, concurrency 200', 0.25, 0.1),
  atMost('G12', 'bytes in Redis of a pending operation / a delayed job of BullMQ', 0.5, 0.4),
  atMost('G13 learned', 'calls + mean delay / optimum of the kind, 20 samples known', 1.1, 1.06),
  atMost('G13 cold', 'calls + mean delay / optimum of the kind, nothing known', 1.45, 1.4),
  atMost('G14', 'calls of an operation / a fixed interval of the same mean delay', 0.6, 0.52),
  atMost('G15', "p95 of the delay / the optimum's at the same calls, 20 samples known", 1.1, 1.02),
  atMost(
    'G16',
    'calls a second at 10,000 pending in one account of 10,000; only says something where looks keep up',
    55,
    50,
    '',
  ),
  atMost('G17', 'calls in two seconds above the pages of the list, 10,000 pending', 0, 0, ''),
  atMost('G18 alone', 'posts and edits of a restart alone', 2, 2, ''),
  atMost('G18 at 20', 'posts and edits of each restart, 20 at once in one channel', 1, 0.85, ''),
  atMost('G18 at 500', 'posts and edits of each restart, 500 at once in one channel', 0.15, 0.1, ''),
  atMost('G19 limited', 'answers 429, 500 restarts at once in 10 channels', 0, 0, ''),
  atMost('G19 shown', 'settled to shown, p95, 500 restarts at once in 10 channels', 3, 2.5, 's'),
  atMost('G20', 'post in another channel, p95, among 60 in one / alone', 2, 1.5),
  atMost('G20 at 500', 'post in another channel, p95, among 500 in one / alone', 2, 1.5),
  atMost('G21', 'RSS after 10,000 commands / bare Bolt', 1, 0.9),
  atMost('G21 pending', 'RSS at 10,000 pending / idle', 1.5, 1.3),
  atMost('G21 Redis', 'memory of Redis for 10,000 pending', 5, 3.5, 'MiB'),
  atMost('G22', 'start to listening / the same app from its compiled files', 0.65, 0.55),
  atMost('G23 connections', 'connections for four calls, 6 s apart', 1, 1, ''),
  atMost('G23 auth.test', 'calls of auth.test in 1,000 commands', 1, 1, ''),
  atMost(
    'Redis commands alone',
    'Redis commands of one restart alone, those in scripts included',
    QUARTER,
    undefined,
    '',
  ),
  atMost('Redis commands at 60', 'Redis commands of each restart, 60 at once', QUARTER, undefined, ''),
  atMost('Redis commands at 500', 'Redis commands of each restart, 500 at once', QUARTER, undefined, ''),
  atMost('CPU alone', 'CPU of bot and Redis of one restart alone / an in-memory bot', 1.5),
  atMost('CPU at 60', 'CPU of bot and Redis of each restart, 60 at once / an in-memory bot', 1.5),
  atMost('CPU at 500', 'CPU of bot and Redis of each restart, 500 at once / an in-memory bot', 1.5),
  atMost('60 limited', 'answers 429, 60 restarts at once in one channel', 30, undefined, ''),
  atMost('60 calls', 'Slack calls of each restart, 60 at once in one channel', 3, undefined, ''),
  atMost('60 not mentioned', 'people not mentioned at the end, 60 at once in one channel', 0, undefined, ''),
  atMost('500 not ended', 'restarts not shown as ended, 500 at once in one channel', 0, undefined, ''),
  atMost('500 calls', 'Slack calls of each restart, 500 at once in one channel', 0.15, undefined, ''),
  atMost('500 shown', 'settled to shown, p95, 500 restarts at once in one channel', 5, undefined, 's'),
  atMost(
    'host limit refused',
    'restarts not done of 500 at once, the host taking 100 calls a minute',
    0,
    undefined,
    '',
  ),
  atMost(
    'pages refused',
    'commands not answered of fifteen, 5,000 instances, 100 calls a minute',
    0,
    undefined,
    '',
  ),
  atMost('rate shown', 'settled to shown, p95, 1,000 restarts at 100 a second', 5, undefined, 's'),
];

/** Whether a figure reaches its goal. */
export function isReached({ wanted, bar }: Goal, value: number): boolean {
  return wanted === 'at most' ? value <= bar : value >= bar;
}

/** The goal with an id. Throws where there is none. */
export function getGoal(id: string): Goal {
  const goal = GOALS.find((one) => one.id === id);
  if (!goal) throw new Error(`there is no goal ${id}`);
  return goal;
}
