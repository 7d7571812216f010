import { parseArgs } from 'node:util';
import { Refusal } from '../../core/refusal.ts';
import { say } from '../../platform/slack/phrase.ts';
import { DAY_MS, parseDuration } from '../../platform/time/duration.ts';

/** What of the audit is asked for. */
export interface AuditWords {
  readonly userIds: readonly string[];
  /** Names or ids of instances. */
  readonly names: readonly string[];
  readonly lastMs: number;
  readonly isCsv: boolean;
}

const DEFAULT_MS = 7 * DAY_MS;

/** `@ana web-1 --last 7d --csv`, in any order. Throws a Refusal. */
export function parseAuditWords(words: readonly string[]): AuditWords {
  const { values, positionals } = read(words);
  const lastMs = values.last === undefined ? DEFAULT_MS : parseDuration(values.last, ['h', 'd', 'w']);
  if (lastMs === undefined || lastMs <= 0)
    throw new Refusal(
      'bad-option',
      say`I don't understand the time "${values.last ?? ''}". Try --last 12h, --last 7d or --last 4w.`,
    );
  const isPerson = (word: string): boolean => /^[UW][A-Z0-9_]{2,63}$/.test(word);
  return {
    userIds: positionals.filter(isPerson),
    names: positionals.filter((word) => !isPerson(word)),
    lastMs,
    isCsv: values.csv ?? false,
  };
}

function read(words: readonly string[]): {
  values: { last?: string | undefined; csv?: boolean | undefined };
  positionals: string[];
} {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { last: { type: 'string' }, csv: { type: 'boolean' } },
    });
  } catch {
    throw new Refusal(
      'bad-option',
      say`I can't read that. The options are --last 7d and --csv, as in audit @ana web-1 --last 30d.`,
    );
  }
}
