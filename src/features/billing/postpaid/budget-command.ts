import { inWords, oneOf } from '../../../core/ask/mend-words.ts';
import { Refusal } from '../../../core/refusal.ts';
import { type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { type Alarm, findOpen } from '../alerts/alarm.ts';
import { type AlertConfig, setElsewhere } from '../alerts/alert-settings.ts';
import { monthIn } from '../alerts/seen.ts';
import { onItWords } from '../alerts/settings-message.ts';
import { alertTopics, SHARED_USAGE, type AlertCommand, type SetVerb } from '../alerts/watched.ts';
import { type Billed, budgetOf, moneyWords, readBudget } from './budget.ts';
import { figureWords } from './budget-face.ts';

/** `/billing alerts` of a month that is paid afterwards: its budget, and how much of it is used. */
export function budgetCommand(config: AlertConfig, billed: Billed): AlertCommand {
  const { currency } = billed;
  const example = `/billing alerts set budget 200 ${currency}`;
  return {
    usage: `[set budget 200 ${currency} | clear budget | ${SHARED_USAGE}]`,
    summary: 'what a month may cost, who hears when it costs more, and what of it now',
    topics: [
      {
        words: ['set', 'budget'],
        usage: `set budget 200 ${currency}`,
        summary: 'what a month may cost; alerts come at 80 %, at 100 %, and when the pace will pass it',
      },
      { words: ['clear'], usage: 'clear budget', summary: 'no budget, so no alerts' },
      ...alertTopics('the month'),
    ],
    example,
    verbs: new Map([
      ['set', setBudget(config, billed, example)],
      ['clear', clearBudget(config)],
    ]),
    kind: 'budget',
    missed: 'what a month costs',
    read: 'this month',
    unchecked: 'what this month costs',
    setWords: ({ budget: set }) => {
      const budget = budgetOf({ budget: set }, config);
      return budget === undefined
        ? say`🔔 There is no budget yet, so I warn of nothing. Set one with ${example}.`
        : say`🔔 The budget of a month is ${moneyWords(budget, currency)}. I warn when 80 % of it is used, when all of it is, and when the pace of the month will pass it.`;
    },
    stateWords: (alarm) => stateWords(alarm, config, currency),
  };
}

function setBudget(config: AlertConfig, billed: Billed, example: string): SetVerb {
  return ([what, ...typed], { isAdmin }) => {
    checkIsSetHere(config, isAdmin);
    if (what === undefined) throw noBudget(billed.currency);
    if (what.toLowerCase() !== 'budget')
      throw new Refusal('bad-set', say`I can set the budget of a month, as in ${example}.`);
    const budget = readBudget(typed.join(' '), billed);
    return { change: (settings) => ({ ...settings, budget }), said: 'Changed.' };
  };
}

function noBudget(currency: string): Refusal {
  const amount = inWords('Amount', `200 ${currency}`);
  return new Refusal('bad-set', say`How much may a month cost?`, oneOf(['set', 'budget', amount]));
}

function clearBudget(config: AlertConfig): SetVerb {
  return (words, { isAdmin }) => {
    checkIsSetHere(config, isAdmin);
    if (words.join(' ').toLowerCase() !== 'budget')
      throw new Refusal('bad-set', say`Clear what? There is only the budget.`, oneOf(['clear', 'budget']));
    return {
      change: (settings) => {
        const { budget: _, ...rest } = settings;
        return rest;
      },
      said: 'Cleared.',
    };
  };
}

function checkIsSetHere({ budget }: AlertConfig, isAdmin: boolean): void {
  if (budget !== undefined)
    throw setElsewhere(say`The budget is`, isAdmin ? say` (BILLING_BUDGET)` : [], 'it');
}

/** How much of the budget is used, as far as is known; undefined where there is none. */
function stateWords(alarm: Alarm, config: AlertConfig, currency: string): Phrase | undefined {
  const budget = budgetOf(alarm.settings, config);
  if (budget === undefined) return undefined;
  const { failingSince } = alarm;
  const seen = monthIn(alarm.seen);
  if (findOpen(alarm, 'unknown')) return say`🙈 Right now I can't read what this month costs.`;
  if (!seen)
    return failingSince === undefined
      ? say`What this month costs hasn't been checked yet.`
      : say`I can't read what this month costs yet; I've been trying since ${time(failingSince)}.`;
  const figures = figureWords({ ...seen, budget }, currency);
  // An alert of another budget is over with the next look.
  const low = findOpen(alarm, 'low');
  const open = monthIn(low?.shown)?.budget === budget ? low : undefined;
  const since = open ? say` Alerted ${time(open.openedAt)}, and ${onItWords(open)}.` : [];
  const when = failingSince === undefined ? [] : say` That is as of ${time(seen.at)}.`;
  return say`${figures}.${when}${since}`;
}
