import { Refusal } from '../refusal.ts';
import type { Ask } from '../ask/ask.ts';
import { person, say } from '../../platform/slack/phrase.ts';
import { type ShownLists, WHOLE_LIST } from './shown-lists.ts';

/** Which part of a list somebody asks for. */
export interface AskedPage {
  /** The words after the verb. */
  readonly words: readonly string[];
  /** Where the page begins, counted from 0. */
  readonly from: number;
  /** One of the list's own short filters, where its button was pressed. */
  readonly quick?: string;
  /** The list it is a page of, where it was shown before. */
  readonly listId?: string;
}

/** A place in a list as the value of a button, or as the id of a picker's block. */
export interface Place {
  readonly listId: string;
  readonly from: number;
  readonly quick?: string;
}

const PLACE = new RegExp(`^(${WHOLE_LIST}|[A-Za-z0-9_-]{22})\\.(\\d{1,6})(?:\\.([a-z]{1,20}))?$`);

/** What the place of a list's select of several ends with. */
const SEVERAL = 'several';

/** The place of a list's select of several, and of the buttons beside it. */
export function pickedPlace(place: Omit<Place, 'quick'>): string {
  return placeValue({ ...place, quick: SEVERAL });
}

/** Whether a button stands beside a list's select of several. */
export function isPickedPlace(value: string | undefined): boolean {
  return parsePlace(value)?.quick === SEVERAL;
}

/** A place as a value without spaces; `parsePlace` reads it. */
export function placeValue({ listId, from, quick }: Place): string {
  return [listId, String(from), ...(quick === undefined ? [] : [quick])].join('.');
}

/** The place that a value names; undefined for any other value. */
export function parsePlace(value: string | undefined): Place | undefined {
  const [, listId, from, quick] = PLACE.exec(value ?? '') ?? [];
  if (listId === undefined) return undefined;
  return { listId, from: Number(from), quick };
}

/**
 * What was typed, or the page that a button asks for; a button that names no list asks for the beginning. `command`: what
 * to type instead. Throws a Refusal where the list is not known any more, or is somebody else's.
 */
export async function askedPage(
  { shownLists }: { readonly shownLists: ShownLists },
  { words, value, actor }: Pick<Ask, 'words' | 'value' | 'actor'>,
  command: string,
): Promise<AskedPage> {
  const place = parsePlace(value);
  if (!place) return { words, from: 0 };
  const list = await shownLists.find(place.listId, actor.userId);
  if (!list) throw new Refusal('button-expired', say`That button is too old. Ask again with ${command}.`);
  if (list.userId !== actor.userId) {
    throw new Refusal(
      'foreign',
      say`That list was made for ${person(list.userId)}. Ask for your own with ${command}.`,
    );
  }
  return { words: list.words, ...place };
}
