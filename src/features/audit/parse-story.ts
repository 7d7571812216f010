import { say } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { type AuditMoment, isPerson, type Options, parseAuditWords } from './words.ts';
import type { SaidPeriod } from './said-period.ts';

/** What is to be told. */
export interface StoryWords extends SaidPeriod {
  readonly userIds: readonly string[];
  /** The other words: instances, commands and references. */
  readonly things: readonly string[];
  /** The one thing is a reference, and no name. */
  readonly isReference?: true;
  readonly isFile: boolean;
  readonly isShared: boolean;
}

/** All that happened is a lot; what happened to one thing is not. */
const OF_ALL_MS = DAY_MS;
const OF_SOME_MS = 30 * DAY_MS;

const OPTIONS: Options = {
  flags: ['file', 'share'],
  example: say`--last 6h, --in 2026-10, --file and --share, as in /lamplighter story web-1 since 23:00`,
  lastMs: (rest) => (rest.length > 0 ? OF_SOME_MS : OF_ALL_MS),
};

/** `web-1 since 23:00`, `name:prod-* --last 6h --share`, `2rFsoy-o --file`, in any order, by the clock of who asks. Throws a Refusal. */
export function parseStoryWords(words: readonly string[], moment: AuditMoment): StoryWords {
  const { flags, rest, since, until, when } = parseAuditWords(words, moment, OPTIONS);
  return {
    userIds: rest.filter(isPerson),
    things: rest.filter((word) => !isPerson(word)),
    since,
    until,
    when,
    isFile: flags.has('file'),
    isShared: flags.has('share'),
  };
}

/** The same for the reference that a button carries, or that is all of what was typed. Pure. */
export function ofReference(reference: string, { at }: Pick<AuditMoment, 'at'>): StoryWords {
  return {
    userIds: [],
    things: [reference],
    since: at - OF_SOME_MS,
    until: at,
    when: say`in the last 30 days`,
    isReference: true,
    isFile: false,
    isShared: false,
  };
}
