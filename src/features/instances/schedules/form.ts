import type { Ask } from '../../../core/ask/ask.ts';
import { isFilter } from '../../../core/instances/filter.ts';
import type { PickedAt, Route } from '../../../core/intake/route.ts';
import { choicesOf, markFilters, type MayPick } from '../../../core/lookup/choices.ts';
import { Refusal } from '../../../core/refusal.ts';
import { SCHEDULE_ROUTES } from '../../../core/schedules/messages.ts';
import { momentOf } from '../../../core/sentences/moment.ts';
import type { Choice, FormField, Message } from '../../../platform/slack/message.ts';
import { type Phrase, say } from '../../../platform/slack/phrase.ts';
import { clockWords, parseTimeOfDay } from '../../../platform/time/clock-words.ts';
import type { Bot } from '../../../core/bot/bot.ts';
import { FORM_BUTTON } from './messages.ts';
import { KEEP_IT_STOPPED } from './parse-exceptions.ts';
import { readSchedule } from './schedule.ts';

/** What each field stands for, and how the form shows it. */
const FIELDS = {
  which: { label: 'Instances', picks: { most: 50, placeholder: 'Names, or type a filter like name:web-*' } },
  what: { label: 'What', picks: { most: 1, placeholder: 'Stop, start, or run between two times' } },
  at: { label: 'At, or from', picks: { most: 1, placeholder: 'Pick or type a time' } },
  to: {
    label: 'To',
    hint: 'Only where it runs between two times.',
    picks: { most: 1, placeholder: 'Pick or type a time' },
    isOptional: true,
  },
  days: { label: 'Days', picks: { most: 7, placeholder: 'Every day' }, isOptional: true },
  except: {
    label: 'But not on',
    hint: '2026-12-24, 24 Dec to 1 Jan, or holidays of the policy file by their name.',
    isOptional: true,
  },
} as const satisfies Record<string, Omit<FormField, 'name'>>;
type Field = keyof typeof FIELDS;

const HOURS = 'hours';
const KEPT = 'kept';
const WHAT: readonly Choice[] = [
  { value: 'stop', label: 'Stop' },
  { value: 'start', label: 'Start' },
  { value: 'restart', label: 'Restart' },
  { value: HOURS, label: 'Run only between two times' },
  { value: KEPT, label: 'Run only between two times, and keep it stopped otherwise' },
];
const DAYS: readonly Choice[] = [
  { value: 'daily', label: 'Every day' },
  { value: 'mon-fri', label: 'Monday to Friday' },
  { value: 'sat,sun', label: 'Saturday and Sunday' },
  { value: 'mon', label: 'Monday' },
  { value: 'tue', label: 'Tuesday' },
  { value: 'wed', label: 'Wednesday' },
  { value: 'thu', label: 'Thursday' },
  { value: 'fri', label: 'Friday' },
  { value: 'sat', label: 'Saturday' },
  { value: 'sun', label: 'Sunday' },
];

/** The form in which a schedule is picked together; what comes of it is the same question as of a typed one. */
export function formRoute(deps: Bot, asTyped: Route): Route {
  return {
    id: SCHEDULE_ROUTES.form,
    verb: 'schedule by a form',
    permission: 'instances:power',
    writes: false,
    summary: 'pick together what is scheduled',
    isAskable: false,
    outlastsOnce: true,
    hasForm: true,
    choices: (typed, mayPick, at) => choicesFor(deps, typed, mayPick, at),
    check: (ask) => whatIsWrong(deps, ask),
    handle: async ({ filled, ...ask }, audit) => {
      if (filled === undefined) {
        audit({ what: 'shown' });
        const { zone } = await momentOf(deps, ask.actor.userId, deps.clock.now());
        return formMessage(zone);
      }
      return asTyped.handle({ ...ask, words: wordsOf(filled) }, audit);
    },
  };
}

function formMessage(zone: string): Message {
  const lines = [
    say`Pick what is done when. Times are in ${zone}. Nothing is saved before you say yes to it.`,
  ];
  return {
    lines,
    buttons: [FORM_BUTTON],
    modal: {
      routeId: SCHEDULE_ROUTES.form,
      value: '',
      title: 'New schedule',
      lines,
      form: Object.entries(FIELDS).map(([name, field]) => ({ name, ...field })),
      submit: 'Next',
    },
  };
}

/** What can be picked in a field, by the id of its block. */
async function choicesFor(
  { hosting }: Bot,
  typed: string,
  mayPick: MayPick,
  { keeps }: PickedAt,
): Promise<readonly Choice[]> {
  const isLike = ({ label }: Choice): boolean => label.toLowerCase().includes(typed.trim().toLowerCase());
  switch (keeps) {
    case 'which':
      return [
        ...filterIn(typed),
        ...(await markFilters(hosting, typed, mayPick)).flatMap(filterIn),
        ...(await choicesOf(hosting, typed, mayPick)),
      ];
    case 'what':
      return WHAT.filter(isLike);
    case 'at':
    case 'to':
      return timesFor(typed);
    case 'days':
      return DAYS.filter(isLike);
    default:
      return [];
  }
}

function filterIn(typed: string): readonly Choice[] {
  const words = typed.trim().split(/\s+/).filter(Boolean);
  return words.length > 0 && words.every(isFilter)
    ? [{ value: words.join(' '), label: `All that match ${words.join(' ')}, at each run` }]
    : [];
}

/** What was typed, where it is a time, and every half hour that begins so. */
function timesFor(typed: string): readonly Choice[] {
  const text = typed.trim();
  const own = parseTimeOfDay(text);
  const half = Array.from({ length: 48 }, (_, at) =>
    clockWords({ hour: Math.floor(at / 2), minute: (at % 2) * 30 }),
  );
  const all = [...(own ? [clockWords(own)] : []), ...half.filter((one) => one.startsWith(text))];
  return [...new Set(all)].map((one) => ({ value: one, label: one }));
}

/** The words that a person would type for it. */
function wordsOf(filled: NonNullable<Ask['filled']>): string[] {
  const of = (field: Field): readonly string[] => (Object.hasOwn(filled, field) ? (filled[field] ?? []) : []);
  const [what = ''] = of('what');
  const [at = '', to = ''] = [...of('at'), ...of('to')];
  const isBetween = what === HOURS || what === KEPT;
  const days = of('days').includes('daily') ? ['daily'] : of('days');
  const except = of('except').flatMap((text) => text.trim().split(/\s+/).filter(Boolean));
  return [
    ...of('which').flatMap((one) => one.split(' ')),
    ...(isBetween ? ['hours', `${at}-${to}`] : [what, 'at', at]),
    ...(days.length > 0 ? [days.join(',')] : []),
    ...(except.length > 0 ? ['except', ...except] : []),
    ...(what === KEPT ? KEEP_IT_STOPPED : []),
  ];
}

/** What keeps it from being scheduled, while the form stands open; what is there to be asked of the service comes after that. */
async function whatIsWrong(deps: Bot, ask: Ask): Promise<Phrase | undefined> {
  const { filled = {}, actor } = ask;
  const [what = ''] = filled['what'] ?? [];
  const isBetween = what === HOURS || what === KEPT;
  const hasTo = (filled['to'] ?? []).length > 0;
  if (isBetween && !hasTo) return say`Pick under To until when it runs.`;
  if (!isBetween && hasTo) return say`It has two times. Pick to run between them, or leave To empty.`;
  const now = deps.clock.now();
  const { zone } = await momentOf(deps, actor.userId, now);
  try {
    readSchedule(wordsOf(filled), { at: now, zone }, deps.holidays());
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.answer.lines[0];
    throw error;
  }
}
