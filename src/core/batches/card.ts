import type { Row, RowState } from '../boards/row.ts';
import { askedBy } from '../operations/messages.ts';
import { nameOf } from '../instances/messages.ts';
import { reason } from '../ask/messages.ts';
import { ago, join, person, type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Button } from '../../platform/slack/message.ts';
import {
  askedFor,
  audienceOf,
  STOOD_STILL_MS,
  type Batch,
  endedAs,
  FOLLOW_UPS,
  type FollowUp,
  type Item,
  itemsIn,
  leftFor,
  MAX_FAILURES,
} from './batch.ts';
import { names, type SeveralWords } from './words.ts';

/** The routes of the buttons on a batch's card. Their value is the batch\'s id. */
export const STOP_REST_ROUTE = 'batches.stop-rest';
export const RETRY_ROUTE = 'batches.retry';
export const REST_ROUTE = 'batches.rest';

/**
 * What a batch says over its rows, with its buttons; once it has ended, with the one reply that tells so. `mentioned`: who is to
 * hear of its end by that, if anybody. Pure.
 */
export function headerOf(batch: Batch, words: SeveralWords, mentioned: readonly string[]): Row {
  const { id, requestedAt, endedAt, remarks = [] } = batch;
  const asked = askedBy(batch);
  const header = {
    lines:
      endedAt === undefined
        ? [
            say`⏳ ${words.doing} ${countOf(batch)}, ${asked}`,
            ...stoppedLines(batch),
            ...reason(batch),
            ...remarks,
          ]
        : [
            say`${iconOf(batch)} ${endOf(batch, words)}`,
            asked,
            ...reason(batch),
            ...remarks,
            ...laterLines(batch),
          ],
    note: say`Request ${id.slice(0, 8)}`,
    buttons: buttonsOf(batch, words),
  };
  const row = { name: words.verb, says: say`${words.doing}`, steps: [], at: requestedAt, header };
  if (endedAt === undefined) return { ...row, state: 'running' };
  const isQuiet = mentioned.length === 0;
  const people = (isQuiet ? audienceOf(batch) : mentioned).map((userId) => say`${person(userId)}`);
  const reply = say`${join(people, ' ')} ${endOf(batch, words)}`;
  return { ...row, state: stateOf(batch), reply, ...(isQuiet ? { isQuiet } : {}) };
}

/** The row of an instance whose operation has not begun, or never will. Pure. */
export function rowAhead({ subject, state, why }: Item, at: number): Row {
  const row = { name: subject.name, steps: [], at, ofBatch: 'ahead' } as const;
  if (state !== 'left')
    return { ...row, state: 'waiting', says: say`${subject.name} (${subject.id}) is waiting.` };
  const because = why ? say`: ${why}` : say``;
  return {
    ...row,
    state: 'canceled',
    says: say`${subject.name} (${subject.id}) was left untouched${because}.`,
  };
}

/** "38 of 40 stopped, 2 failed: web-3, web-9." Pure. */
function endOf(batch: Batch, { verb, done }: Pick<SeveralWords, 'verb' | 'done'>): Phrase {
  const { items } = batch;
  const count = endedAs(batch, 'done').length;
  const asked = endedAs(batch, 'asked');
  if (asked.length === items.length && items.length > 1)
    return say`${items.length === 2 ? 'Both' : `All ${items.length}`} were asked to ${verb}. The service doesn't show whether they did.`;
  const first =
    count === items.length && count > 1
      ? say`${count === 2 ? 'Both' : `All ${count}`} ${done.toLowerCase()}`
      : say`${count} of ${items.length} ${done.toLowerCase()}`;
  const rest = [
    part('asked, with no sign that they did', asked),
    part('failed', endedAs(batch, 'failed')),
    part('unknown', endedAs(batch, 'unknown')),
    part('not done', endedAs(batch, 'canceled')),
    part('untouched', itemsIn(batch, 'left')),
  ].flat();
  return say`${join([first, ...rest], ', ')}.${whyStopped(batch)}`;
}

function part(what: string, those: readonly Item[]): Phrase[] {
  return those.length === 0 ? [] : [say`${those.length} ${what}: ${names(those.map((one) => one.subject))}`];
}

const STOOD_STILL = `It stood still for more than ${STOOD_STILL_MS / 60_000} min`;

function whyStopped(batch: Batch): Phrase {
  const { stopped } = batch;
  const isLeft = itemsIn(batch, 'left').length + endedAs(batch, 'canceled').length > 0;
  if (!stopped || !isLeft) return say``;
  switch (stopped.why) {
    case 'person':
      return say` ${person(stopped.by ?? '')} canceled the rest.`;
    case 'failures':
      return say` I stopped after ${failures(batch)}.`;
    case 'stood-still':
      return say` ${STOOD_STILL}, so I didn't start the rest.`;
    case 'not-shown':
      return say` Slack didn't accept a message for it, so nothing was started. Ask again if you still want it.`;
  }
}

/** What made it stop: a service that answers with errors leaves some of them unknown. */
function failures(batch: Batch): string {
  const isOpen = endedAs(batch, 'unknown').length > 0;
  return `${MAX_FAILURES} had failed${isOpen ? ' or ended unknown' : ''}`;
}

function stoppedLines(batch: Batch): Phrase[] {
  const { stopped } = batch;
  if (!stopped) return [];
  const who =
    stopped.why === 'person'
      ? say`${person(stopped.by ?? '')} canceled the rest ${ago(stopped.at)}.`
      : say`I canceled the rest ${ago(stopped.at)}: ${stopped.why === 'stood-still' ? STOOD_STILL : failures(batch)}.`;
  return [say`${who} What is in progress continues.`];
}

const LATER: Readonly<Record<FollowUp, string>> = {
  retry: 'Retry failed',
  rest: 'Continue with the rest',
  again: 'Start them again',
};

function laterLines(batch: Batch): Phrase[] {
  return FOLLOW_UPS.flatMap((what) => {
    const asked = askedFor(batch, what);
    return asked ? [say`${LATER[what]}: asked by ${person(asked.by)} ${ago(asked.at)}.`] : [];
  });
}

function buttonsOf(batch: Batch, { opposite }: SeveralWords): Button[] {
  const value = batch.id;
  if (batch.endedAt === undefined) {
    const isMore = itemsIn(batch, 'waiting').length > 0 && !batch.stopped;
    return isMore ? [{ label: 'Cancel the rest', routeId: STOP_REST_ROUTE, value, style: 'danger' }] : [];
  }
  const isOpen = (what: FollowUp): boolean =>
    leftFor(batch, what).length > 0 && (what === 'again' || !askedFor(batch, what));
  return [
    ...(isOpen('retry') ? [{ label: LATER.retry, routeId: RETRY_ROUTE, value }] : []),
    ...(isOpen('rest') ? [{ label: LATER.rest, routeId: REST_ROUTE, value }] : []),
    ...(opposite && isOpen('again') ? [{ ...opposite, value }] : []),
  ];
}

/** "web-1 (101)", or "40 instances". Pure. */
export function countOf({ items }: Batch): Phrase {
  const [only] = items;
  return only && items.length === 1 ? nameOf(only.subject) : say`${items.length} instances`;
}

function stateOf(batch: Batch): RowState {
  if (endedAs(batch, 'failed').length > 0) return 'failed';
  if (endedAs(batch, 'unknown').length > 0) return 'unknown';
  const [done, asked] = [endedAs(batch, 'done').length, endedAs(batch, 'asked').length];
  if (done + asked < batch.items.length) return 'canceled';
  return asked > 0 ? 'asked' : 'done';
}

function iconOf(batch: Batch): string {
  const icons = {
    failed: '❌',
    unknown: '❔',
    asked: '📨',
    done: '✅',
    canceled: '⚪',
    running: '⏳',
    waiting: '⏳',
  };
  return icons[stateOf(batch)];
}

/** Who is on an instance already, so that it was left. */
export function takenBy(userId: string): Phrase {
  return say`${person(userId)} is changing it already`;
}

/** Who has asked for the same and had it, so that it was left. */
export function hadBy(userId: string): Phrase {
  return say`${person(userId)} has just asked for the same`;
}
