import { counted, type Amount, compare, subtract, timesIn, ZERO } from '../../../core/money/amount.ts';
import type { Incomplete, Instance } from '../../../platform/hosting/service.ts';
import type { Button, Message, SeveralPicker } from '../../../platform/slack/message.ts';
import { type Phrase, plain, say, time } from '../../../platform/slack/phrase.ts';
import { incompleteWords, nameOf } from '../../../core/instances/messages.ts';
import { namesOf, type whyFree } from '../balance/at-zero.ts';
import { fundsWords } from '../balance/messages.ts';
import type { Reading } from '../balance/reading.ts';
import { WITHOUT_ADDONS } from '../usage/costs.ts';

/** What stopping one instance would bring, at most: a service may charge for what is stopped, too. */
export interface Gain {
  readonly id: string;
  readonly name: string;
  /** What it costs a day; undefined where the service does not say. */
  readonly perDay: Amount | undefined;
  /** Tenths of a day that the balance would last longer; 'for years' where nothing else costs, undefined where unknown. */
  readonly tenths: bigint | 'for years' | undefined;
}

/** Ten years, in tenths of a day. */
const YEARS_TENTHS = 36_500n;

/** What stopping each of these would bring, what brings most first. Pure and exact. */
export function gainsOf<One extends Omit<Gain, 'tenths'>>(
  { balance, perDay }: { readonly balance: Amount; readonly perDay: Amount | undefined },
  running: readonly One[],
): readonly (One & Gain)[] {
  return running
    .map((one) => ({ ...one, tenths: tenthsOf(balance, perDay, one.perDay) }))
    .toSorted(costliestFirst);
}

/** The order of what costs most first. */
export function costliestFirst(
  one: Pick<Gain, 'name' | 'perDay'>,
  other: Pick<Gain, 'name' | 'perDay'>,
): number {
  return compare(other.perDay ?? ZERO, one.perDay ?? ZERO) || one.name.localeCompare(other.name);
}

function tenthsOf(balance: Amount, perDay: Amount | undefined, saved: Amount | undefined): Gain['tenths'] {
  if (!perDay || !saved || compare(perDay, ZERO) <= 0) return undefined;
  if (compare(balance, ZERO) <= 0 || compare(saved, ZERO) <= 0) return 0n;
  const left = subtract(perDay, saved);
  if (compare(left, ZERO) <= 0) return 'for years';
  const tenths = timesIn(balance, left, 10) - timesIn(balance, perDay, 10);
  return tenths > YEARS_TENTHS ? 'for years' : tenths;
}

/** As many as Slack shows in one menu. */
export const MAX_STOPS = 5;
const MAX_NAMED = 20;

/** What stopping each would bring. `buttons`: those that can be stopped from here, one at a time; `incomplete`: set where more may run; `why`: nothing costs anything. Pure. */
export function buyTimeMessage(
  reading: Reading,
  gains: readonly Gain[],
  {
    unit,
    buttons,
    several,
    protectedCount,
    apart,
    incomplete,
    why,
    topUp,
    hasAddons,
  }: {
    unit: string;
    /** Opens the page where credit is bought. */
    topUp: readonly Button[];
    /** What runs and is paid in another way. */
    apart: readonly Pick<Instance, 'id' | 'name'>[];
    buttons: readonly { name: string; routeId: string; value: string }[];
    several: SeveralPicker;
    /** So many of them are protected, and can't be picked there. */
    protectedCount: number;
    incomplete: Incomplete | undefined;
    why: ReturnType<typeof whyFree>;
    /** Add-ons of theirs cost something. */
    hasAddons: boolean;
  },
): Message {
  const gap = [
    ...(apart.length === 0
      ? []
      : [
          say`Not paid by the day, so a stop may save nothing: ${namesOf({ named: apart, count: apart.length })}.`,
        ]),
    ...(incomplete ? [incompleteWords(incomplete, 'instances')] : []),
  ];
  if (gains.length === 0)
    return {
      lines: [
        fundsWords(reading, unit, why),
        incomplete
          ? say`I found no running instance, so I can't say what stopping one would save.`
          : say`Nothing that is paid by the day is running, so stopping saves nothing. Only a top-up buys time.`,
        ...gap,
      ],
      note: say`As of ${time(reading.asOf)}`,
      buttons: topUp,
    };
  const named = gains.slice(0, MAX_NAMED);
  const left = gains.length - named.length;
  const stops = buttons.map(({ name, routeId, value }) => ({
    label: `Stop ${plain(name, 60)}`,
    routeId,
    value,
  }));
  const canPick = gains.length - protectedCount > 1;
  return {
    lines: [
      fundsWords(reading, unit),
      say`What stopping one saves at most${hasAddons ? WITHOUT_ADDONS : ''}; some services charge for stopped instances too. While they're stopped, what they serve is down.`,
      ...(canPick && protectedCount > 0 ? [protectedWords(protectedCount)] : []),
      ...gap,
    ],
    bullets: [
      ...named.map((gain) => gainWords(gain, unit)),
      ...(left > 0 ? [say`${incomplete ? say`At least ` : []}${left} more that cost less`] : []),
    ],
    note: say`As of ${time(reading.asOf)}`,
    // Several would fill the screen of a phone.
    ...(stops.length === 1 ? {} : { menu: stops }),
    ...(canPick ? { several } : {}),
    buttons: [...(stops.length === 1 ? stops : []), ...topUp],
  };
}

function protectedWords(count: number): Phrase {
  return count === 1
    ? say`1 of them is protected: it is stopped only by itself.`
    : say`${count} of them are protected: each is stopped only by itself.`;
}

function gainWords(gain: Gain, unit: string): Phrase {
  if (!gain.perDay) return say`${nameOf(gain)}: the service does not say what it costs`;
  const cost = say`${nameOf(gain)}: ${counted(gain.perDay, unit)} a day`;
  if (gain.tenths === undefined) return cost;
  if (gain.tenths === 'for years') return say`${cost}, and without it the balance lasts for years`;
  return gain.tenths === 0n
    ? say`${cost}, less than 0.1 day more`
    : say`${cost}, ${daysWords(gain.tenths)} more`;
}

/** "5.5 days", "1 day". */
function daysWords(tenths: bigint): string {
  const [whole, part] = [tenths / 10n, tenths % 10n];
  if (whole === 1n && part === 0n) return '1 day';
  return `${whole}${part === 0n ? '' : `.${part}`} days`;
}
