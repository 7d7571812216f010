import { inNamedChannel } from '../../../core/ask/for-channel.ts';
import type { Ask } from '../../../core/ask/ask.ts';
import type { Route } from '../../../core/intake/route.ts';
import { changeSetting, type Off, setting, type SettingChange } from '../../../core/intake/setting.ts';
import { ALL_GROUPS } from '../../../core/policy/sections.ts';
import { Refusal } from '../../../core/refusal.ts';
import { isDirect } from '../../../platform/slack/ids.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { channel, person, type Phrase, say } from '../../../platform/slack/phrase.ts';
import { monthName, monthOf } from '../month/month-words.ts';
import { type AskedBudget, parseBudget, requireGroup } from './budget-words.ts';
import {
  type Budget,
  type Budgets,
  isKnown,
  isPaceWanted,
  isQuiet,
  quieted,
  reachedBy,
  withBudget,
  withoutBudget,
  withTold,
} from './budgets.ts';
import { BUDGET_ROUTE, calledOf, listMessage, QUIET_ROUTE, setMessage, setWords } from './messages.ts';
import { daysFor } from './spending.ts';
import { placeOf } from './tell.ts';
import type { Billing } from '../billing.ts';

/** `/billing budget [staging 500 [at 50 80 100 pace]|staging off]` and the press that leaves a month in peace. */
export function budgetRoutes(deps: Billing): readonly Route[] {
  return [budgetRoute(deps), quietRoute(deps)];
}

function budgetRoute(deps: Billing): Route {
  const { budgets, costGroups, unit } = deps;
  return setting(deps, {
    route: {
      id: BUDGET_ROUTE,
      verb: 'budget',
      aliases: ['budgets'],
      permission: 'billing:alerts',
      namesChannels: true,
      usage: '[all 500 | staging 500 at 50 80 100 pace | staging off]',
      summary: 'what a month of a cost group may come to, and who hears of it',
      topics: [
        {
          words: ['at', 'pace'],
          usage: 'staging 500 at 50 80 100 pace',
          summary:
            'what a month of the cost group staging may come to, told here at 50 %, 80 % and 100 % of it and when the pace will pass it; all is the whole account',
        },
        { words: ['off'], usage: 'staging off', summary: 'no budget of it any more' },
      ],
    },
    store: budgets,
    off: ([group, ...more]) => (group === undefined || more.length > 0 ? undefined : offOf(deps, group)),
    read: async (ask) => {
      if (ask.words.length === 0) return undefined;
      const { place, words } = inNamedChannel(ask) ?? ask;
      const asked = parseBudget(words, costGroups(), unit);
      return setBudget(deps, { ...ask, place }, asked, place.channelId !== ask.place.channelId);
    },
    shown: (record) => list(deps, record),
  });
}

async function setBudget(
  deps: Billing,
  ask: Ask,
  { group, amount, at }: AskedBudget,
  isElsewhere: boolean,
): Promise<SettingChange<Budgets>> {
  const { unit, places, access } = deps;
  const { channelId } = ask.place;
  if (isElsewhere) await access.require(ask.actor, 'billing:alerts', 'any', { channelId });
  const choice = isElsewhere ? await places.allow(ask) : undefined;
  const isHere = !isDirect(channelId) && (isElsewhere || (await places.isAllowed(channelId)));
  const now = await deps.calendar.today();
  const month = monthOf(now);
  const by = ask.actor.userId;
  const set: Budget = { group, amount, at: [...at], ...(isHere ? { channelId } : {}), by, setAt: now };
  const days = await daysFor(deps.days, { now, month }, isPaceWanted(set));
  const spending = deps.spendingOf(days, group, deps.costGroups(), { now, month }, isPaceWanted(set));
  // The answer tells of what is reached already.
  const budget = spending ? withTold(set, month, reachedBy(set, spending)) : set;
  return {
    step: (record) => withBudget(record, budget),
    fact: () => say`🎯 ${person(by)} set a budget. ${setWords(budget, unit)}`,
    where: () => budget.channelId,
    beside: choice && (() => choice.choosing()),
    answer: async () => setMessage(budget, spending, { unit, now, where: await whereWords(deps, budget) }),
  };
}

/** Where a budget is told, as the end of a sentence. */
async function whereWords(deps: Billing, budget: Budget): Promise<Phrase> {
  const to = await placeOf(deps, budget);
  if (!to) return say`nowhere yet: to choose a channel, type "/billing alerts here" in it`;
  return 'channelId' in to ? say`in ${channel(to.channelId)}` : say`to ${person(to.userId)} alone`;
}

function offOf({ costGroups }: Billing, group: string): Off<Budgets> {
  return {
    called: `budget of ${calledOf(group)}`,
    icon: '🎯',
    step: (record) => {
      const without = withoutBudget(record, group);
      if (!without) requireGroup(group, costGroups());
      return without;
    },
    where: ({ budgets }) => budgets.find((one) => one.group === group)?.channelId,
  };
}

async function list(deps: Billing, { budgets }: Budgets): Promise<Message> {
  const groups = deps.costGroups();
  if (budgets.length === 0) {
    const example = groups[0]?.name ?? ALL_GROUPS;
    return {
      lines: [
        say`There are no budgets yet. To set one, type /billing budget ${example} 500 at 50 80 100 pace.`,
      ],
    };
  }
  const now = await deps.calendar.today();
  const month = monthOf(now);
  const days = await daysFor(deps.days, { now, month }, budgets.some(isPaceWanted));
  const all = budgets.map(async (budget) => ({
    budget,
    spending: deps.spendingOf(days, budget.group, groups, { now, month }, isPaceWanted(budget)),
    isKnown: isKnown(budget, groups),
    where: await whereWords(deps, budget),
  }));
  return listMessage(await Promise.all(all), { unit: deps.unit, now, month });
}

/** The press on what was told: nothing more of that month is. Its value is the month and the group. */
function quietRoute(deps: Billing): Route {
  return {
    id: QUIET_ROUTE,
    verb: 'quiet',
    permission: 'billing:alerts',
    writes: true,
    summary: 'leave a budget in peace for the rest of the month',
    handle: async (ask, audit) => {
      const [, month = '', group = ''] = /^(\d{4}-\d{2})\/(.*)$/.exec(ask.value ?? '') ?? [];
      if (month !== monthOf(await deps.calendar.today()))
        throw new Refusal('over', say`That month is over, so nothing more is told of it.`);
      const quiet = say`quiet for the rest of ${monthName(month)}: I tell nothing more of the budget of ${calledOf(group)} until then, unless it is set anew`;
      const change: SettingChange<Budgets> = {
        step: (record) => quieted(record, group, month),
        fact: () => say`🔕 ${person(ask.actor.userId)} made it ${quiet}.`,
      };
      const { after } = await changeSetting(deps, deps.budgets, change, ask, audit);
      if (!after.budgets.some((one) => one.group === group && isQuiet(one, month)))
        throw new Refusal('not-set', say`There is no budget of ${calledOf(group)}.`);
      return { lines: [say`🔕 It is ${quiet}.`] };
    },
  };
}
