/** One figure of a goal, and what it should be at most or at least. */
export interface Target {
  readonly id: string;
  /** What is divided by what, or counted. */
  readonly what: string;
  readonly wanted: 'at most' | 'at least';
  readonly bar: number;
  readonly unit: '×' | '' | 's' | 'MiB';
  /** Why it may not be reached: read from the code, not from a profile. */
  readonly why?: string;
}

/** Something that people, Slack or the host feel. */
interface Goal {
  readonly name: string;
  readonly felt: string;
  readonly targets: readonly Target[];
}

const atMost = (id: string, bar: number, unit: Target['unit'], what: string, why?: string): Target => ({
  id,
  what,
  wanted: 'at most',
  bar,
  unit,
  ...(why === undefined ? {} : { why }),
});
const atLeast = (...words: Parameters<typeof atMost>): Target => ({
  ...atMost(...words),
  wanted: 'at least',
});

const WRITTEN = 'What the process does with nothing to do counts too, and each step is written down.';
const AS_ABOVE = 'As above.';

/** Every goal, in the order of docs/performance.md. */
export const GOALS: readonly Goal[] = [
  {
    name: 'Acknowledgement',
    felt: 'A command is taken at once, also while many people type.',
    targets: [
      atLeast('ack unknown', 1.4, '×', 'acknowledgements for the same CPU, an unknown word / bare Bolt'),
      atLeast(
        'ack help',
        1.4,
        '×',
        'acknowledgements for the same CPU, help / bare Bolt',
        'Who asks is looked up, and what they may do; the answer is 10 kB long.',
      ),
    ],
  },
  {
    name: '`/instances`, end to end',
    felt: 'The list is there before one waits for it.',
    targets: [
      atMost('list', 0.4, '×', 'CPU until the list is posted / Bolt + Pool + zod + default WebClient'),
    ],
  },
  {
    name: 'Posts and 429s',
    felt: 'A channel stays readable, nothing is held back by Slack, and an end is seen soon.',
    targets: [
      // An edit notifies nobody: a card, its last edit and, after a long one, a reply that mentions who asked.
      atMost('posts alone', 3, '', 'posts and edits of a restart alone'),
      atMost('posts at 60', 1, '', 'posts and edits of each restart, 60 at once in one channel'),
      atMost('posts at 500', 0.15, '', 'posts and edits of each restart, 500 at once in one channel'),
      atMost('429 at 60', 0, '', 'answers 429, 60 restarts at once in one channel'),
      atMost('429 at 500', 0, '', 'answers 429, 500 restarts at once in one channel'),
      atMost('429 in ten', 0, '', 'answers 429, 500 restarts at once in 10 channels'),
      atMost('shown at 500', 5, 's', 'settled to shown, p95, 500 restarts at once in one channel'),
    ],
  },
  {
    name: 'Calls to the host',
    felt: "The key's limit is left for people; an in-memory bot makes 4 calls a restart.",
    targets: [
      atMost('host alone', 4, '', 'calls to the host of a restart alone'),
      atMost('host at 60', 2, '', 'calls to the host of each restart, 60 at once'),
      atMost('host at 500', 2, '', 'calls to the host of each restart, 500 at once'),
    ],
  },
  {
    name: "Other channels' delay",
    felt: 'Nobody waits for what happens in another channel.',
    targets: [
      atMost('other at 60', 2, '×', 'first post in another channel, p95, among 60 in one / alone'),
      atMost(
        'other at 500',
        2,
        '×',
        'first post in another channel, p95, among 500 in one / alone',
        'The process is busy with the 500 for some seconds, and each step in another channel waits for a few of theirs.',
      ),
    ],
  },
  {
    name: 'Redis far away',
    felt: 'Nobody reads that the bot did not answer, and the card is there soon.',
    targets: [
      atMost('ack far', 0.3, 's', 'a restart acknowledged, Redis 50 ms away, with a replica'),
      atMost('card far', 2, 's', 'its card, the same'),
    ],
  },
  {
    name: 'Memory',
    felt: 'A small machine is enough for it.',
    targets: [
      atMost('memory', 140, 'MiB', 'resident memory of a process after 10,000 commands'),
      atMost('memory ratio', 1, '×', 'the same / bare Bolt'),
    ],
  },
  {
    name: 'Many accounts',
    felt: 'One more account costs next to nothing while nobody uses it.',
    targets: [
      atMost('idle connections', 60, '', 'connections to Redis of a process with 100 accounts'),
      atMost(
        'idle commands',
        150,
        '',
        'Redis commands a second of 100 idle accounts, those in scripts included',
      ),
      atMost('idle memory', 1.25, 'MiB', 'resident memory of each further account'),
    ],
  },
  {
    name: 'Start',
    felt: 'A process that is replaced is soon ready again.',
    targets: [atMost('start', 0.65, '×', 'start to ready / the same app from its compiled files')],
  },
  {
    name: 'A restart',
    felt: 'What it costs that nothing is lost with a process.',
    targets: [
      atMost('CPU alone', 1.5, '×', 'CPU of bot and Redis of a restart alone / an in-memory bot', WRITTEN),
      atMost('CPU at 60', 1.5, '×', 'CPU of bot and Redis, 60 at once / an in-memory bot', AS_ABOVE),
      atMost('CPU at 500', 1.5, '×', 'CPU of bot and Redis, 500 at once / an in-memory bot', AS_ABOVE),
      atMost('commands', 250, '', 'Redis commands of a restart alone, those in scripts included'),
    ],
  },
];

/** Whether a figure is as it should be. */
export function isReached({ wanted, bar }: Target, value: number): boolean {
  return wanted === 'at most' ? value <= bar : value >= bar;
}

/** More calls than any benchmark makes. */
export const NO_LIMIT = { requests: 1_000_000, seconds: 60 };

/** A figure with its unit, and as many digits as say something; a dash where there is none. */
export function withUnit(value: number, unit: Target['unit']): string {
  return `${figure(value)} ${unit}`.trimEnd();
}

function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (Number.isInteger(value) || size >= 100) return Math.round(value).toLocaleString('en-US');
  if (size >= 10) return value.toFixed(1);
  return size >= 0.1 ? value.toFixed(2) : value.toPrecision(2);
}
