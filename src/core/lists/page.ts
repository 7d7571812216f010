import type { Button, Message } from '../../platform/slack/message.ts';
import { shownOf } from '../../platform/slack/render.ts';
import { placeValue } from './asked-page.ts';

/** A list that is shown page by page. */
export interface Paged {
  /** How many entries it has. */
  readonly count: number;
  /** Where the page begins, counted from 0; past the end it is the last page. */
  readonly from: number;
  readonly perPage: number;
  /** The route that shows another page. */
  readonly routeId: string;
  /** What its buttons carry; without it there are none. */
  readonly listId: string | undefined;
  /** What a page begins with at an entry, for a list whose entries change their places. */
  readonly startOf?: (entry: number) => string | undefined;
}

/** So many entries are on a page, where nothing else limits them. */
export const PER_PAGE = 40;

/**
 * One page of a list with "Previous" and "Next" after its other buttons. `page` makes the message of `shown` entries from
 * `from` on, as bullets or rows, and perhaps a last one that sums up what follows: at most `perPage`, and fewer where a
 * message has no room for so many. Pure.
 */
export function pageMessage(
  { count, from: asked, perPage, routeId, listId, startOf }: Paged,
  page: (from: number, shown: number) => Message,
): Message {
  const from = asked < count ? asked : Math.floor(Math.max(0, count - 1) / perPage) * perPage;
  const turn = (label: string, to: number): Button[] =>
    listId === undefined
      ? []
      : [{ label, routeId, value: placeValue({ listId, from: to, start: startOf?.(to) }) }];
  const withButtons = (shown: number): Message => {
    const { buttons = [], ...message } = page(from, shown);
    // A table that is sorted turns pages of its own, so that it is said how many the message's own have.
    const labelOf = (word: string, many: number): string =>
      message.table?.caption === undefined ? word : `${word} ${Math.min(perPage, many)}`;
    const left = count - from - shown;
    const all = [
      ...buttons,
      ...(from > 0 ? turn(labelOf('Previous', from), Math.max(0, from - perPage)) : []),
      ...(left > 0 ? turn(labelOf('Next', left), from + shown) : []),
    ];
    return all.length > 0 ? { ...message, buttons: all } : message;
  };
  for (let shown = Math.min(perPage, count - from); ;) {
    const message = withButtons(shown);
    const { bullets, rows } = shownOf(message);
    const left = message.table ? message.table.rows.length - rows : (message.bullets?.length ?? 0) - bullets;
    if (left <= 0 || shown <= 1) return message;
    shown = Math.max(1, shown - left);
  }
}
