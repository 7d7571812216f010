import { compare, formatAmount, parseAmount, ZERO, counted } from '../../../core/money/amount.ts';
import type { AtZero, InstanceList } from '../../../platform/hosting/service.ts';
import { type Button, type Message, twoAndMenu } from '../../../platform/slack/message.ts';
import { day, join, type Phrase, plain, say, strong, time } from '../../../platform/slack/phrase.ts';
import { apartLines, atStake, canBuyTime, stakeLines, whyFree } from './at-zero.ts';
import type { Reading } from './reading.ts';
import { daysLeft, expectedWords } from '../range/expected.ts';

export const USAGE_ROUTE = 'billing.usage';

/** What a day costs, by instance or by add-on. */
export const usageButton = (by: 'instance' | 'addon'): Button => ({
  label: by === 'addon' ? 'By add-on' : 'Usage',
  routeId: USAGE_ROUTE,
  value: by,
});
/** What the service has booked. */
export const transactionsButton: Button = {
  label: 'Transactions',
  routeId: 'billing.transactions',
  value: 'newest',
};

/** The balance, how long it lasts, and what happens then by the rules of the host. `list`: of instances; undefined where it couldn't be read. */
export function balanceMessage(
  reading: Reading,
  list: InstanceList | undefined,
  {
    unit,
    atZero,
    topUp,
  }: {
    readonly unit: string;
    readonly atZero: AtZero | undefined;
    /** Opens the page where credit is bought. */
    readonly topUp: readonly Button[];
  },
): Message {
  const stake = atStake(list);
  const buyTime = { label: 'Buy time', routeId: 'billing.buy-time', value: 'now' };
  return {
    lines: [
      ...(whyFree(reading, stake) === 'paused' ? [allPausedWords] : []),
      fundsWords(reading, unit, whyFree(reading, stake)),
      ...stakeLines(reading, atZero, stake),
      ...apartLines(list),
    ],
    note: say`As of ${time(reading.asOf)}`,
    ...twoAndMenu(
      [...topUp, usageButton('instance'), ...(canBuyTime(reading, stake) ? [buyTime] : [])],
      [
        transactionsButton,
        { label: 'Alerts', routeId: 'billing.alerts', value: 'now' },
        { label: 'Share', routeId: 'billing.share', value: 'now' },
      ],
    ),
  };
}

/** That nothing is left running, as one whole sentence. */
export const allPausedWords = say`⛔ ${strong('Everything is paused')}: the balance does not pay for it any more.`;

/** What is left, what a day costs, how long it lasts. `why`: it costs nothing, where that is known. */
export function fundsWords(reading: Reading, unit: string, why?: ReturnType<typeof whyFree>): Phrase {
  const lasts = reading.isToppedUp && why === undefined ? withoutTopUpWords(reading) : undefined;
  return join([leftWords(reading, unit), lasts ?? lastsOrWhy(reading, unit, why)], ' · ');
}

/** How long it would last if nothing came; undefined where that can't be told. That something comes is nothing to promise. */
function withoutTopUpWords({ runway }: Reading): Phrase | undefined {
  if (runway.lasts !== 'days') return undefined;
  const { days, emptyAt } = runway;
  const long = days === 0 ? 'less than a day' : `about ${daysLeft(days)}`;
  return say`it is topped up automatically; without that it would last ${long}, until ${day(emptyAt)}`;
}

/** How long it lasts, in half a sentence; where nothing costs anything, why. */
export function lastsOrWhy(reading: Reading, unit: string, why: ReturnType<typeof whyFree>): Phrase {
  if (why === 'paused') return say`nothing that it pays for is running`;
  if (why === 'nothing runs') return say`nothing runs`;
  return why === 'unknown'
    ? say`maybe everything is paused; I couldn't read the list of instances`
    : lastsWords(reading, unit);
}

/** What is left and what a day costs, beside a sentence that says how long that lasts. */
export function leftWords({ balance, perDay, runway }: Reading, unit: string): Phrase {
  const isSaidThere = perDay === undefined || runway.lasts === 'negative cost';
  const cost = isSaidThere ? [] : [say`${counted(perDay, unit)} a day`];
  return join([say`💰 ${strong(counted(balance, unit))}`, ...cost], ' · ');
}

/** How long it lasts, in half a sentence. `unit`: how credits are called. */
export function lastsWords(
  { runway, expected, perDay = ZERO }: Pick<Reading, 'runway' | 'perDay' | 'expected'>,
  unit: string,
): Phrase {
  const isLikely = runway.lasts === 'days' || runway.lasts === 'without end' || runway.lasts === 'unknown';
  if (expected && isLikely) return expectedWords(expected);
  switch (runway.lasts) {
    case 'empty':
      return say`nothing is left`;
    case 'free':
      return say`nothing costs anything right now`;
    case 'negative cost':
      return say`the service reports a negative cost of ${counted(perDay, unit)} a day, so how long it lasts is unknown`;
    case 'without end':
      return say`it lasts for years at today's cost`;
    case 'unknown':
      return say`the service does not say what a day costs, so I don't know how long it lasts`;
    case 'days': {
      const left = runway.days === 0 ? say`less than a day left` : say`about ${daysLeft(runway.days)} left`;
      return say`${left}, empty ${day(runway.emptyAt)}`;
    }
  }
}

/** An amount that is added or taken: "+5,000", "-105"; undefined where nobody could read it. */
export function signed(decimal: string | undefined): string {
  if (decimal === undefined) return "can't be read";
  const amount = parseAmount(decimal);
  if (!amount) return plain(decimal, 20);
  return `${compare(amount, ZERO) > 0 ? '+' : ''}${formatAmount(amount)}`;
}
