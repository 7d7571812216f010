import type { LastWords } from '../../../core/watchdogs/farewell/record.ts';
import { lateAfterMs } from '../../../core/watchdogs/vital-signs.ts';
import { type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import type { Alarm } from './alarm.ts';
import { destinationOf } from './alert-settings.ts';
import { onItWords } from './settings-message.ts';
import type { Watched } from './watched.ts';
import type { Billing } from '../billing.ts';
import { compare, parseAmount, timesIn, toDecimal, ZERO } from '../../../core/money/amount.ts';
import { runwayOf } from '../balance/reading.ts';
import { balanceIn, monthIn } from './seen.ts';

/** What nobody would see any more of the money; undefined where nobody looks at it from time to time. Throws what Redis throws. */
export type MoneyWords = () => Promise<Omit<LastWords, 'account'> | undefined>;

export function createMoneyWords(deps: Billing): MoneyWords {
  const { alarms, config, admins, watched, timings, clock } = deps;
  const everyMs = timings.billingCheckEveryMs;
  return async () => {
    if (!Number.isFinite(everyMs)) return undefined;
    const alarm = await alarms.get();
    const { settings, checkedAt, seen, isNotOffered } = alarm;
    const to = destinationOf(settings, config, admins());
    const isOn = !settings.isOff && !isNotOffered && watched.measureOf(settings) !== undefined;
    return {
      channelId: isOn && to && 'channelId' in to ? to.channelId : undefined,
      isWatched: clock.now() - checkedAt < lateAfterMs(everyMs),
      what: watched.command.read,
      figures: seen
        ? watched.face.figureLines(seen).map((line) => say`${line} · as of ${time(seen.at)}`)
        : [],
      open: openAlerts(alarm, watched),
    };
  };
}

function openAlerts({ episodes }: Alarm, { face, command }: Watched): readonly Phrase[] {
  return episodes
    .filter(({ closed }) => closed === undefined)
    .map((episode) =>
      episode.kind === 'unknown'
        ? say`I haven't been able to read ${command.read} since ${time(episode.openedAt)}`
        : say`The alert about ${face.about}: ${onItWords(episode)}`,
    );
}

/** What was read of the money last, as numbers that are near enough to be drawn; each undefined where nothing says it. */
export interface Figures {
  readonly ageMs: number | undefined;
  readonly balance: number | undefined;
  readonly runwayMs: number | undefined;
  /** Part of the month's budget: 1 is all of it. */
  readonly budgetUsed: number | undefined;
}

/** The figures of what is watched. `now`: Unix ms by the clock that the reading has its time from. Pure. */
export function figuresOf({ seen }: Pick<Alarm, 'seen'>, now: number): Figures {
  const balance = balanceIn(seen);
  const month = monthIn(seen);
  const amount = parseAmount(balance?.balance);
  return {
    ageMs: seen && Math.max(0, now - seen.at),
    balance: amount && Number(toDecimal(amount)),
    runwayMs: amount && balance && runwayMsOf(runwayOf(amount, parseAmount(balance.perDay), now), now),
    budgetUsed: month && usedOf(month),
  };
}

/** Undefined also where it lasts for longer than anybody counts. */
function runwayMsOf(runway: ReturnType<typeof runwayOf>, now: number): number | undefined {
  if (runway.lasts === 'empty') return 0;
  return runway.lasts === 'days' ? runway.emptyAt - now : undefined;
}

/** In millionths on the way, which no budget needs more of. */
function usedOf({ monthSoFar, budget }: NonNullable<ReturnType<typeof monthIn>>): number | undefined {
  const [soFar, all] = [parseAmount(monthSoFar), parseAmount(budget)];
  return soFar && all && compare(all, ZERO) > 0 ? Number(timesIn(soFar, all, 1_000_000)) / 1e6 : undefined;
}
