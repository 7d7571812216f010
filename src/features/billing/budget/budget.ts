import { inNamedChannel } from '../../../core/ask/for-channel.ts';
import type { Ask, Reply } from '../../../core/ask/ask.ts';
import type { Route } from '../../../core/intake/route.ts';
import { saidHere } from '../../../core/outbox/said-here.ts';
import { ALL_GROUPS } from '../../../core/policy/cost-groups-section.ts';
import { together } from '../../../core/records/commit.ts';
import { Refusal } from '../../../core/refusal.ts';
import { isDirect } from '../../../platform/slack/ids.ts';
import { channel, person, type Phrase, say } from '../../../platform/slack/phrase.ts';
import { monthName } from '../month/month-words.ts';
import { type AskedBudget, parseBudget } from './budget-words.ts';
import {
  type Budget,
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
import { daysFor, monthOf } from './spending.ts';
import { placeOf, type TellBudgetsDeps } from './tell.ts';
import type { Billing } from '../billing.ts';

export type BudgetDeps = Pick<Billing, 'access' | 'calendar'> & TellBudgetsDeps;

/** `/billing budget [staging 500 [at 50 80 100 pace]|staging off]` and the press that leaves a month in peace. */
export function budgetRoutes(deps: BudgetDeps): readonly Route[] {
  return [budgetRoute(deps), quietRoute(deps)];
}

function budgetRoute(deps: BudgetDeps): Route {
  const { budgets, costGroups, unit } = deps;
  return {
    id: BUDGET_ROUTE,
    verb: 'budget',
    aliases: ['budgets'],
    permission: 'billing:alerts',
    namesChannels: true,
    writes: (words) => words.length > 0,
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
    label: ([group = '', word, ...more]) =>
      word?.toLowerCase() === 'off' && more.length === 0 ? `End the budget of ${group}` : undefined,
    handle: async (ask) => {
      if (ask.words.length === 0) return list(deps);
      const { place, words } = inNamedChannel(ask) ?? ask;
      const known = (await budgets.get()).budgets.map(({ group }) => group);
      const asked = parseBudget(words, { groups: costGroups().map(({ name }) => name), known, unit });
      return 'isOff' in asked
        ? endBudget(deps, ask, asked.group)
        : setBudget(deps, { ...ask, place }, asked, ask);
    },
  };
}

async function setBudget(
  deps: BudgetDeps,
  ask: Ask,
  { group, amount, at }: Exclude<AskedBudget, { readonly isOff: true }>,
  asked: Ask,
): Promise<Reply> {
  const { budgets, outbox, unit, places, access } = deps;
  const { channelId } = ask.place;
  const isElsewhere = channelId !== asked.place.channelId;
  if (isElsewhere) await access.require(ask.actor, 'billing:alerts', 'any', { channelId });
  const choice = isElsewhere ? await places.allow(ask) : undefined;
  const isHere = !isDirect(channelId) && (isElsewhere || (await places.isAllowed(channelId)));
  const now = await deps.calendar.today();
  const month = monthOf(now);
  const set: Budget = {
    group,
    amount,
    at: [...at],
    ...(isHere ? { channelId } : {}),
    by: ask.actor.userId,
    setAt: now,
  };
  const days = await daysFor(deps.days, { now, month }, isPaceWanted(set));
  const spending = deps.spendingOf(days, group, deps.costGroups(), { now, month }, isPaceWanted(set));
  // The answer tells of what is reached already.
  const budget = spending ? withTold(set, month, reachedBy(set, spending)) : set;
  await budgets.change(
    (record) => withBudget(record, budget),
    async () =>
      together(
        await outbox.saying(
          isHere
            ? saidHere(ask, {
                lines: [say`🎯 ${person(ask.actor.userId)} set a budget. ${setWords(budget, unit)}`],
              })
            : [],
          'moved',
        ),
        (await choice?.choosing()) ?? {},
      ),
  );
  return setMessage(budget, spending, { unit, now, where: await whereWords(deps, budget) });
}

/** Where a budget is told, as the end of a sentence. */
async function whereWords(deps: BudgetDeps, budget: Budget): Promise<Phrase> {
  const to = await placeOf(deps, budget);
  if (!to) return say`nowhere yet: to choose a channel, type "/billing alerts here" in it`;
  return 'channelId' in to ? say`in ${channel(to.channelId)}` : say`to ${person(to.userId)} alone`;
}

async function endBudget({ budgets, outbox }: BudgetDeps, ask: Ask, group: string): Promise<Reply> {
  const after = await budgets.change(
    (record) => withoutBudget(record, group),
    (_after, before) => {
      const channelId = before.budgets.find((one) => one.group === group)?.channelId;
      if (channelId === undefined) return {};
      const lines = [say`🎯 ${person(ask.actor.userId)} ended the budget of ${calledOf(group)}.`];
      return outbox.saying(saidHere({ id: ask.id, place: { channelId } }, { lines }), 'moved');
    },
  );
  if (!after) throw noBudget(group);
  return { lines: [say`There is no budget of ${calledOf(group)} any more.`] };
}

function noBudget(group: string): Refusal {
  return new Refusal('no-budget', say`There is no budget of ${calledOf(group)}.`);
}

async function list(deps: BudgetDeps): Promise<Reply> {
  const { budgets } = await deps.budgets.get();
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
function quietRoute({ budgets, outbox, calendar }: BudgetDeps): Route {
  return {
    id: QUIET_ROUTE,
    verb: 'quiet',
    permission: 'billing:alerts',
    writes: true,
    summary: 'leave a budget in peace for the rest of the month',
    handle: async (ask) => {
      const [, month = '', group = ''] = /^(\d{4}-\d{2})\/(.*)$/.exec(ask.value ?? '') ?? [];
      const now = await calendar.today();
      if (month !== monthOf(now))
        throw new Refusal('no-budget', say`That month is over, so nothing more is told of it.`);
      const quiet = say`quiet for the rest of ${monthName(month)}: I tell nothing more of the budget of ${calledOf(group)} until then, unless it is set anew`;
      const after = await budgets.change(
        (record) => quieted(record, group, month),
        () =>
          outbox.saying(
            saidHere(ask, { lines: [say`🔕 ${person(ask.actor.userId)} made it ${quiet}.`] }),
            'moved',
          ),
      );
      const budget = after ?? (await budgets.get());
      if (!budget.budgets.some((one) => one.group === group && isQuiet(one, month))) throw noBudget(group);
      return { lines: [say`🔕 It is ${quiet}.`] };
    },
  };
}
