import type { Batch } from '../src/core/batches/batch.ts';
import type { Shown } from './books.ts';
import type { BoardsVerdict } from './boards.ts';

/** Each batch comes to its end, which its one card shows with every instance and its one reply tells. Pure. */
export function judgeBatches(batches: readonly Batch[], shown: readonly Shown[]): BoardsVerdict {
  return {
    lostFinals: batches.flatMap((batch) => lostOf(batch, shown)),
    doubledFinals: batches.flatMap((batch) => {
      const count = repliesOf(batch, shown).length;
      return count > 1 ? [`${nameOf(batch)}: ${count} replies`] : [];
    }),
  };
}

function lostOf(batch: Batch, shown: readonly Shown[]): string[] {
  if (batch.closedAt === undefined) return [`${nameOf(batch)}: never ended`];
  const card = shown.find(({ mark }) => mark === `board-${batch.id}`);
  const done = batch.items.filter(({ result }) => result === 'done').length;
  const count = done === batch.items.length ? '' : `${done} of ${batch.items.length} `;
  const [reply] = repliesOf(batch, shown);
  return [
    ...(card ? missingIn(batch, card) : [`${nameOf(batch)}: no card`]),
    ...(reply?.text.includes(count) ? [] : [`${nameOf(batch)}: the reply says "${reply?.text ?? ''}"`]),
  ];
}

function missingIn(batch: Batch, card: Shown): string[] {
  return batch.items
    .filter(({ subject }) => !card.text.includes(`${subject.name} (${subject.id})`))
    .map(({ subject }) => `${nameOf(batch)}: ${subject.name} is not on its card`);
}

function repliesOf({ id }: Batch, shown: readonly Shown[]): readonly Shown[] {
  return shown.filter(({ mark }) => mark.startsWith(`board-${id}-reply-`));
}

function nameOf({ because, id, kind }: Batch): string {
  return `${because ?? id} (batch of ${kind})`;
}
