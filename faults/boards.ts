import type { Operation } from '../src/core/operations/operation.ts';
import type { Shown } from './books.ts';
import { group } from './group.ts';
import { ICONS } from './icons.ts';

/** What is wrong with the boards of a run. Each entry is a sentence. */
export interface BoardsVerdict {
  readonly lostFinals: readonly string[];
  readonly doubledFinals: readonly string[];
}

/**
 * Each end stands on its board, and in one of the board's replies: as often as there are operations that ended so. Pure.
 */
export function judgeBoards(operations: readonly Operation[], shown: readonly Shown[]): BoardsVerdict {
  const ended = operations.filter(({ boardId, outcome }) => boardId !== undefined && outcome !== undefined);
  const ofInstance = [...group(ended, ({ boardId, subject }) => `${boardId} ${subject.id}`).values()];
  const twice = [...group(shown.filter(isOfBoard), ({ mark }) => mark)].filter(([, all]) => all.length > 1);
  return {
    lostFinals: ofInstance.flatMap((alike) => [
      ...missingLines(alike, shown),
      ...(alike.some(({ batchId }) => batchId !== undefined) ? [] : missingReplies(alike, shown)),
    ]),
    doubledFinals: [
      ...ofInstance.flatMap((alike) => doubledReplies(alike, shown)),
      ...twice.map(([mark, all]) => `${mark}: ${all.length} times the same message`),
    ],
  };
}

function isOfBoard({ mark }: Shown): boolean {
  return mark.startsWith('board-');
}

/** Operations about one instance whose end does not stand on their board. */
function missingLines(alike: readonly Operation[], shown: readonly Shown[]): string[] {
  return [...group(alike, ({ outcome }) => outcome?.result ?? '')].flatMap(([, same]) => {
    const [one] = same;
    if (!one?.outcome) return [];
    const { result } = one.outcome;
    const lines = linesOf(one, shown, (mark) => mark === `board-${one.boardId}`);
    const isThere = lines.filter((line) => line.includes(ICONS[result])).length >= same.length;
    return isThere ? [] : [`${nameOf(one)}, ${result}: not on its board`];
  });
}

function missingReplies(alike: readonly Operation[], shown: readonly Shown[]): string[] {
  const [one] = alike;
  return one && repliesOf(one, shown).length < alike.length
    ? [`${nameOf(one)}: not in the replies of its board`]
    : [];
}

function doubledReplies(alike: readonly Operation[], shown: readonly Shown[]): string[] {
  const [one] = alike;
  if (!one) return [];
  const { length } = repliesOf(one, shown);
  return length > alike.length ? [`${nameOf(one)}: ${length} replies for ${alike.length} ends`] : [];
}

function repliesOf(one: Operation, shown: readonly Shown[]): readonly string[] {
  return linesOf(one, shown, (mark) => mark.startsWith(`board-${one.boardId}-reply-`));
}

/** The lines about an operation's instance in messages of these marks. */
function linesOf(
  { subject }: Operation,
  shown: readonly Shown[],
  isIts: (mark: string) => boolean,
): readonly string[] {
  return shown
    .filter(({ mark }) => isIts(mark))
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => line.includes(`(${subject.id})`));
}

function nameOf({ because, id, kind, subject }: Operation): string {
  return `${because ?? id} (${kind} of ${subject.id})`;
}
