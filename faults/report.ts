import type { RunResult } from './run.ts';
import type { Verdict } from './verdict.ts';

type Column = readonly [title: string, of: (result: RunResult) => number, together?: 'most'];

const COLUMNS: readonly Column[] = [
  ['operations', (result) => result.operations],
  ['approved', (result) => result.approved],
  ['worker kills', (result) => result.kills.worker],
  ['web kills', (result) => result.kills.web],
  ['Redis kills', (result) => result.kills.redis],
  ['pauses', (result) => result.pauses],
  ['Redis pauses', (result) => result.redisPauses],
  ['lost finals', (result) => result.lostFinals.length],
  ['doubled finals', (result) => result.doubledFinals.length],
  ['false finals', (result) => result.falseFinals.length],
  ['sent twice', (result) => result.sentTwice.length],
  ['misrecorded', (result) => result.misrecorded.length],
  ['crashes', (result) => result.crashes.length],
  ['unknown', (result) => result.unknown],
  ['answered at once', (result) => result.answers],
  ['not acknowledged', (result) => result.notAcknowledged],
  ['longest without, s', (result) => Math.round(result.longestSilenceMs / 100) / 10, 'most'],
  ['seconds', (result) => Math.round(result.tookMs / 1000)],
];

/** Everything that must not be, as sentences. */
export function faultsOf(
  result: Omit<Verdict, 'operations' | 'approved' | 'unknown' | 'answers' | 'notAcknowledged'> & {
    readonly crashes: readonly string[];
  },
): string[] {
  const { lostFinals, doubledFinals, falseFinals, sentTwice, misrecorded, crashes } = result;
  return [
    ...lostFinals.map((fault) => `lost: ${fault}`),
    ...doubledFinals.map((fault) => `doubled: ${fault}`),
    ...falseFinals.map((fault) => `false: ${fault}`),
    ...sentTwice.map((fault) => `sent twice: ${fault}`),
    ...misrecorded.map((fault) => `misrecorded: ${fault}`),
    ...crashes.map((output) => `a process ended by itself: ${output}`),
  ];
}

/** Why a run without faults proves less than it should, as sentences. */
export function doubtsOf({ operations, answers, notAcknowledged, kills, redisPauses }: RunResult): string[] {
  const blows = kills.worker + kills.web + kills.redis + redisPauses;
  return [
    ...(operations > 0
      ? []
      : [`nothing was begun: ${notAcknowledged} requests were not acknowledged, ${answers} were refused`]),
    ...(blows > 0 ? [] : ['nothing was killed']),
  ];
}

/** The table's head, in Markdown. */
export function head(): string {
  const titles = ['seed', ...COLUMNS.map(([title]) => title)];
  return `| ${titles.join(' | ')} |\n| ${titles.map((title) => `${'-'.repeat(title.length - 1)}:`).join(' | ')} |`;
}

export function line(result: RunResult): string {
  return row(
    String(result.seed),
    COLUMNS.map(([, of]) => of(result)),
  );
}

/** The last line: everything added up, or the most of all. */
export function total(results: readonly RunResult[]): string {
  return row(
    'all',
    COLUMNS.map(([, of, together]) => {
      const all = results.map(of);
      return together === 'most' ? Math.max(0, ...all) : all.reduce((sum, one) => sum + one, 0);
    }),
  );
}

function row(first: string, numbers: readonly number[]): string {
  const widths = ['seed', ...COLUMNS.map(([title]) => title)].map((title) => title.length);
  return `| ${[first, ...numbers.map(String)].map((cell, index) => cell.padStart(widths[index] ?? 0)).join(' | ')} |`;
}
