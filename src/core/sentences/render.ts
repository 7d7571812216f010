import type { Instance } from '../../platform/hosting/service.ts';
import type { Slot } from './pattern.ts';
import type { Filled } from './read.ts';
import { EVERY } from './read-described.ts';
import type { SpokenTarget } from './target.ts';
import { clockWords } from '../../platform/time/clock-words.ts';
import type { When } from './when-of.ts';
import { dayOfWeek } from './weekdays.ts';

/** The words with which a route is asked, and the instances among them by their ids. */
export interface Rendered {
  readonly words: readonly string[];
  readonly about: readonly Instance[];
  /** What of the sentence they are made of, besides what it is about. */
  readonly used: ReadonlySet<Filled>;
}

/**
 * Puts what stands in the slots of a sentence into the words of a pattern. `at`: which slot fills each; others of a kind are
 * the first of the sentence. `these`: the instances that its target means. `why`: what else is said. Undefined where something is missing. Pure.
 */
export function render(
  words: string,
  slots: readonly Filled[],
  at: ReadonlyMap<Slot, number>,
  these: SpokenTarget | undefined,
  why?: string,
): Rendered | undefined {
  const used = new Set<Filled>();
  const find = (slot: Slot): Filled | undefined => {
    const index = at.get(slot);
    const found = index === undefined ? slots.find((one) => one.slot === slot) : slots[index];
    if (found) used.add(found);
    return found;
  };
  const rendered: string[] = [];
  let about: readonly Instance[] = [];
  for (const part of words.match(/\[[^\]]*\]|"[^"]*"|\S+/g) ?? []) {
    const isOptional = part.startsWith('[');
    const pieces = part.startsWith('"') ? [part] : part.replace(/^\[|\]$/g, '').split(' ');
    const filled: string[] = [];
    const usedBefore = [...used];
    let isMissing = false;
    for (const piece of pieces) {
      const [, before = '', name] = /^(-?[a-z]*:?)\{([a-z]+)\}$/.exec(piece) ?? [];
      if (name === undefined) {
        filled.push(piece.replace(/^"|"$/g, ''));
        continue;
      }
      if (name === 'why') {
        if (why === undefined) isMissing = true;
        else filled.push(why);
        continue;
      }
      const inPlace = wordsFor(name, find, these);
      if (!inPlace || inPlace.length === 0) isMissing = true;
      else filled.push(...inPlace.map((one) => `${before}${one}`));
      if (!isMissing && these && (name === 'x' || name === 'xs'))
        about = these.called.flat().filter((one) => !these.except.includes(one));
    }
    if (isMissing && !isOptional) return undefined;
    if (!isMissing) rendered.push(...filled);
    // What was left out is used for nothing.
    else for (const one of used) if (!usedBefore.includes(one)) used.delete(one);
  }
  return { words: rendered, about, used };
}

function wordsFor(
  slot: string,
  find: (slot: Slot) => Filled | undefined,
  these: SpokenTarget | undefined,
): readonly string[] | undefined {
  switch (slot) {
    case 'x':
      return these && oneOf(these);
    case 'xs':
      return these && severalOf(these);
    case 'as':
      return these && asFilters(these);
    case 'names':
      return these && namesOf(these);
    case 'who': {
      const filled = find('who');
      return filled?.slot === 'who' ? filled.word.split(' ') : undefined;
    }
    case 'time': {
      const filled = find('span');
      if (filled?.slot !== 'span') return undefined;
      return filled.days === undefined ? ['--last', filled.word] : ['--in', filled.days];
    }
    case 'month': {
      const filled = find('span');
      const days = filled?.slot === 'span' ? filled.days : undefined;
      return days !== undefined && /^\d{4}-\d{2}$/.test(days) ? [days] : undefined;
    }
    case 'past': {
      const filled = find('span');
      if (filled?.slot !== 'span') return undefined;
      const { days, isOver, said } = filled;
      if (said !== undefined) return said.split(' ');
      return isOver && days !== undefined ? ['--in', days] : ['--last', filled.word];
    }
    case 'said': {
      const filled = find('span');
      return filled?.slot === 'span' ? filled.said?.split(' ') : undefined;
    }
    case 'since': {
      const filled = find('when');
      return filled?.slot === 'when' ? [`${filled.when.hoursSince}h`] : undefined;
    }
    case 'when': {
      const filled = find('when');
      return filled?.slot === 'when' ? whenWords(filled.when) : undefined;
    }
    case 'hours': {
      const filled = find('when');
      return filled?.slot === 'when' ? hoursWords(filled.when) : undefined;
    }
    case 'weekly': {
      const filled = find('when');
      return filled?.slot === 'when' ? weeklyWords(filled.when) : undefined;
    }
    case 'until': {
      const filled = find('when');
      return filled?.slot === 'when' ? untilWords(filled.when) : undefined;
    }
    case 'end': {
      const filled = find('when');
      const until = filled?.slot === 'when' ? untilWords(filled.when) : undefined;
      const span = filled ? undefined : find('span');
      if (span?.slot === 'span') return ['for', span.said === 'overnight' ? 'night' : span.word];
      return until && ['until', ...until];
    }
    default: {
      const filled = find(slotNamed(slot));
      return filled && 'word' in filled ? [filled.word] : undefined;
    }
  }
}

function slotNamed(name: string): Slot {
  return name === 'span' ||
    name === 'addon' ||
    name === 'size' ||
    name === 'role' ||
    name === 'number' ||
    name === 'channel'
    ? name
    : 'x';
}

/** One instance by its id; a name that several have stays one, so that it is asked which. */
function oneOf({ called, unknown, filters }: SpokenTarget): string[] | undefined {
  if (filters.length > 0) return undefined;
  // What is unknown beside it is said to be left out.
  if (called.length > 1 || (called.length === 0 && unknown.length !== 1)) return undefined;
  const [those = []] = called;
  const [first, second] = those;
  if (!first) return [...unknown];
  return [second === undefined ? first.id : first.name];
}

/** Names, and the patterns of names that are filtered by; undefined where something else is said of them. */
function namesOf({
  called,
  unknown,
  filters,
  except,
  exceptBy,
  isChoice,
}: SpokenTarget): string[] | undefined {
  if (isChoice || unknown.length + except.length + exceptBy.length > 0) return undefined;
  const patterns = filters.map((filter) => /^name:(.+)$/.exec(filter)?.[1]);
  const names = [...called.flat().map(({ name }) => name), ...patterns];
  return names.length > 0 && names.every((name) => name !== undefined) ? names : undefined;
}

function severalOf(target: SpokenTarget): string[] | undefined {
  const { called, unknown, filters, except, exceptBy } = target;
  if (filters.length > 0) return filtersOf(target);
  // Nothing takes names and filters at once.
  if (exceptBy.length > 0) return undefined;
  const left = called.flat().filter((one) => !except.includes(one));
  const ids = [...new Set(left.map(({ id }) => id)), ...unknown];
  return ids.length > 0 ? ids : undefined;
}

function filtersOf({ filters, except, exceptBy }: SpokenTarget): string[] {
  // A pattern would leave out others as well.
  const left = [...(except.length > 0 ? [`name:${eachName(except)}`] : []), ...exceptBy];
  const rest = filters.filter((filter) => filter !== EVERY || left.length === 0);
  return [...rest, ...left.map((filter) => `-${filter}`)];
}

function asFilters(target: SpokenTarget): string[] | undefined {
  if (target.filters.length > 0) return filtersOf(target).filter((filter) => filter !== EVERY);
  // One alone is shown, and not listed.
  if (target.called.length === 0 || target.called.flat().length === 1) return undefined;
  return [`name:${commonName(target.called.flat())}`];
}

/** What a filter calls these by: `web-*`, or each name. */
function commonName(instances: readonly Instance[]): string {
  const names = [...new Set(instances.map(({ name }) => name))];
  const starts = new Set(names.map((name) => /^[a-z]+[-_]?/i.exec(name)?.[0]));
  const [start] = starts;
  if (names.length > 1 && starts.size === 1 && start !== undefined) return `${start}*`;
  return eachName(instances);
}

function eachName(instances: readonly Instance[]): string {
  return [...new Set(instances.map(({ name }) => name.replaceAll(',', '*')))].join(',');
}

/** As schedules have it: "at 20:00 mon-fri", "once at 2026-11-18 22:30"; nothing is done at an end. */
function whenWords(when: When): string[] | undefined {
  const { time, to, days, date, nextDate, isEnd, isTorn, mayBeToday } = when;
  if (isEnd || isTorn || mayBeToday || to) return undefined;
  if (days === undefined) return ['once', 'at', date ?? nextDate, clockWords(time)];
  return ['at', clockWords(time), days, ...boundsOf(when)];
}

/** As digests have it: "mon 09:00", of one day of the week. */
function weeklyWords(when: When): string[] | undefined {
  const { weekday, days = weekday, time, to, isEnd, isTorn, isOne } = when;
  if (weekday === undefined || days !== weekday || to || isEnd || isTorn || isOne) return undefined;
  return boundsOf(when).length > 0 ? undefined : [weekday, clockWords(time)];
}

/** As ends have it: "fri 08:00"; nothing is until what is no end, comes again and again, or hasn't begun. */
function untilWords(when: When): string[] | undefined {
  const { isEnd, isAhead, isTorn, mayBeToday, days, date, time } = when;
  if (!isEnd || isAhead || isTorn || mayBeToday || days !== undefined) return undefined;
  const weekday = dayOfWeek(date);
  return [...(weekday === undefined ? [] : [weekday]), clockWords(time)];
}

/** Until when what comes again does, and without which days. */
function boundsOf({ until, except = [] }: When): readonly string[] {
  return [...(until === undefined ? [] : ['until', until]), ...except];
}

function hoursWords(when: When): string[] | undefined {
  const { time, to, days, isTorn } = when;
  if (isTorn) return undefined;
  const of = days === undefined ? [] : [days, ...boundsOf(when)];
  return to && ['hours', `${clockWords(time)}-${clockWords(to)}`, ...of];
}
