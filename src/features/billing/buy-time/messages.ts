import { counted } from '../../../core/money/counted.ts';
import { daysWords } from '../../../core/money/lasting.ts';
import type { Incomplete, Instance } from '../../../platform/hosting/service.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { type Phrase, plain, say, time } from '../../../platform/slack/phrase.ts';
import { incompleteWords, nameOf } from '../../../core/instances/messages.ts';
import { namesOf, type whyFree } from '../balance/at-zero.ts';
import { fundsWords } from '../balance/messages.ts';
import type { Reading } from '../balance/reading.ts';
import { WITHOUT_ADDONS } from '../usage/costs.ts';
import type { Gain } from './gain.ts';

/** As many as Slack shows in one menu. */
export const MAX_STOPS = 5;
const MAX_NAMED = 20;
/** The route that opens that modal. */
export const PLAN_ROUTE = 'billing.plan';

/** The button that opens the modal in which several are picked. */
export function planButton(label: string): Button {
  return { label, routeId: PLAN_ROUTE, value: 'plan', style: 'primary' };
}

/** What stopping each would bring. `buttons`: those that can be stopped from here, one at a time; `incomplete`: set where more may run; `why`: nothing costs anything. */
export function buyTimeMessage(
  reading: Reading,
  gains: readonly Gain[],
  {
    unit,
    buttons,
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
  return {
    lines: [
      fundsWords(reading, unit),
      say`What stopping one saves at most${hasAddons ? WITHOUT_ADDONS : ''}; some services charge for stopped instances too. While they're stopped, what they serve is down.`,
      ...gap,
    ],
    bullets: [
      ...named.map((gain) => gainWords(gain, unit)),
      ...(left > 0 ? [say`${incomplete ? say`At least ` : []}${left} more that cost less`] : []),
    ],
    note: say`As of ${time(reading.asOf)}`,
    // Several would fill the screen of a phone.
    ...(stops.length === 1 ? {} : { menu: stops }),
    buttons: [
      ...(gains.length > 1 ? [planButton('Pick what to stop')] : stops.length === 1 ? stops : []),
      ...topUp,
    ],
  };
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
