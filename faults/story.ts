import type { Operation } from '../src/core/operations/operation.ts';
import { isTold, type StoryLine, storyOf } from '../src/features/audit/story.ts';
import type { Books, Recorded, Shown, Written } from './books.ts';
import { group } from './group.ts';
import { ICONS } from './icons.ts';

/** One end as the story tells it, and what was asked before it. */
interface ToldEnd {
  readonly operation: Operation;
  /** Where it is told in the story, by the number of the entry, and when Redis wrote that. */
  readonly asked: Recorded;
  readonly ended: Recorded;
}

/**
 * The story of a run is whole and in order: no number of the audit is missing in it, each operation begins and ends in it once, with
 * the end that its card shows; each call of one that was done came between its beginning and its end by the host's own log; and cards of one
 * instance stand in Slack in the order in which the story tells of them. Each entry is a sentence. Pure.
 */
export function judgeStory({ operations, written, shown, audit: { recorded } }: Books): readonly string[] {
  const story = storyOf(recorded.filter(({ entry }) => isTold(entry)));
  const ends = operations.flatMap((operation) => toldEnd(operation, story, recorded));
  return [
    ...gaps(recorded),
    ...operations.flatMap((operation) => mistold(operation, story)),
    ...ends.flatMap(({ operation, asked, ended }) => untimely(operation, { asked, ended }, written)),
    ...outOfOrder(ends, shown),
  ];
}

/** Each number follows the one before: an entry that somebody took out is one that the story lacks. */
function gaps(recorded: readonly Recorded[]): readonly string[] {
  const seqs = recorded.map(({ seq }) => seq).toSorted((one, other) => one - other);
  return seqs.flatMap((seq, index) => {
    const before = seqs[index - 1];
    return before === undefined || seq === before + 1
      ? []
      : [`the story lacks what stands between entries ${before} and ${seq}`];
  });
}

/** An operation that is told another number of times than once, or with another end than its record has. */
function mistold({ id, outcome, because = id }: Operation, story: readonly StoryLine[]): readonly string[] {
  const told = story
    .flatMap(({ entry, end }) => (end ? [entry, end] : [entry]))
    .filter(({ requestId }) => requestId === id);
  const results = told.filter(({ what }) => what === 'ended').map(({ result }) => result);
  const begun = told.filter(({ what }) => what === 'asked').length;
  const wanted = outcome ? [outcome.result] : [];
  return begun === 1 && String(results) === String(wanted)
    ? []
    : [
        `${because}: told ${begun} times as asked, and as ended "${results.join(', ')}", not "${wanted.join(', ')}"`,
      ];
}

function toldEnd(
  operation: Operation,
  story: readonly StoryLine[],
  recorded: readonly Recorded[],
): readonly ToldEnd[] {
  const seqs = new Set(story.flatMap((line) => line.seqs));
  const its = recorded.filter(({ seq, entry }) => seqs.has(seq) && entry.requestId === operation.id);
  const asked = its.find(({ entry }) => entry.what === 'asked');
  const ended = its.find(({ entry }) => entry.what === 'ended');
  return asked && ended ? [{ operation, asked, ended }] : [];
}

/** Redis notes the time of a write at the start of its turn. */
const CLOCKS_MS = 50;

/** What was done, and had no call of the host's log between what the story tells of it; how many had an effect is counted elsewhere. */
function untimely(
  { id, kind, subject, outcome, because = id }: Operation,
  { asked, ended }: Pick<ToldEnd, 'asked' | 'ended'>,
  written: readonly Written[],
): readonly string[] {
  if (outcome?.result !== 'done' || outcome.code === 'already') return [];
  const isIts = (call: Written): boolean => call.instanceId === subject.id && call.kind.kind === kind;
  const isBetween = ({ at }: Written): boolean =>
    at >= asked.writtenAt - CLOCKS_MS && at <= ended.writtenAt + CLOCKS_MS;
  return written.some((call) => isIts(call) && isBetween(call))
    ? []
    : [`${because}: told as done, with no such call of the host's log in between`];
}

/** Cards of one instance that stand in another order than the story tells of what they show, or don't show the end that it tells. */
function outOfOrder(ends: readonly ToldEnd[], shown: readonly Shown[]): readonly string[] {
  const places = new Map(shown.map(({ mark }, place) => [mark, place]));
  // What was never sent may have ended before Slack took its card.
  const cards = ends.filter(
    ({ operation: { boardId, card, execution } }) =>
      boardId === undefined && execution.sends > 0 && places.has(card.key),
  );
  return [
    ...group(cards, ({ operation: { subject, part = '' } }) => `${subject.id} ${part}`).values(),
  ].flatMap((all) =>
    all
      .toSorted((one, other) => one.asked.seq - other.asked.seq)
      .flatMap(({ operation: { id, card, because = id }, ended }, index, inOrder) => {
        const place = places.get(card.key) ?? 0;
        const before = inOrder[index - 1];
        const isLater = before === undefined || place > (places.get(before.operation.card.key) ?? 0);
        const icon = ICON_OF[ended.entry.result ?? ''] ?? '';
        return [
          ...(isLater ? [] : [`${because}: its card stands before that of what the story tells first`]),
          ...(shown[place]?.text.includes(icon)
            ? []
            : [`${because}: its card shows no ${icon}, as the story tells`]),
        ];
      }),
  );
}

const ICON_OF: Readonly<Record<string, string>> = ICONS;
