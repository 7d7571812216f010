import type { Instance } from '../../platform/hosting/service.ts';
import { change, choice, lackingX, NAMED } from './choice.ts';
import type { Order } from './orders.ts';
import type { Slot } from './pattern.ts';
import type { Filled, Sentence } from './read.ts';
import { notRead, notReadTime } from './cannot.ts';
import { render, type Rendered } from './render.ts';
import { ONE_AT_A_TIME } from './tables.ts';
import { type Known, NOTHING, type SpokenTarget, without } from './target.ts';
import type { Moment } from './times.ts';
import type { Understood } from './understood.ts';

/** Where a sentence is said. */
export interface Spot {
  readonly known: Omit<Known, 'ordinary'>;
  readonly moment: Moment;
  /** What its thread, or what was last shown here, is about. */
  readonly about: readonly Instance[];
  /** What was last asked for there: the route. */
  readonly lastRouteId?: string | undefined;
}

/** An order of what was spoken of before, all of it. */
export function withThese(order: Order, { slots }: Sentence, spot: Spot): Understood | undefined {
  const { route } = order.entry;
  if (spot.about.length === 0 || (route.spoken?.isForOne && spot.about.length > 1)) return undefined;
  const rendered = render('{xs}', slots, order.at, thatOf(spot));
  return rendered && { what: 'offers', offers: [change(order, rendered)], isWhich: false };
}

/** What stands in the place of the instances, with what "it" means here. */
export function targetOf(
  at: ReadonlyMap<Slot, number>,
  { slots }: Sentence,
  spot: Spot,
): SpokenTarget | undefined {
  const index = at.get('x');
  const filled = index === undefined ? undefined : slots[index];
  if (filled?.slot !== 'x') return undefined;
  const { target } = filled;
  if (!target.isThat) return target;
  // What is named after it is another matter.
  const before = slots
    .slice(0, index)
    .find(
      (one): one is Extract<Filled, { slot: 'x' }> =>
        one.slot === 'x' && one.target.called.length + one.target.unknown.length > 0,
    );
  const { called, unknown } = before?.target ?? thatOf(spot);
  if (called.length + unknown.length === 0) return target;
  if (!before && target.isAll && called.length === 1) return target;
  return {
    ...target,
    // "Restart it" below two of them: which one?
    // And "both" of three: which two?
    isChoice:
      target.isChoice ||
      (!before && !target.isAll && called.length > 1) ||
      (target.count !== undefined && target.count !== called.length),
    called: [...called, ...target.called],
    unknown: [...unknown, ...target.unknown],
    isThat: false,
  };
}

/** What "it" means where nothing is named before it. */
function thatOf({ about }: Spot): SpokenTarget {
  return { ...NOTHING, called: about.map((one) => [one]) };
}

/** What is offered for one order; undefined for several at once of what takes one. */
export function changeFor(
  order: Order,
  sentence: Sentence,
  spot: Spot,
  why?: string,
): Understood | undefined {
  const { route, words } = order.entry;
  const { except = [] } = order;
  const named = targetOf(order.at, sentence, spot);
  const at = order.at.get('span') ?? -1;
  const span = sentence.slots[at];
  // "Yesterday" and "since 9" say no length.
  if (words.includes('{span}') && span?.slot === 'span' && (span.days ?? span.said) !== undefined)
    return unclear(sentence.typed[at] ?? '', notReadTime);
  if (!named && except.length > 0) return undefined;
  const target = named && without(named, except);
  // Half of what is named, beside "the red ones", is not all of it.
  if (target?.isVague && target.called.length > 0)
    return unclear(sentence.typed[order.at.get('x') ?? -1] ?? '');
  // Filters and names together are taken by nothing, and neither may be left out; none is both running and stopped.
  if (
    target &&
    ((target.filters.length > 0 && target.called.length + target.unknown.length > 0) || isTwice(target))
  )
    return unclear(sentence.typed[order.at.get('x') ?? -1] ?? '');
  // Any of them may be watched; only one of them can be meant by what is done.
  const isAny = target?.isChoice && target.unknown.length === 0 && words === '{xs}';
  if (!NAMED.test(words) || (target && (isExact(target) || isAny))) {
    const several = words.replace('{x}', '{xs}');
    const rendered = inTurn(order, sentence, render(several, sentence.slots, order.at, target, why));
    if (route.spoken?.isForOne && target && (target.isAll || target.filters.length > 0)) return undefined;
    if (route.spoken?.isForOne && target && target.called.length > 1) {
      // Each of them by itself.
      const each = choice(order, [target], sentence, spot.known.names);
      return each.what === 'offers' ? { ...each, isWhich: false } : each;
    }
    if (rendered) return { what: 'offers', offers: [change(order, rendered)], isWhich: false };
    // A time that is no beginning: no change is made of the rest.
    if (target && /\{(?:when|hours|end)\}/.test(words)) return unreadTime(sentence);
  }
  const isNothingNamed = sentence.slots.every(({ slot }) => slot !== 'x');
  if (target || (isNothingNamed && spot.about.length > 0))
    return choice(order, [target ?? thatOf(spot)], sentence, spot.known.names);
  return { what: 'which', routeId: route.id, words: lackingX(words, order, sentence), unknown: [] };
}

/** A time that can be read in part only. */
function unreadTime({ slots, typed }: Sentence): Understood | undefined {
  const at = slots.findIndex((one) => one.slot === 'when' && !one.when.isEnd);
  return at < 0 ? undefined : unclear(typed[at] ?? '', notReadTime);
}

/** A part of an order that means nothing here, so that none is offered. `part`: as it was typed. Pure. */
export function unclear(part: string, words = notRead): Understood {
  return { what: 'cannot', cannot: words(part), about: [], isOrder: true };
}

/** Several that are to be done one after the other are not done at once. */
function inTurn(
  { entry: { route, words } }: Order,
  { isInTurn }: Sentence,
  rendered: Rendered | undefined,
): Rendered | undefined {
  const isSeveral =
    rendered && (rendered.about.length > 1 || rendered.words.some((word) => word.includes(':')));
  const mayBe = isInTurn && isSeveral && words === '{x}' && route.spoken?.verbs && !route.spoken.isForOne;
  return mayBe ? { ...rendered, words: [...rendered.words, ...ONE_AT_A_TIME] } : rendered;
}

/** Whether its filters ask for two values of what has one: "all running servers paused". */
function isTwice({ filters }: SpokenTarget): boolean {
  const fields = filters.flatMap((filter) => /^(?:status|tier|health)(?=:)/.exec(filter) ?? []);
  return new Set(fields).size < fields.length;
}

/** Whether everything that is named is one thing for certain. */
function isExact({ called, unknown, filters, isAll, isChoice, isVague, isThat }: SpokenTarget): boolean {
  if (isChoice || isVague || isThat || unknown.length > 0) return false;
  return filters.length > 0 || (called.length > 0 && (isAll || called.every(({ length }) => length === 1)));
}
