import { toDecimal } from '../../../core/money/amount.ts';
import { parsePriced } from '../../../core/money/typed.ts';
import { followedBy, inWords, mendWord, oneOf } from '../../../core/ask/mend-words.ts';
import { ALL_GROUPS, type CostGroups } from '../../../core/policy/sections.ts';
import { type Instead, Refusal } from '../../../core/refusal.ts';
import { type Phrase, say } from '../../../platform/slack/phrase.ts';
import type { Threshold } from './budgets.ts';
import { calledOf } from './messages.ts';

/** What somebody asks the budget of a group to be. */
export interface AskedBudget {
  readonly group: string;
  readonly amount: string;
  readonly at: readonly Threshold[];
}

/** As where a month is paid afterwards. */
const USUAL: readonly Threshold[] = ['80', '100', 'pace'];
const MOST_PERCENT = 500;
const MOST_THRESHOLDS = 10;

/**
 * The words after `billing budget`: `staging 500 [at 50 80 100 pace]`. `groups`: those that there are. Throws a Refusal for
 * anything else.
 */
export function parseBudget(words: readonly string[], groups: CostGroups, unit: string): AskedBudget {
  const [group = '', ...rest] = words.map((word) => word.toLowerCase());
  requireGroup(group, groups);
  const atIndex = rest.indexOf('at');
  const typed = rest.slice(0, atIndex < 0 ? undefined : atIndex);
  if (typed.length === 0)
    throw no(
      say`How much may ${calledOf(group)} cost in a month?`,
      followedBy(inWords('Amount', `500 ${unit}`)),
    );
  if (typed[0] === 'off')
    throw new Refusal(
      'bad-budget',
      say`To turn a budget off, name no channel and no percents. Nothing was changed.`,
      oneOf([group, 'off']),
    );
  const amount = readAmount(typed, unit);
  if (amount === undefined)
    throw no(
      say`I can't read "${typed.join(' ')}" as a budget: say an amount above 0 in ${unit}, with a point before decimals.`,
    );
  return { group, amount, at: atIndex < 0 ? USUAL : readThresholds(rest.slice(atIndex + 1)) };
}

/** `500`, `1,500.50`, `500 credits` and `500 EUR`, as a decimal. */
function readAmount([number = '', ...called]: readonly string[], unit: string): string | undefined {
  const isUnit = called.length === 0 || called.join(' ') === unit.toLowerCase();
  const priced = isUnit ? parsePriced(number) : undefined;
  return priced && priced.called === undefined ? toDecimal(priced.amount) : undefined;
}

/** The percents, least first, then the pace; each once. */
function readThresholds(words: readonly string[]): readonly Threshold[] {
  const percents = new Set<number>();
  let isPace = false;
  for (const word of words.flatMap((one) => one.split(','))) {
    const percent = /^(\d{1,3})%?$/.exec(word)?.[1];
    if (word === 'pace') isPace = true;
    else if (percent !== undefined && Number(percent) > 0 && Number(percent) <= MOST_PERCENT)
      percents.add(Number(percent));
    else if (word !== '' && word !== '%' && word !== 'and')
      throw no(
        say`I can't read "${word}" as a part of the budget: use percents from 1 to ${MOST_PERCENT}, and pace.`,
      );
  }
  if (percents.size > MOST_THRESHOLDS) throw no(say`I tell of ${MOST_THRESHOLDS} percents at most.`);
  if (percents.size === 0 && !isPace)
    throw no(
      say`At which parts of the budget should I tell?`,
      followedBy(inWords('Percents', '80 100 pace')),
    );
  const sorted = [...percents].toSorted((one, other) => one - other).map((one): Threshold => `${one}`);
  return isPace ? [...sorted, 'pace'] : sorted;
}

/** Throws a Refusal where there is no group of costs of that name. */
export function requireGroup(typed: string, costGroups: CostGroups): void {
  const groups = costGroups.map(({ name }) => name);
  if ([...groups, ALL_GROUPS].includes(typed)) return;
  const what = say`There is no group of costs called "${typed}".`;
  throw groups.length === 0
    ? no(
        say`${what} For the whole account, use ${ALL_GROUPS}. The person who runs the bot can name groups under costgroups in the policy file.`,
      )
    : no(
        say`${what} There are ${groups.join(', ')}, and ${ALL_GROUPS}.`,
        mendWord(typed, [...groups, ALL_GROUPS]),
      );
}

function no(why: Phrase, instead?: Instead): Refusal {
  return new Refusal(
    'bad-budget',
    say`${why} Type a budget as in /billing budget all 500 at 50 80 100 pace. Nothing was changed.`,
    instead,
  );
}
