import { inWords, mendWord, oneOf, withAfter } from '../../../core/ask/mend-words.ts';
import { Refusal } from '../../../core/refusal.ts';
import { type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { type Alarm, findOpen, type Settings } from './alarm.ts';
import { type AlertConfig, checkThresholds, readThreshold, setElsewhere } from './alert-settings.ts';
import { pausedWords } from './balance-face.ts';
import { levelOfBalance } from './balance-measure.ts';
import { isEmpty } from './balance-seen.ts';
import { type Lines, thresholdWords } from './level.ts';
import { balanceIn } from './seen.ts';
import { onItWords } from './settings-message.ts';
import { alertTopics, SHARED_USAGE, THRESHOLD_TOPIC, type AlertCommand, type SetVerb } from './watched.ts';

/** `/billing alerts` of a balance: its thresholds, and how low it is. `linesOf`: those that count. */
export function balanceCommand(
  config: AlertConfig,
  unit: string,
  linesOf: (settings: Settings) => Lines,
): AlertCommand {
  return {
    usage: `[set warn 5d critical 2d | ${SHARED_USAGE}]`,
    summary: 'when the balance is low, who hears of it, and what of it now',
    topics: [THRESHOLD_TOPIC, ...alertTopics('the balance')],
    example: '/billing alerts set warn 5d critical 2d',
    verbs: new Map([['set', setThresholds(config, unit)]]),
    setLabel: (verb, words) => (verb === 'set' ? pairsLabel(parsePairs(words), unit) : undefined),
    kind: 'balance',
    missed: 'a low balance',
    read: 'the balance',
    unchecked: 'how low the balance is',
    setWords: (settings) => {
      const { warn, critical, isToppedUp } = linesOf(settings);
      if (isToppedUp)
        return say`🔔 The balance is topped up automatically. I alert once it is below ${thresholdWords(critical, unit)} and no top-up has come, until it is above ${thresholdWords(warn, unit)} again.`;
      return say`🔔 I warn below ${thresholdWords(warn, unit)} and call it critical below ${thresholdWords(critical, unit)}.`;
    },
    stateWords: (alarm) => stateWords(alarm, linesOf(alarm.settings)),
  };
}

function setThresholds(config: AlertConfig, unit: string): SetVerb {
  return (words, { isAdmin }) => {
    if (config.warn !== undefined || config.critical !== undefined)
      throw setElsewhere(
        say`The thresholds are`,
        isAdmin ? say` (BILLING_WARN and BILLING_CRITICAL)` : [],
        'they',
      );
    const wanted = parsePairs(words);
    return {
      change: (now) => {
        const settings = { ...now, ...wanted };
        checkThresholds(settings, unit);
        return settings;
      },
      said: 'Changed.',
    };
  };
}

/** "Warn below 5 days, critical below 2 days". */
function pairsLabel(
  { warn, critical }: Pick<Settings, 'warn' | 'critical'>,
  unit: string,
): string | undefined {
  const below = (typed: string): string => `below ${thresholdWords(readThreshold(typed), unit)}`;
  const parts = [
    ...(warn === undefined ? [] : [`warn ${below(warn)}`]),
    ...(critical === undefined ? [] : [`critical ${below(critical)}`]),
  ];
  const label = parts.join(', ');
  return label === '' ? undefined : `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
}

/** Days of runway that most people choose. */
const USUAL = { warn: ['7d', '5d', '3d'], critical: ['3d', '2d', '1d'] } as const;

/** `warn 5d critical 2d`, or one of them. Throws a Refusal. */
function parsePairs(words: readonly string[]): Pick<Settings, 'warn' | 'critical'> {
  if (words.length === 0)
    throw new Refusal(
      'bad-set',
      say`Set what?`,
      oneOf(['set', 'warn', '5d', 'critical', '2d'], ['set', inWords('Thresholds', 'warn 500 critical 200')]),
    );
  const pairs: { warn?: string; critical?: string } = {};
  let rest = words.map((word) => word.toLowerCase());
  while (rest.length > 0) {
    const [name = '', ...more] = rest;
    if (name !== 'warn' && name !== 'critical') {
      throw new Refusal(
        'bad-set',
        say`I don't know "${name}" here, so nothing was changed. I can set warn and critical, as in /billing alerts set warn 5d critical 2d.`,
        mendWord(name, ['warn', 'critical']),
      );
    }
    if (pairs[name] !== undefined)
      throw new Refusal(
        'bad-set',
        say`${name} is there twice, so nothing was changed. Which one do you mean?`,
      );
    // A number may have spaces in it: "1 000", "5 days".
    const next = more.findIndex((word) => word === 'warn' || word === 'critical');
    const typed = (next === -1 ? more : more.slice(0, next)).join(' ').replace(/ (?=d(?:ays?)?$)/, '');
    if (typed === '')
      throw new Refusal(
        'bad-set',
        say`Below what do I ${name === 'warn' ? 'warn' : 'call it critical'}? Nothing was changed.`,
        withAfter(name, ...USUAL[name], inWords('Days or an amount', '5d or 500')),
      );
    // Read for its refusal: what is kept is what was typed.
    readThreshold(typed);
    pairs[name] = typed;
    rest = next === -1 ? [] : more.slice(next);
  }
  return pairs;
}

/** What is known of the level, by the thresholds as they are now: what was read last was judged by those of then. */
function stateWords(alarm: Alarm, lines: Lines): Phrase {
  const { failingSince, isNotOffered } = alarm;
  const seen = balanceIn(alarm.seen);
  if (isNotOffered) return say`This hosting service doesn't offer a balance, so there is nothing to warn of.`;
  if (findOpen(alarm, 'unknown')) return say`🙈 Right now I can't tell how long the balance lasts.`;
  if (!seen)
    return failingSince === undefined
      ? say`The balance hasn't been checked yet.`
      : say`I can't tell yet how low the balance is; I've been trying since ${time(failingSince)}.`;
  const level = levelOfBalance(seen, lines, alarm.level, seen);
  if (level === undefined)
    return say`I can't tell how low the balance is from what the service says a day costs.`;
  const low = findOpen(alarm, 'low');
  const since = low ? say`, since ${time(low.openedAt)}, and ${onItWords(low)}` : [];
  if (failingSince === undefined) {
    if (level === 'paused') return say`⛔ ${pausedWords(seen, 'are')} because the credit ran out${since}.`;
    if (level === 'ok')
      return isEmpty(seen)
        ? say`The balance is used up, and there are no instances that need it.`
        : lines.isToppedUp
          ? say`The balance isn't critical right now.`
          : say`Nothing is low right now.`;
    return say`Right now the balance is ${LEVEL_WORDS[level]}${since}.`;
  }
  const when = say`when I could last tell, ${time(seen.at)}`;
  const heeded = low ? say`, and ${onItWords(low)}` : [];
  if (level === 'paused')
    return say`⛔ ${pausedWords(seen, 'were')} because the credit ran out ${when}${heeded}.`;
  if (level === 'ok')
    return isEmpty(seen) ? say`The balance was used up ${when}.` : say`Nothing was low ${when}.`;
  return say`It was ${LEVEL_WORDS[level]} ${when}${heeded}.`;
}

const LEVEL_WORDS = { warn: 'low', critical: 'critical', empty: 'used up or all but used up' } as const;
