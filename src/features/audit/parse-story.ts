import { say, time } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import {
  type AuditMoment,
  type AuditWords,
  isPerson,
  type Options,
  readOptions,
  timeOf,
} from './parse-words.ts';

/** What is to be told. */
export interface StoryWords extends Pick<AuditWords, 'userIds' | 'things' | 'since' | 'until' | 'when'> {
  /** The one thing is a reference, and no name. */
  readonly isReference?: true;
  readonly isFile: boolean;
  readonly isShared: boolean;
}

const OPTIONS: Options = {
  flags: ['file', 'share'],
  // What a button asks with, for just the time that its message tells of.
  texts: ['between'],
  example: say`--last 6h, --in 2026-10, --file and --share, as in /lamplighter story web-1 since 23:00`,
};

/** All that happened is a lot; what happened to one thing is not. */
const OF_ALL_MS = DAY_MS;
const OF_SOME_MS = 30 * DAY_MS;

/** `web-1 since 23:00`, `name:prod-* --last 6h --share`, `2rFsoy-o --file`, in any order, by the clock of who asks. Throws a Refusal. */
export function parseStoryWords(words: readonly string[], moment: AuditMoment): StoryWords {
  const { texts, flags, positionals } = readOptions(words, OPTIONS);
  const narrowed = timeOf(texts, positionals, moment, OF_SOME_MS);
  const { rest, ...said } =
    narrowed.rest.length > 0 ? narrowed : timeOf(texts, positionals, moment, OF_ALL_MS);
  return {
    userIds: rest.filter(isPerson),
    things: rest.filter((word) => !isPerson(word)),
    ...said,
    ...between(texts.get('between')),
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

function between(text: string | undefined): Partial<Pick<StoryWords, 'since' | 'until' | 'when'>> {
  const [, from, to] = /^(\d{1,14})-(\d{1,14})$/.exec(text ?? '') ?? [];
  if (from === undefined) return {};
  const [since, until] = [Number(from), Number(to)];
  return { since, until, when: say`between ${time(since)} and ${time(until)}` };
}

/** The words that ask for the same once more, of just that time. Pure. */
export function wordsOfSame(
  { userIds, things, since, until }: StoryWords,
  more: '--file' | '--share',
): readonly string[] {
  // A reference may begin like an option.
  return ['--between', `${since}-${until}`, more, '--', ...things, ...userIds];
}
