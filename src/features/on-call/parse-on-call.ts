import { oneOf, PERSON } from '../../core/ask/mend-words.ts';
import { ADMINS, MAX_STEPS, MAX_WHO, type Step } from '../../core/on-call/escalation.ts';
import { BREAKING, breakingOf, isWholeDay, type Quiet } from '../../core/on-call/on-call.ts';
import { granteeOf } from '../../core/policy/grant.ts';
import { Refusal } from '../../core/refusal.ts';
import { atomsOf } from '../../core/sentences/atoms.ts';
import { readLength } from '../../core/sentences/length.ts';
import { readClock } from '../../core/sentences/times.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import type { TimeOfDay } from '../../platform/time/clock-words.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { findZone } from '../../platform/time/zoned-time.ts';

/** What was typed of who is on call in a channel. */
export type Typed =
  | { readonly do: 'show' | 'no steps' | 'no quiet' }
  | { readonly do: 'steps'; readonly steps: readonly Step[] }
  | { readonly do: 'quiet'; readonly quiet: Quiet };

const MAX_BREAKING = 10;
const STEPS_EXAMPLE = '/lamplighter oncall first @oncall, after 10 min @lead, after 30 min the admins';
const QUIET_EXAMPLE = '/lamplighter oncall quiet 22:00-07:00 except critical, errors, prod-*';

/** Reads the words after `/lamplighter oncall`. `zone`: whose clock is meant where none is named. Throws a Refusal. Pure. */
export function parseOnCall(words: readonly string[], zone: string): Typed {
  const [first = '', ...rest] = words.flatMap((word) => word.split(/[,;]/)).filter((word) => word !== '');
  const verb = first.toLowerCase();
  const isOff = rest.length === 1 && OFF.has(rest[0]?.toLowerCase() ?? '');
  if ([first, ...rest].every((word) => ASKING.has(word.toLowerCase().replace(/\?$/, ''))))
    return { do: 'show' };
  if (OFF.has(verb) && rest.length === 0) return { do: 'no steps' };
  if (verb === 'quiet') return isOff ? { do: 'no quiet' } : { do: 'quiet', quiet: parseQuiet(rest, zone) };
  return { do: 'steps', steps: parseSteps([first, ...rest]) };
}

/** Nothing but these, or nothing at all, only asks. */
const ASKING: ReadonlySet<string> = new Set(['', 'now', 'right', 'today', 'tonight', 'currently', 'here']);
const OFF: ReadonlySet<string> = new Set(['off', 'nobody', 'none', 'clear']);
/** Words that say nothing more than the order does. */
const SMALL: ReadonlySet<string> = new Set(
  'first then the and to tell call page notify wake of is now at once immediately escalate finally'.split(
    ' ',
  ),
);
const THEN: ReadonlySet<string> = new Set(['after', 'in']);

function parseSteps(words: readonly string[]): readonly Step[] {
  const steps: { afterMs: number; who: string[] }[] = [{ afterMs: 0, who: [] }];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const lower = word.toLowerCase();
    const id = granteeOf(word) ? word : /^admins?$/.test(lower) ? ADMINS : undefined;
    if (THEN.has(lower)) {
      const length = readLength(words.slice(at + 1).map((one) => one.toLowerCase()));
      if (!length) throw badSteps(say`I don't understand the time after "${word}".`);
      at += length.next;
      steps.push({ afterMs: length.ms, who: [] });
    } else if (id !== undefined) {
      const { who = [] } = steps.at(-1) ?? {};
      if (!who.includes(id)) who.push(id);
    } else if (!SMALL.has(lower)) throw badSteps(say`I don't know who "${word}" is.`);
  }
  const named = steps.filter(({ who }, at) => at > 0 || who.length > 0);
  checkSteps(named);
  return named;
}

/** Throws a Refusal where they can't be kept. */
function checkSteps(steps: readonly Step[]): void {
  if (steps.length === 0 || steps.some(({ who }) => who.length === 0))
    throw badSteps(say`Each step needs somebody: mention a person or a user group, or say the admins.`);
  if (steps.length > MAX_STEPS) throw badSteps(say`There can be ${MAX_STEPS} steps at most.`);
  if (steps.some(({ who }) => who.length > MAX_WHO))
    throw badSteps(say`A step can have ${MAX_WHO} people and user groups at most.`);
  if (steps.some(({ afterMs }) => afterMs > DAY_MS))
    throw badSteps(say`A step can come a day after the first at most.`);
  if (steps.some(({ afterMs }, at) => at > 0 && afterMs <= (steps[at - 1]?.afterMs ?? 0)))
    throw badSteps(say`Each step must come later than the one before.`);
}

function badSteps(what: Phrase): Refusal {
  return new Refusal(
    'bad-oncall',
    say`${what} Write it as in ${STEPS_EXAMPLE}. Nothing was changed.`,
    oneOf(['first', PERSON]),
  );
}

/** `22:00-07:00`, `10pm to 7am except critical, prod-*`. Throws a Refusal. */
function parseQuiet(words: readonly string[], ofAsker: string): Quiet {
  const split = words.findIndex((word) => /^(?:except|but|unless|besides)$/i.test(word));
  const [times, more] = split === -1 ? [words, []] : [words.slice(0, split), words.slice(split + 1)];
  const zone = times.map(findZone).find((one) => one !== undefined);
  const { clocks, unread } = clocksIn(times.filter((word) => findZone(word) === undefined));
  if (unread !== undefined && clocks.length > 0)
    throw badQuiet(
      say`I don't understand "${unread}". Quiet hours have one beginning and one end, the same every day.`,
    );
  const [from, until, ...others] = clocks;
  if (!from || !until || others.length > 0)
    throw badQuiet(say`I don't understand from when to when it is to be quiet.`);
  if (isWholeDay({ from, until })) throw badQuiet(say`They can't begin and end at the same time.`);
  return { from, until, zone: zone ?? ofAsker, breaks: breakingIn(more, split !== -1) };
}

const BETWEEN: ReadonlySet<string> = new Set('from between and to until till hours hour at'.split(' '));

/** The times of day, and the first word that is none. */
function clocksIn(words: readonly string[]): {
  readonly clocks: readonly TimeOfDay[];
  readonly unread: string | undefined;
} {
  const line = words.join(' ').replace(/(?<=[\dmMhH])\s*[-\u2010-\u2015]\s*(?=\d)/g, ' to ');
  const atoms = atomsOf(line).filter(({ text }) => !BETWEEN.has(text));
  const clocks: TimeOfDay[] = [];
  let unread: string | undefined;
  for (let at = 0; at < atoms.length;) {
    const clock = readClock(atoms, at, true);
    if (clock) clocks.push(clock.what);
    else unread ??= atoms[at]?.letters;
    at = clock?.next ?? at + 1;
  }
  return { clocks, unread };
}

function breakingIn(words: readonly string[], isSaid: boolean): string[] {
  if (!isSaid) return [...BREAKING];
  const named = words.filter((word) => !/^(?:and|for|alerts?|the|on)$/i.test(word));
  if (named.length === 1 && /^(?:nothing|none)$/i.test(named[0] ?? '')) return [];
  if (named.length === 0 || named.length > MAX_BREAKING)
    throw badQuiet(say`Say what breaks them: critical, errors, or up to ${MAX_BREAKING} names of instances.`);
  return named.map(breakingOf);
}

function badQuiet(what: Phrase): Refusal {
  return new Refusal(
    'bad-oncall',
    say`${what} Write it as in ${QUIET_EXAMPLE}. Nothing was changed.`,
    oneOf(['quiet', '22:00-07:00']),
  );
}
