import { MAX_ROWS } from '../../platform/slack/figures.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { shownOf } from '../../platform/slack/render.ts';
import type { Ask } from '../ask/ask.ts';
import type { Offers } from '../offers/offers.ts';
import { type AskedPage, keepList, type ListPosition, placeValue, WHOLE_LIST } from './asked-page.ts';
import { type Bars, chartOf, type Column, tableOf } from './columns.ts';

/** A list that is shown page by page, by its columns or a line for each row. */
export interface List<Row> {
  readonly rows: readonly Row[];
  /** What is said where there are none. */
  readonly none: Message;
  readonly columns?: readonly Column<Row>[];
  readonly bullet?: (row: Row, index: number) => Phrase;
  /** A picture over the first page. */
  readonly bars?: Bars<Row>;
  /** What the rows after a page come to, as its last one. */
  readonly others?: (rest: readonly Row[]) => Row;
  /** What a table is called that its reader sorts. */
  readonly caption?: (part: Part<Row>) => string;
  /** What a page says and has beside its rows. */
  readonly page: (part: Part<Row>) => Omit<Message, 'bullets' | 'moreBullets' | 'table' | 'chart'>;
  /** The route that shows another page, and the words that it asks for it with, where they aren't those that were typed. */
  readonly routeId: string;
  readonly words?: readonly string[];
  readonly perPage?: number;
  /** What a page begins with, for a list whose rows change their places. */
  readonly startOf?: (row: Row) => string;
}

/** The rows of one page. */
export interface Part<Row> {
  readonly rows: readonly Row[];
  /** What comes after them. */
  readonly rest: readonly Row[];
  /** Where they begin, counted from 0. */
  readonly from: number;
  /** How many the list has. */
  readonly count: number;
}

/** So many lines are on a page, where nothing else limits them. */
export const PER_PAGE = 40;

/** "41 to 80 of 95:", of a page that isn't the whole list. `more`: what is said of all of it before the colon. */
export function partWords(part: Part<unknown>, more: Phrase = say``): readonly Phrase[] {
  return isWhole(part) ? [] : [say`${placeWords(part)}${more}:`];
}

/** "41 to 80 of 95". */
export function placeWords({ rows, from, count }: Part<unknown>): string {
  return `${from + 1} to ${from + rows.length} of ${count}`;
}

/** Whether the page is the whole list. */
export function isWhole({ rows, count }: Part<unknown>): boolean {
  return rows.length === count;
}

/** The page that somebody asks for, whose buttons keep what was asked. */
export async function showList<Row>(
  deps: { readonly offers: Offers },
  ask: Pick<Ask, 'actor'>,
  page: Pick<AskedPage, 'from' | 'listId' | 'words'>,
  list: List<Row>,
): Promise<Message> {
  const words = list.words ?? page.words;
  const { message, isPart } = laidOut(list, page.from, page.listId ?? WHOLE_LIST);
  if (!isPart || page.listId !== undefined || words.length === 0) return message;
  return pageMessage(list, { from: page.from, listId: await keepList(deps, ask, words) });
}

/**
 * One page of a list with "Previous" and "Next" after its other buttons, which carry `listId`; without it there are none. Its rows are at
 * most as many as a page has, and fewer where a message has no room for so many. Pure.
 */
export function pageMessage<Row>(
  list: List<Row>,
  { from, listId }: { readonly from: number; readonly listId: string | undefined },
): Message {
  return laidOut(list, from, listId).message;
}

function laidOut<Row>(
  list: List<Row>,
  asked: number,
  listId: string | undefined,
): { readonly message: Message; readonly isPart: boolean } {
  const { rows, none, routeId, startOf, columns, perPage = columns ? MAX_ROWS - 1 : PER_PAGE } = list;
  const { length: count } = rows;
  if (count === 0) return { message: none, isPart: false };
  const from = asked < count ? asked : Math.floor((count - 1) / perPage) * perPage;
  const turn = (label: string, to: number): Button[] => {
    const start = rows[to] && startOf?.(rows[to]);
    return listId === undefined ? [] : [pageButton(label, routeId, { listId, from: to, start })];
  };
  for (let shown = Math.min(perPage, count - from); ;) {
    const { buttons = [], ...page } = partMessage(list, from, shown);
    const left = count - from - shown;
    // A table that is sorted turns pages of its own, so that it is said how many the message's own have.
    const labelOf = (word: string, many: number): string =>
      page.table?.caption === undefined ? word : `${word} ${Math.min(perPage, many)}`;
    const all = [
      ...buttons,
      ...(from > 0 ? turn(labelOf('Previous', from), Math.max(0, from - perPage)) : []),
      ...(left > 0 ? turn(labelOf('Next', left), from + shown) : []),
    ];
    const message = {
      ...page,
      ...(page.bullets && left > 0 && listId === undefined ? { moreBullets: left } : {}),
      ...(all.length > 0 ? { buttons: all } : {}),
    };
    const fits = shownOf(message);
    const over = (page.table?.rows.length ?? 0) - fits.rows + (page.bullets?.length ?? 0) - fits.bullets;
    if (over <= 0 || shown <= 1) return { message, isPart: from > 0 || left > 0 };
    shown = Math.max(1, shown - over);
  }
}

/** A button that shows a list from a place on. */
export function pageButton(label: string, routeId: string, place: ListPosition): Button {
  return { label, routeId, value: placeValue(place) };
}

function partMessage<Row>(list: List<Row>, from: number, shown: number): Message {
  const { rows: all, columns, bullet, bars, others, caption, page } = list;
  const [rows, rest] = [all.slice(from, from + shown), all.slice(from + shown)];
  const part = { rows, rest, from, count: all.length };
  const chart = bars && from === 0 ? chartOf(bars, all) : undefined;
  const last = others && rest.length > 0 ? [others(rest)] : [];
  return {
    ...page(part),
    ...(chart ? { chart } : {}),
    ...(columns ? { table: tableOf(columns, [...rows, ...last], caption?.(part)) } : {}),
    ...(bullet ? { bullets: rows.map((row, index) => bullet(row, from + index)) } : {}),
  };
}
