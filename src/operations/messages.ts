import type { Message } from '../slack/message.ts';
import { ago, join, person, type Phrase, plain, say, strong } from '../slack/phrase.ts';
import type { OperationKind } from './kind.ts';
import { audience, type Operation, type Outcome } from './operation.ts';

/** The name and id of what an operation is about, as every card shows them. */
export function subject(operation: Operation): Phrase {
  return say`${strong(operation.subject.name)} (${operation.subject.id})`;
}

/** Short enough to read out to somebody, and in every line of the log. */
export function reference(operation: Operation): Phrase {
  return say`Ref ${operation.id.slice(0, 8)}`;
}

/** Why it was asked, where the person said so. */
export function reason(operation: Operation): Phrase[] {
  return operation.because === undefined ? [] : [say`Because: ${plain(operation.because)}`];
}

const ICONS: Readonly<Record<Outcome['result'], string>> = {
  done: '✅',
  failed: '❌',
  unknown: '❔',
  cancelled: '⚪',
};

/** The icon of an outcome; its words always stand beside it. */
export function icon(outcome: Outcome): string {
  return ICONS[outcome.result];
}

/** The one reply in the card's thread: it mentions who waits for the end, because an edit notifies nobody. */
export function reply(operation: Operation, kind: OperationKind | undefined): Message {
  const people = audience(operation).map((userId) => say`${person(userId)}`);
  const { outcome } = operation;
  if (!kind) return { lines: [say`${join(people, ' ')} ${parkedWords(operation)}`] };
  const end = outcome ? kind.ending(operation, outcome) : say`Still working on it.`;
  return { lines: [say`${join(people, ' ')} ${end}`] };
}

/** What no kind of operation could bring to its end: said without it. */
export function parkedCard(operation: Operation): Message {
  return {
    lines: [
      say`${operation.outcome ? icon(operation.outcome) : '❔'} ${parkedWords(operation)}`,
      say`asked by ${person(operation.actor.userId)} ${ago(operation.requestedAt)}`,
      reference(operation),
    ],
  };
}

function parkedWords(operation: Operation): Phrase {
  const { outcome } = operation;
  if (outcome?.result === 'cancelled')
    return say`I stumbled over ${subject(operation)} again and again before I could ask for anything, so nothing was done.`;
  return say`I stumbled over ${subject(operation)} again and again and stopped. What was asked may or may not have been done; please look yourself.`;
}

/** A duration as a person says it: 40 s, 2 min, 1 h 5 min. */
export function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The second person reads who is on it, and may follow. */
export function busy(
  holder: Operation,
  kind: OperationKind,
  sameKind: boolean,
  followRoute: string,
): Message {
  const doing = sameKind ? `already ${kind.doing}` : kind.doing;
  const advice = sameKind ? say`` : say` Try again when that has ended.`;
  return {
    lines: [
      say`${subject(holder)} is ${doing}, asked by ${person(holder.actor.userId)} ${ago(holder.requestedAt)}.${advice}`,
    ],
    buttons: [{ label: 'Tell me too', routeId: followRoute, value: holder.id }],
  };
}

/** What is running now, one line each. */
export function openOperations(
  operations: readonly { operation: Operation; kind: OperationKind }[],
): Message {
  if (operations.length === 0) return { lines: [say`Nothing is running.`] };
  const count =
    operations.length === 1 ? 'One operation is running' : `${operations.length} operations are running`;
  return {
    lines: [say`${count}:`],
    bullets: operations.map(({ operation, kind }) => {
      const state = operation.outcome ? say` · ended, telling Slack` : say``;
      return say`${kind.doing} ${subject(operation)}, asked by ${person(operation.actor.userId)} ${ago(operation.requestedAt)}${state}`;
    }),
  };
}
