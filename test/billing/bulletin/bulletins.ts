import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { letBeDue } from '../../../sandbox/phrases/due-bulletin.ts';
import { createOneRecord } from '../../../src/core/records/one-record.ts';
import type { BulletinKind } from '../../../src/features/billing/bulletin/record.ts';
import { DIGEST } from '../../../src/features/billing/digest/record.ts';
import { play, type PlayOptions } from '../../support/sandbox.ts';
import { connectTo } from '../../support/shared-redis.ts';
import { until } from '../../support/until.ts';
import { OPS } from '../watching.ts';

/** What of a bulletin differs from all others. */
interface Own {
  readonly called: string;
  /** As in "This week's". */
  readonly whose: string;
  /** What it is set with, behind its verb, and what is said of that. */
  readonly words: string;
  readonly said: string;
  /** What it tells of harbour. */
  readonly tells: RegExp;
  /** The awaits of what it reads. */
  readonly awaits: readonly string[];
  /** Has what it is made of fail, and be there again. */
  readonly breaks: (sandbox: Sandbox) => void;
  readonly mends: (sandbox: Sandbox) => void;
  readonly why: string;
  /** Has the next one differ, and what only that tells. */
  readonly moves: (sandbox: Sandbox) => void;
  readonly moved: string;
  /** What it tells of days that are not known. */
  readonly unknown: readonly RegExp[];
}

/** A bulletin of which all that bulletins promise is tried. */
export interface Row extends Own {
  readonly line: string;
  /** Makes it due; it was tried for so long already. */
  readonly isDue: (sandbox: Sandbox, triedForMs?: number) => Promise<void>;
  /** The same, and waits until it was made. */
  readonly isMade: (sandbox: Sandbox) => Promise<void>;
}

function row<When>(kind: BulletinKind<When>, own: Own): Row {
  const isDue = (sandbox: Sandbox, triedForMs?: number): Promise<void> => letBeDue(sandbox, kind, triedForMs);
  return {
    ...own,
    line: `/billing ${own.called}`,
    isDue,
    isMade: async (sandbox) => {
      await isDue(sandbox);
      const { get } = createOneRecord(connectTo(sandbox), kind);
      await until(async () => ((await get()).set?.dueAt ?? 0) >= Date.now());
    },
  };
}

export const BULLETINS: readonly Row[] = [
  row(DIGEST, {
    called: 'digest',
    whose: "This week's",
    words: 'weekly mon 09:00',
    said: 'every Monday at 09:00',
    tells:
      /In the last seven days [\d,]+ credits were used[^]*6,300 credits · 677 credits a day · about (?:[89]|10|[7-9] to 1?\d) days left/,
    awaits: ['ledger days.list 1', 'hosting.getBalance 1'],
    breaks: ({ hosting }) => hosting.breakBalance('harbour', { answer: 200, done: true, body: '{}' }),
    mends: ({ hosting }) => hosting.mendBalance('harbour'),
    why: "the balance couldn't be read",
    moves: ({ hosting }) => hosting.topUp('harbour', 1),
    moved: '6,301 credits',
    unknown: [/I don't know yet what was used in the last seven days\.[^]*6,300 credits/],
  }),
];

/** A bot whose figures may stand in #ops. */
export function open(options: PlayOptions = {}): Promise<Sandbox> {
  return play({
    ...options,
    env: { LAMPLIGHTER_EVERYONE: 'finance', BILLING_CHANNELS: OPS, ...options.env },
    timings: { billingCheckEveryMs: 60_000, ...options.timings },
  });
}
