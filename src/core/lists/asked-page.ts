import { z } from 'zod';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import { actorSchema } from '../../platform/slack/ids.ts';
import { person, say } from '../../platform/slack/phrase.ts';
import type { Ask } from '../ask/ask.ts';
import type { OfferKind, Offers } from '../offers/offers.ts';
import { theirs } from '../offers/confirmation.ts';
import { Refusal } from '../refusal.ts';

const shownListSchema = z.object({
  /** The only person who may turn its pages. */
  actor: actorSchema,
  /** The words after the verb that it was asked by. */
  words: z.array(z.string()),
});
/** A list that one person was shown. Its buttons carry its id and a place in it, and what it shows is read again. */
type ShownList = z.infer<typeof shownListSchema>;

const SHOWN_LISTS: OfferKind<ShownList> = { name: 'list', schema: shownListSchema };

/** The id of a list that no words were typed for. It needs no record: everybody sees in it what they may. */
export const WHOLE_LIST = 'whole';

/** Which part of a list somebody asks for. */
export interface AskedPage {
  /** The words after the verb. */
  readonly words: readonly string[];
  /** Where the page begins, counted from 0. */
  readonly from: number;
  /** One of the list's own short filters, where its button was pressed. */
  readonly quick?: string;
  /** What the page began with when it was offered, in the words of the list. */
  readonly start?: string;
  /** The list it is a page of, where it was shown before. */
  readonly listId?: string;
}

/** A place in a list as the value of a button, or as the id of a picker's block. */
export interface ListPosition {
  readonly listId: string;
  readonly from: number;
  readonly quick?: string;
  /** What the page begins with, so that it is found again in a list that has changed; without spaces. */
  readonly start?: string;
}

const PLACE = new RegExp(
  `^(${WHOLE_LIST}|[A-Za-z0-9_-]{22})\\.(\\d{1,6})(?:\\.([a-z]{1,20}))?(?:@([^\\s@]{1,200}))?$`,
);

/** What the place of a list's select of several ends with. */
const SEVERAL = 'several';

/**
 * The place of a list's select of several, and of the buttons beside it. `start`: the route of the list, where it isn't
 * the one of instances.
 */
export function pickedPlace(place: Pick<ListPosition, 'listId' | 'from' | 'start'>): string {
  return placeValue({ ...place, quick: SEVERAL });
}

/** Whether a button stands beside a list's select of several. */
export function isPickedPlace(value: string | undefined): boolean {
  return parsePlace(value)?.quick === SEVERAL;
}

/** A place as a value without spaces; `parsePlace` reads it. */
export function placeValue({ listId, from, quick, start }: ListPosition): string {
  const place = [listId, String(from), ...(quick === undefined ? [] : [quick])].join('.');
  return start === undefined ? place : `${place}@${start}`;
}

/** The place that a value names; undefined for any other value. */
export function parsePlace(value: string | undefined): ListPosition | undefined {
  const [, listId, from, quick, start] = PLACE.exec(value ?? '') ?? [];
  if (listId === undefined) return undefined;
  return { listId, from: Number(from), quick, start };
}

/**
 * What was typed, or the page that a button asks for; a button that names no list asks for the beginning. `command`: what
 * to type instead. Throws a Refusal where the list is not known any more, or is somebody else's.
 */
export async function askedPage(
  deps: { readonly offers: Offers },
  ask: Ask,
  command: string,
): Promise<AskedPage> {
  const place = parsePlace(ask.value);
  if (!place) return { words: ask.words, from: 0 };
  const { words } = theirs({ what: await findList(deps, ask, place.listId) }, ask, {
    foreign: ({ actor: { userId } }) =>
      new Refusal(
        'foreign',
        say`That list was made for ${person(userId)}. Ask for your own with ${command}.`,
      ),
    expired: () => new Refusal('button-expired', say`That button is too old. Ask again with ${command}.`),
  });
  return { words, ...place };
}

/** Gives the id of what `actor` is shown, for its buttons: `WHOLE_LIST` where no words say what; undefined where it can't be kept. */
export async function keepList(
  { offers }: { readonly offers: Offers },
  { actor }: Pick<Ask, 'actor'>,
  words: readonly string[],
): Promise<string | undefined> {
  if (words.length === 0) return WHOLE_LIST;
  return unlessRedisIsAway(offers.make(SHOWN_LISTS, { actor, words: [...words] }), undefined);
}

/** The list as `actor` asks for it. Undefined when it has expired or never was. */
export async function findList(
  { offers }: { readonly offers: Offers },
  { actor }: Pick<Ask, 'actor'>,
  listId: string,
): Promise<ShownList | undefined> {
  return listId === WHOLE_LIST ? { actor, words: [] } : (await offers.find(SHOWN_LISTS, listId)).what;
}
