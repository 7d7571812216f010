import { inWords, mendTimes, withAfter } from '../ask/mend-words.ts';
import type { Instead, Refusal } from '../refusal.ts';
import { plain, type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { clockWords, parseTimeOfDay } from '../../platform/time/clock-words.ts';
import { clockAt } from '../../platform/time/zoned-time.ts';
import { END_WORDS, lengthIn, NIGHT, readAnyEnd } from './end.ts';
import type { Moment } from './times.ts';

/** Why what was typed after "for", as "the weekend" from Monday to Thursday or "the night" in the morning, is no end: what is asked for would begin at once. */
export function notYetBegun(words: readonly string[]): Phrase | undefined {
  if (words.some((word) => /^weekend$/i.test(word)))
    return say`The weekend hasn't begun, and this would begin right away. If you mean that, say until mon 08:00.`;
  if (words.some((word) => NIGHT.test(word)))
    return say`The night hasn't begun, and this would begin right away. If you mean that, say until tomorrow 08:00.`;
  return undefined;
}

/** A person, a group or a channel as Slack writes them. */
const MENTION = /^(?:[@#]?[UWSCG](?=[A-Z0-9_]*\d)[A-Z0-9_]{8,63}|!\S+)$/;
const MAX_SAID = 60;

/** Whether the word at `at` is an id, which nobody typed, where a time should stand: after "for" or "until". Pure. */
export function isMentionInEnd(words: readonly string[], at: number): boolean {
  return END_WORDS.includes(words[at - 1]?.toLowerCase() ?? '') && MENTION.test(words[at] ?? '');
}

/** Why words after "for" or "until", with that before them, are no end: a clause to which the rest is added. Pure. */
export function whyNoEnd(typed: readonly string[], moment: Moment): Phrase {
  const [keyword, ...said] = typed;
  if (keyword?.toLowerCase() !== 'for' && lengthIn(said)?.next === said.length)
    return say`"Until" takes a time, and "${plain(said.join(' '), MAX_SAID)}" is how long`;
  const yesterday = clockAt(moment.at, moment.zone).toPlainDate().subtract({ days: 1 }).toString();
  const dated = typed.map((word) => (/^yesterday$/i.test(word) ? yesterday : word));
  const over = readAnyEnd(dated, 0, moment);
  if (over?.count === typed.length)
    return over.words[0] === 'for'
      ? say`${plain(said.join(' '), MAX_SAID)} would be over at once`
      : say`${time(over.until)} has passed`;
  if (said.some((word) => MENTION.test(word))) return say`A mention is no time`;
  return say`I don't understand the time "${plain(said.join(' '), MAX_SAID)}"`;
}

/** What follows "for", or stands for itself, and looks like a time although it is none: "-1h", "4x", "the afternoon", "a few hours". */
export function looksLikeTime(words: readonly string[]): boolean {
  const said = words.map((word) => word.toLowerCase()).find((word) => !AROUND.test(word)) ?? '';
  return (
    OF_TIME.test(said) ||
    /^[-+~<>.\u2010-\u2015\u2212]*\d/.test(said) ||
    // Nobody can tell what these are to say.
    /^(?:!\S*|https?:\S*)$/.test(said)
  );
}

/** Words before what a time is counted in. */
const AROUND =
  /^(?:a|an|the|this|that|some|few|couple|several|many|of|next|whole|entire|rest|about|around|at|least|most|half|all|just|only|another)$/;
const OF_TIME =
  /^(?:minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|today|tonight|tomorrow|yesterday|now|morning|noon|afternoon|evening|night|overnight|lunch|midnight|weekend|while|bit|moment|ever|forever|long|longer|later|being|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$/;

/** What is offered for an end that is missing: lengths, a longer one, and how lengths and times can be typed. */
export interface EndExamples {
  readonly lengths: readonly string[];
  readonly longer: string;
  readonly tries: readonly [string, string];
  /** What follows why it can't be read, as in ", so nothing was done". */
  readonly undone?: string;
}

/** The no to words that say no end, from "for" or "until" on. */
export function noEnd(
  typed: readonly string[],
  moment: Moment,
  no: (why: Phrase, instead?: Instead) => Refusal,
  { lengths, longer, tries, undone = '' }: EndExamples,
): Refusal {
  const [keyword = '', ...said] = typed;
  const isLength = /^for$/i.test(keyword);
  if (said.length === 0)
    return isLength
      ? no(say`For how long?`, withAfter(keyword, ...lengths, inWords('Time', longer)))
      : no(say`Until when?`, withAfter(keyword, '18:00', ['mon', '08:00'], inWords('Time', 'fri 17:00')));
  const early = isLength ? notYetBegun(said) : undefined;
  if (early) return no(early);
  return no(
    say`${whyNoEnd(typed, moment)}${undone}. Try ${isLength ? tries[0] : tries[1]}.`,
    isLength ? mendTimes : mendUntil(said, keyword),
  );
}

/** What "until 4h" may mean: for so long, and until that time of day where there is one; undefined for what is no length. */
function mendUntil(said: readonly string[], keyword: string): Instead | undefined {
  const length = lengthIn(said);
  if (length?.next !== said.length) return undefined;
  const clock = parseTimeOfDay(
    said.join('').replace(/^(\d{1,2})h(\d{2})?$/i, (_, hour, minute = '00') => `${hour}:${minute}`),
  );
  const ends = [['for', length.word], ...(clock ? [['until', clockWords(clock)]] : [])];
  return (words) => {
    const at = words.findLastIndex((word) => word.toLowerCase() === keyword.toLowerCase());
    return at < 0 ? [] : ends.map((one) => words.toSpliced(at, said.length + 1, ...one));
  };
}
