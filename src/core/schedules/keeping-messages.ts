import { names } from '../batches/words.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { join, person, type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { MOST_AGAIN } from './keeping.ts';
import { SCHEDULE_ROUTES } from './messages.ts';
import { runAfterNext } from './schedule.ts';
import type { Schedule } from './schedule-record.ts';

/** Something that runs although its schedule stopped it, and who started it, where that is known. */
export interface Running {
  readonly id: string;
  readonly name: string;
  readonly startedBy: string | undefined;
}

const MAX_NAMED = 8;
const MAX_STARTERS = 5;

/** That something runs again and is stopped soon, with what can be done about it. Pure. */
export function runningAgainMessage(
  schedule: Schedule,
  { at }: { readonly at: number },
  running: readonly Running[],
): Message {
  const { id, owner } = schedule;
  const value = `${id} ${at}`;
  const until = runAfterNext(schedule);
  const keeps = say`The schedule of ${person(owner.userId)} keeps ${running.length === 1 ? 'it' : 'them'} stopped`;
  const later: Button = { label: 'One hour more', routeId: SCHEDULE_ROUTES.later, value };
  return {
    lines: [
      say`⏰ ${names(running, MAX_NAMED)} ${are(running)} running again and will be stopped ${time(at)}. ${keeps}${until ? say` until ${time(until.at)}` : say``}.`,
      ...startedWords(running),
    ],
    buttons: [later, { label: 'Leave it on', routeId: SCHEDULE_ROUTES.skip, value }],
    menu: [{ label: 'Longer…', routeId: SCHEDULE_ROUTES.longer, value }],
  };
}

/** That something was started again so often that it is left alone. Pure. */
export function enoughMessage(
  { id, owner }: Schedule,
  { at }: { readonly at: number },
  running: readonly Running[],
): Message {
  return {
    lines: [
      say`⏰ ${names(running, MAX_NAMED)} ${are(running)} running again, and I stopped what was started ${MOST_AGAIN} times by now. I leave it on; the schedule of ${person(owner.userId)} goes on ${time(at)}.`,
      ...startedWords(running),
    ],
    buttons: [{ label: 'Show', routeId: SCHEDULE_ROUTES.show, value: id }],
  };
}

function are({ length }: readonly unknown[]): string {
  return length === 1 ? 'is' : 'are';
}

/** "Started by @bob: stg-1." */
function startedWords(running: readonly Running[]): readonly Phrase[] {
  const people = [...new Set(running.flatMap(({ startedBy }) => startedBy ?? []))].slice(0, MAX_STARTERS);
  if (people.length === 0) return [];
  const [only, another] = people;
  if (only !== undefined && another === undefined && running.every(({ startedBy }) => startedBy === only))
    return [say`Started by ${person(only)}.`];
  const each = people.map((userId) => {
    const theirs = running.filter(({ startedBy }) => startedBy === userId);
    return say`${names(theirs, MAX_NAMED)} by ${person(userId)}`;
  });
  return [say`Started: ${join(each, '; ')}.`];
}
