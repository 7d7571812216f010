import { MAX_FAILURES } from '../batches/batch.ts';
import { names } from '../batches/words.ts';
import { question } from '../ask/question.ts';
import { offered } from '../offers/canceled.ts';
import { type Preview, PREVIEWS } from '../batches/preview.ts';
import { nameOf, statusWords } from '../instances/messages.ts';
import { type List, pageButton, placeWords } from '../lists/list.ts';
import type { Message } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { byReason } from './examine.ts';

/** The route that shows all of a preview, page by page. */
export const PREVIEW_ROUTE = 'batches.preview';
/** The route that confirms several. */
export function severalRouteId(id: string): string {
  return `${id}-several`;
}

/** From so many on, the count is typed. */
const TYPED_FROM = 10;
const MAX_WHOLE = 15;
const MAX_DIFFERENCES = 10;

/** How the verb of a preview is said. */
export interface PreviewWords {
  readonly verb: string;
  /** "Stopped" */
  readonly done: string;
}

/** "Stop", as a button says it. */
function labelOf({ verb }: Pick<PreviewWords, 'verb'>): string {
  return `${verb.slice(0, 1).toUpperCase()}${verb.slice(1)}`;
}

/** What is to be typed before so many are changed; undefined where a button is enough. Pure. */
export function countToType({ chosen }: Pick<Preview, 'chosen'>): string | undefined {
  return chosen.length >= TYPED_FROM ? String(chosen.length) : undefined;
}

/** What is wrong with what was typed. */
export function wrongCount(count: string): Phrase {
  return say`Type ${count}, the number of instances, to continue. Nothing has been done yet.`;
}

/**
 * What would be done: the exact instances, those that are left out and why. `previewId`: undefined on a dry run, which has
 * nothing to press. `changed`: what differs from what was shown before. Pure.
 */
export function previewMessage(
  words: PreviewWords,
  preview: Preview,
  previewId: string | undefined,
  changed: readonly Phrase[] = [],
): Message {
  const { chosen, skipped, remarks, atOnce, routeId } = preview;
  const { verb } = words;
  const label = labelOf(words);
  const all = chosen.length + skipped.length;
  const count = skipped.length === 0 ? `${chosen.length}` : `${chosen.length} of ${all}`;
  const what = `${count} ${all === 1 ? 'instance' : 'instances'}`;
  const rest = chosen.length - MAX_WHOLE;
  const shown: Message = {
    lines: [
      ...changedLines(changed),
      previewId === undefined
        ? say`Would ${verb} ${what}. This was a dry run: nothing was done.`
        : say`${label} ${what}? Nothing has been done yet.`,
      ...remarks,
    ],
    bullets: [
      ...chosen.slice(0, MAX_WHOLE).map(chosenLine),
      ...(rest > 0 ? [say`and ${names(chosen.slice(MAX_WHOLE), rest)}`] : []),
      ...skippedLines(skipped),
    ],
    note: say`${atOnce === 1 ? 'One runs at a time.' : `At most ${atOnce} run at the same time.`} After ${MAX_FAILURES} failures, no more are started.`,
  };
  if (previewId === undefined) return shown;
  const showAll = pageButton('Show all', PREVIEW_ROUTE, { listId: previewId, from: 0 });
  return question(
    {
      ...shown,
      buttons: [{ label: `${label} ${chosen.length}`, routeId, value: previewId, style: 'danger' }],
      ...(rest > 0 ? { menu: [showAll] } : {}),
    },
    offered(PREVIEWS, previewId),
  );
}

/** None of them can be changed now, and why. Pure. */
export function nonePossible(
  { done }: PreviewWords,
  skipped: Preview['skipped'],
  changed: readonly Phrase[],
): Message {
  const can = skipped.length === 1 ? 'It cannot be' : `None of the ${skipped.length} can be`;
  return {
    lines: [
      ...changedLines(changed),
      ...(skipped.length > 0 ? [say`${can} ${done.toLowerCase()} now. Nothing was done.`] : []),
    ],
    bullets: skippedLines(skipped),
  };
}

/** A verb was pressed with nothing picked. */
export function nothingPicked(verb: string): Phrase {
  return say`Nothing was picked, so there is nothing to ${verb}. Pick one or more in the list, then press ${labelOf({ verb })}.`;
}

/** So many of what was picked are not there any more. */
export function pickedGone(count: number): Phrase {
  return count === 1
    ? say`1 of those that were picked no longer exists.`
    : say`${count} of those that were picked no longer exist.`;
}

/** All that would be done, page by page. Pure. */
export function previewList({ chosen, skipped }: Pick<Preview, 'chosen' | 'skipped'>): List<Phrase> {
  return {
    routeId: PREVIEW_ROUTE,
    rows: [...chosen.map(chosenLine), ...skippedLines(skipped)],
    none: { lines: [] },
    bullet: (line) => line,
    page: (part) => ({ lines: [say`${chosen.length} instances, ${placeWords(part)} lines:`] }),
  };
}

/** The modal into which the count is typed. Pure. */
export function countModal(words: PreviewWords, preview: Preview, previewId: string, count: string): Message {
  const message = previewMessage(words, preview, previewId);
  return {
    ...message,
    modal: {
      routeId: preview.routeId,
      value: previewId,
      title: `${labelOf(words)} ${count}`,
      lines: message.lines,
      bullets: message.bullets,
      field: { label: `Type ${count} to go on` },
      submit: `${labelOf(words)} ${count}`,
    },
  };
}

function chosenLine(shown: Preview['chosen'][number]): Phrase {
  return say`${nameOf(shown)} · ${statusWords({ status: shown.status, word: shown.status })}`;
}

function skippedLines(skipped: Preview['skipped']): readonly Phrase[] {
  return byReason(skipped).map(({ why, those }) =>
    those.length === 1
      ? say`Skipped ${names(those)}: it ${why}`
      : say`Skipped ${those.length}, each ${why}: ${names(those)}`,
  );
}

function changedLines(changed: readonly Phrase[]): readonly Phrase[] {
  if (changed.length === 0) return [];
  const some = changed.slice(0, MAX_DIFFERENCES);
  const more = changed.length - some.length;
  const all = some.flatMap((one, index) => [...(index === 0 ? [] : say`; `), ...one]);
  const rest = more > 0 ? say`; and ${more} more` : say``;
  return [say`Nothing was done, because this has changed since you were shown it: ${all}${rest}.`];
}
