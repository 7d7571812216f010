import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { parseTimeOfDay, type TimeOfDay } from '../../platform/time/clock-words.ts';
import { findZone } from '../../platform/time/zoned-time.ts';
import { type Instead, Refusal } from '../refusal.ts';

/** Refuses what can't be read. `why`: without the full stop. `instead`: what may be meant. */
type No = (why: Phrase, instead?: Instead) => Refusal;

/** What refuses words that are no schedule, with an example of one where nothing may be meant. */
export function noSchedule(example: string): No {
  return (why, instead) =>
    new Refusal('bad-schedule', instead ? say`${why}.` : say`${why}. Example: ${example}.`, instead);
}

/** A time of day as it is typed. Throws a Refusal for anything else. */
export function readTime(typed: string, no: No, instead?: Instead): TimeOfDay {
  const time = parseTimeOfDay(typed);
  if (!time) throw no(say`I don't understand the time "${typed}". Use a time from 00:00 to 23:59`, instead);
  return time;
}

/** A time zone as it is typed. Throws a Refusal for anything else. */
export function readZone(typed: string, no: No): string {
  const zone = findZone(typed);
  if (zone === undefined)
    throw no(say`"${typed}" isn't a time zone that I know. Use a city, like Europe/Berlin, or UTC`);
  return zone;
}

/** With a time that is two words as one: "9 am" as "9am". */
export function wholeTimes(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    if (/^[ap]m$/i.test(word) && /^\d/.test(words[at - 1] ?? '')) return [];
    return /^[ap]m$/i.test(words[at + 1] ?? '') && /^\d/.test(word) ? [`${word}${words[at + 1]}`] : [word];
  });
}
