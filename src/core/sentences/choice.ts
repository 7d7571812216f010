import type { Names } from './names.ts';
import type { Order } from './orders.ts';
import type { Sentence } from './read.ts';
import { render } from './render.ts';
import { NOTHING, type SpokenTarget } from './target.ts';
import type { OfferedChange, Understood } from './understood.ts';

/** Words of a route that name what it is about. */
export const NAMED = /\{xs?\}/;

/** One button for each that may be meant; a question where nobody can tell. Pure. */
export function choice(
  order: Order,
  targets: readonly (SpokenTarget | undefined)[],
  sentence: Sentence,
  names: Names,
): Understood {
  const meant = targets.flatMap((target) => [
    ...(target?.called.flat() ?? []),
    ...(target?.unknown.flatMap((word) => names.near(word)) ?? []),
  ]);
  const [only, ...others] = targets;
  const several = only && others.length === 0 ? completed(order, only, sentence, names) : [];
  const unknown = targets.flatMap((target) => target?.unknown ?? []);
  if (several.length > 0) return { what: 'offers', offers: several, isWhich: several.length > 1, unknown };
  const leftOut = new Set(targets.flatMap((target) => target?.except ?? []));
  const each = [...new Set(meant)].filter((one) => !leftOut.has(one)).slice(0, MOST_OFFERED);
  const offers = each.flatMap((instance) => {
    const target: SpokenTarget = { ...NOTHING, called: [[instance]] };
    const rendered = render(order.entry.words, sentence.slots, order.at, target);
    return rendered ? [change(order, rendered)] : [];
  });
  if (offers.length > 0) return { what: 'offers', offers, isWhich: true, unknown };
  return {
    what: 'which',
    routeId: order.entry.route.id,
    words: lackingX(order.entry.words, order, sentence),
    unknown,
  };
}

const MOST_OFFERED = 5;

/** Those that are certain with each that the one which isn't may be, and alone; none where that is not what is said. */
function completed(
  order: Order,
  target: SpokenTarget,
  { slots }: Sentence,
  names: Names,
): readonly OfferedChange[] {
  const { route, words } = order.entry;
  const { called, unknown, except, exceptBy, isChoice, isVague, isThat } = target;
  const certain = called.filter(({ length }) => length === 1).flat();
  const open = [...called.filter(({ length }) => length > 1), ...unknown.map((word) => names.near(word))];
  const isLess = except.length + exceptBy.length > 0;
  const isOther = isChoice || isVague || isThat || isLess || route.spoken?.isForOne;
  if (isOther || certain.length === 0 || open.length === 0) return [];
  const [first = [], second] = open;
  const may = second ? [] : first.filter((one) => !certain.includes(one)).slice(0, MOST_OFFERED - 1);
  return [...may.map((one) => [...certain, one]), certain].flatMap((those) => {
    const named = { ...NOTHING, called: those.map((one) => [one]) };
    const rendered = render(words.replace('{x}', '{xs}'), slots, order.at, named);
    return rendered ? [change(order, rendered)] : [];
  });
}

/** The words of a route without what it is about. */
export function lackingX(words: string, { at }: Order, { slots }: Sentence): readonly string[] {
  return render(words.replace(NAMED, ''), slots, at, undefined)?.words ?? [];
}

/** What a button offers that asks for an order in these words. */
export function change(
  { entry: { route } }: Order,
  { words, about }: Pick<OfferedChange, 'words' | 'about'>,
): OfferedChange {
  return { routeId: route.id, verb: route.verb, words, about };
}

/** What is asked twice is offered once, and the same done with several instances is one change of all. */
export function joined(offers: readonly OfferedChange[]): readonly OfferedChange[] {
  const [first, ...others] = offers;
  if (!first) return [];
  const isOfInstances = offers.every(({ words, about }) => words.length === about.length);
  if (isOfInstances && others.every(({ routeId }) => routeId === first.routeId)) {
    const about = [...new Set(offers.flatMap((one) => one.about))];
    return [{ ...first, words: about.map(({ id }) => id), about }];
  }
  return eachOnce(offers);
}

/** The same without what is offered twice. Pure. */
export function eachOnce(offers: readonly OfferedChange[]): readonly OfferedChange[] {
  const asText = ({ routeId, words }: OfferedChange): string => [routeId, ...words].join(' ');
  return offers.filter((one, at) => offers.findIndex((other) => asText(other) === asText(one)) === at);
}
