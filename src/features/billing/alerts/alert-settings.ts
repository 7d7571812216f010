import {
  completeThresholds,
  parseThreshold,
  type Threshold,
  type Thresholds,
  readNumber,
} from '../../../core/money/typed.ts';
import { formatAmount, parseAmount, ZERO } from '../../../core/money/amount.ts';
import { Refusal } from '../../../core/refusal.ts';
import { type Phrase, say } from '../../../platform/slack/phrase.ts';
import type { Settings } from './alarm.ts';
import { thresholdWords } from './level.ts';

/** What the configuration says of alerts; what it says stands above what is set in Slack. */
export interface AlertConfig {
  readonly warn: string | undefined;
  readonly critical: string | undefined;
  /** What a month may cost, as typed, where it is paid afterwards. */
  readonly budget: string | undefined;
  /** Ids of the channels in which everybody may see the figures; alerts go to the first. */
  readonly channels: readonly string[];
  /** Ids of the only channels in which the account can be used, whatever was named; without it, every one. */
  readonly only?: readonly string[];
  /** Ids of the people and user groups who are notified when nobody is on a critical alert. */
  readonly escalateTo: readonly string[];
}

/**
 * The thresholds that count now: the configuration's where it names one, else those set in Slack. What was kept before
 * two units were refused and does not fit counts by its warn alone.
 */
export function thresholdsOf(settings: Settings, config: AlertConfig): Thresholds {
  const isConfigured = config.warn !== undefined || config.critical !== undefined;
  const { warn, critical } = isConfigured ? config : settings;
  const set = {
    ...(warn === undefined ? {} : { warn: readThreshold(warn) }),
    ...(critical === undefined ? {} : { critical: readThreshold(critical) }),
  };
  const both = completeThresholds(set);
  if (typeof both === 'object') return both;
  const byWarn = set.warn && completeThresholds({ warn: set.warn });
  if (typeof byWarn === 'object') return byWarn;
  throw new Error('one threshold alone always fits');
}

/** What `settings` would make of the thresholds. Throws a Refusal where the two do not fit. */
export function checkThresholds({ warn, critical }: Settings, unit: string): void {
  if (warn === undefined || critical === undefined) return;
  const set = { warn: readThreshold(warn), critical: readThreshold(critical) };
  const both = completeThresholds(set);
  if (both === 'mixed units')
    throw new Refusal(
      'mixed-units',
      say`Warn is ${thresholdWords(set.warn, unit)} and critical is ${thresholdWords(set.critical, unit)}: I can't compare days with ${unit}. So set both in one unit, as in /billing alerts set warn 5d critical 2d. Nothing was changed.`,
    );
  if (both === 'wrong order')
    throw new Refusal(
      'bad-order',
      say`Critical must begin below warn, as in /billing alerts set warn 5d critical 2d. Warn is ${thresholdWords(set.warn, unit)} and critical is ${thresholdWords(set.critical, unit)}. Nothing was changed.`,
    );
}

/** A threshold as a person typed it. Throws a Refusal. */
export function readThreshold(typed: string): Threshold {
  const threshold = parseThreshold(typed);
  if (threshold) return threshold;
  const [, number = '', days = ''] = /^(.*?)(d|days?)?$/is.exec(typed.normalize('NFKC').trim()) ?? [];
  const [one = '', other] = readNumber(number);
  if (other !== undefined) {
    const short = one.replace(/\.?0+$/, '');
    const unit = days === '' ? '' : 'd';
    throw new Refusal(
      'bad-threshold',
      say`${number} can be ${short} or ${grouped(other)}. Write ${short}${unit} or ${other}${unit}. Nothing was changed.`,
    );
  }
  throw new Refusal(
    'bad-threshold',
    say`I can't read "${typed}" as a threshold. Use 5d for five days of runway, or 500 for a balance; it must be more than 0. Nothing was changed.`,
  );
}

function grouped(decimal: string): string {
  return formatAmount(parseAmount(decimal) ?? ZERO);
}

/** The Refusal of what the configuration says. `what` with its verb; `name`: of the variable, for an admin; `it`: as what is spoken of. */
export function setElsewhere(what: Phrase, name: Phrase, it: 'it' | 'they'): Refusal {
  return new Refusal(
    'set-elsewhere',
    say`${what} kept in the configuration${name}, so ${it} can't be changed here. The person who runs the bot can change ${it === 'it' ? 'it' : 'them'} there.`,
  );
}

/** Where alerts go: a channel, else the first admin alone, else nowhere. */
export function destinationOf(
  settings: Settings,
  config: AlertConfig,
  admins: readonly string[],
): { channelId: string } | { userId: string } | undefined {
  const { channelId } = settings;
  if (channelId !== undefined && mayStandIn(channelId, settings, config)) return { channelId };
  const channel = config.channels.find((one) => mayStandIn(one, settings, config));
  if (channel !== undefined) return { channelId: channel };
  const [admin] = admins;
  return admin === undefined ? undefined : { userId: admin };
}

/** The settings with one more channel in which everybody may see the figures. Pure. */
export function withPlace(settings: Settings, channelId: string): Settings {
  return { ...settings, allowed: [...new Set([...(settings.allowed ?? []), channelId])] };
}

/** Whether everybody in a channel may see the figures of the account: closed unless it was named. */
export function mayStandIn(channelId: string, settings: Settings, config: AlertConfig): boolean {
  const isOfAccount = config.only?.includes(channelId) ?? true;
  return (
    isOfAccount &&
    (config.channels.length > 0 ? config.channels : (settings.allowed ?? [])).includes(channelId)
  );
}
