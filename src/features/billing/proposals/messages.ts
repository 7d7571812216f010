import { compare, formatAmount, timesIn, ZERO, type Amount, counted } from '../../../core/money/amount.ts';
import { namesUpTo } from '../../../core/instances/messages.ts';
import type { Button, Message } from '../../../platform/slack/message.ts';
import { person, plain, say, strong } from '../../../platform/slack/phrase.ts';
import { NIGHTS, type WhyNone } from './find.ts';
import { amountOf } from '../ledger/daily-costs.ts';
import type { Proposals, Proposed, Brought } from './record.ts';

export const PROPOSAL_ROUTES = {
  proposals: 'billing.proposals',
  try: 'billing.proposal-try',
  answer: 'billing.proposal-answer',
} as const;

const MAX_NAMED = 8;
const MAX_NAME = 60;

/** What could be stopped, how sure that is, and what it brings. Pure. */
export function proposalMessage(proposed: Proposed, unit: string): Message {
  const { name, instances, zone, perMonth, costPerMonth } = proposed;
  const [saved, cost] = [amountOf(perMonth), amountOf(costPerMonth)];
  const isOne = instances.length === 1;
  const those = isOne ? 'It' : 'They';
  return {
    lines: [
      say`💡 ${strong(`Stop ${plain(name, MAX_NAME)} at night and on weekends`)}: that would save ${leastWords(proposed)} ${aMonth(saved, unit)}, ${percent(saved, cost)} of what ${isOne ? 'it costs' : 'they cost'}.`,
      isOne
        ? say`${namesUpTo(MAX_NAMED, instances)}.`
        : say`${instances.length} instances: ${namesUpTo(MAX_NAMED, instances)}.`,
      say`${those} ran in nearly all hours that I saw of the last ${NIGHTS} nights and ${NIGHTS / 7} weekends, and nobody started, stopped or restarted ${isOne ? 'it' : 'them'} by me then. I can't see whether somebody used ${isOne ? 'it' : 'them'}.`,
    ],
    note: say`From 20:00 to 08:00, and all of Saturday and Sunday (${zone}). By what the service has charged. Nothing happens before somebody presses, sees the times and saves them.`,
    ...buttonsOf(proposed),
  };
}

function buttonsOf({ id }: Proposed): Pick<Message, 'buttons' | 'menu'> {
  return {
    buttons: [
      { label: 'Try it for a week', routeId: PROPOSAL_ROUTES.try, value: id, style: 'primary' },
      { label: 'Not these', routeId: PROPOSAL_ROUTES.answer, value: `${id} these` },
    ],
    menu: [{ label: 'Never', routeId: PROPOSAL_ROUTES.answer, value: `${id} never` }],
  };
}

/** A proposal that somebody has answered, in place of its buttons. Pure. */
export function answeredMessage({ name }: Proposed, userId: string, isNever: boolean): Message {
  return {
    lines: [
      isNever
        ? say`💡 ${person(userId)} turned proposals off. To get them again, type /billing proposals on.`
        : say`💡 ${person(userId)} doesn't want ${plain(name, MAX_NAME)} stopped at night. I won't propose that again for 90 days.`,
    ],
  };
}

/** What a trial has brought, against what was promised. Pure. */
export function broughtMessage(proposed: Proposed, brought: Brought | undefined, unit: string): Message {
  const { id, name } = proposed;
  const what = plain(name, MAX_NAME);
  if (!brought)
    return {
      lines: [
        say`💡 The week without ${what} at night is over. I can't say what it saved: I don't have the costs of all of its days.`,
      ],
    };
  const { promised, measured, before, days } = brought;
  const isSaved = compare(measured, ZERO) > 0;
  const result = isSaved
    ? say`saved ${counted(measured, unit)} in ${days} ${days === 1 ? 'day' : 'days'}, ${percent(measured, before)} of what ${days === 1 ? 'that day' : 'those days'} cost before`
    : say`saved nothing`;
  const keep: Button = {
    label: 'Keep it',
    routeId: PROPOSAL_ROUTES.try,
    value: `${id} keep`,
    style: 'primary',
  };
  const not: Button = { label: 'Not these', routeId: PROPOSAL_ROUTES.answer, value: `${id} these` };
  return {
    lines: [
      say`💡 Stopping ${what} at night and on weekends ${result}. I promised ${leastWords(proposed)} ${counted(promised, unit)}.`,
      isSaved
        ? say`The schedule of the trial is over. Do you want it for good?`
        : say`So I won't propose it again for 90 days.`,
    ],
    note: say`By what the service has charged, against the same days of the two weeks before.`,
    ...(isSaved ? { buttons: [keep, not] } : {}),
  };
}

const WHY: Readonly<Record<WhyNone, string>> = {
  'few days': `I need ${NIGHTS} nights of which I saw nearly all hours, and don't have them yet.`,
  'no nights': 'Nothing that I may propose runs in all nights and weekends.',
  touched: 'What runs in all nights was started, stopped or restarted by somebody in one of them.',
  'price unknown': "I don't know yet what the service takes for a day on which those instances are stopped.",
  'does not pay': 'What runs in all nights costs nearly as much while it is stopped.',
};

/** Why there is no proposal. Pure. */
export function noneMessage(why: WhyNone): Message {
  return { lines: [say`I have nothing to propose. ${WHY[why]}`] };
}

export function offMessage({ by }: NonNullable<Proposals['off']>): Message {
  return {
    lines: [
      say`Proposals are off: ${person(by)} turned them off. To get them again, type /billing proposals on.`,
    ],
  };
}

/** That a trial ended before its time. Pure. */
export function calledOffMessage({ name }: Proposed): Message {
  return {
    lines: [
      say`💡 The schedule on trial for ${plain(name, MAX_NAME)} was removed or paused, so I don't measure what it saves. I won't propose it again for 90 days.`,
    ],
  };
}

/** That one is being tried. Pure. */
export function tryingMessage({ name }: Proposed, { to }: NonNullable<Proposals['trial']>): Message {
  return {
    lines: [
      say`${plain(name, MAX_NAME)} is stopped at night and on weekends for a trial, which I measure until ${to}. I'll say then what it saved.`,
    ],
  };
}

function leastWords({ isAtLeast }: Proposed): string {
  return isAtLeast ? 'at least' : 'about';
}

function aMonth(amount: Amount, unit: string): string {
  // Nobody plans by a hundredth of what is an estimate.
  const rounded = { units: timesIn(amount, { units: 1n, scale: 0 }, 1), scale: 0 };
  return `${rounded.units > 9n ? `${formatAmount(rounded)} ${unit}` : counted(amount, unit)} a month`;
}

function percent(part: Amount, whole: Amount): string {
  return `${timesIn(part, whole, 100)}%`;
}
