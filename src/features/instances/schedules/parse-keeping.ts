import { inWords } from '../../../core/ask/mend-words.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { When } from '../../../core/schedules/when.ts';
import { say } from '../../../platform/slack/phrase.ts';
import { VERBS } from './parse-exceptions.ts';

/** "and keep it stopped", "kept off in between", "enforced". */
const KEEPS =
  /(?:^| )(?:and |but |, )?(?:(?:keep|keeping|leave) (?:(?:it|them|these|those|all|everything) )?(?:stopp?ed|off|down)|kept (?:stopp?ed|off|down)|enforced?|strict(?:ly)?)(?: (?:in between|until then|meanwhile|then))?(?= |$)/i;

/** How it is asked for. */
export const KEEP_IT_STOPPED = ['and', 'keep', 'it', 'stopped'];

/** Takes off the words after `schedule` those that ask to keep stopped what was stopped; they stand after what is done when. Pure. */
export function takeKeeping(words: readonly string[]): {
  readonly words: readonly string[];
  readonly keeps: boolean;
} {
  const names = namesIn(words);
  const [what, ...rest] = words.slice(names.length);
  const after = rest.join(' ');
  if (what === undefined || !KEEPS.test(after)) return { words, keeps: false };
  const left = after.replace(KEEPS, ' ').split(' ').filter(Boolean);
  return { words: [...names, what, ...left], keeps: true };
}

/** The words before the one that says what is done. */
function namesIn(words: readonly string[]): readonly string[] {
  const what = words.findIndex((word) => VERBS.has(word.toLowerCase()));
  return what < 0 ? words : words.slice(0, what);
}

/** When, with what it stops kept stopped until its next start. Throws a Refusal where nothing says until when. */
export function keepingStopped(when: When): When {
  const verbs = when.kind === 'weekly' ? when.rules.map(({ verb }) => verb) : [];
  if (when.kind === 'weekly' && verbs.includes('stop') && verbs.includes('start'))
    return { ...when, keeps: true };
  throw new Refusal(
    'bad-schedule',
    say`I can only keep it stopped until a time. Say from when to when it runs, like hours 08:00-20:00 mon-fri and keep it stopped.`,
    (words) => [[...namesIn(words), 'hours', inWords('Hours', '08:00-20:00 mon-fri'), ...KEEP_IT_STOPPED]],
  );
}
