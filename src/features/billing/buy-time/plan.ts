import { toDecimal } from '../../../core/money/amount.ts';
import type { Figures } from '../../../core/batches/figures.ts';
import type { Links } from '../../../core/links.ts';
import type { Access } from '../../../core/policy/access.ts';
import { othersWhoMay } from '../../../core/policy/others-who-may.ts';
import { named, refusedAccess } from '../../../core/policy/messages.ts';
import type { Places } from '../../../core/policy/places.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Ask, Reply } from '../../../core/ask/ask.ts';
import type { AuditAttempt, Route } from '../../../core/intake/route.ts';
import { isDirect } from '../../../platform/slack/ids.ts';
import type { Modal } from '../../../platform/slack/message.ts';
import { type Phrase, say } from '../../../platform/slack/phrase.ts';
import { unlessAway } from '../usage/costs.ts';
import { PLAN_ROUTE } from './messages.ts';
import { planChoices, planMessage, planModal, RUN_ROUTE } from './plan-messages.ts';
import { type Plan, type PlanDeps, readPlan } from './read-plan.ts';

export interface BuyTimePlanDeps extends PlanDeps {
  readonly access: Access;
  readonly links: Pick<Links, 'topUp'>;
  readonly places: Pick<Places, 'isAllowed'>;
  /** How credits are called. */
  readonly unit: string;
  /** Shows what stopping these would do, and asks, as for several that are typed. Throws a Refusal. */
  readonly stopThese: (
    ask: Ask,
    those: { readonly ids: readonly string[]; readonly figures?: Figures },
    audit: AuditAttempt,
  ) => Promise<Reply>;
}

/** Several are picked in a modal that says what stopping them would bring; what is picked then leads to an ordinary batch. */
export function planRoutes(deps: BuyTimePlanDeps): readonly Route[] {
  return [openRoute(deps), runRoute(deps)];
}

function openRoute(deps: BuyTimePlanDeps): Route {
  const modalFor = async (ask: Ask): Promise<Modal> => {
    const { actor, place } = ask;
    const [plan, notYours] = await Promise.all([
      readPlan(deps, actor, place.channelId),
      whyNotYours(deps, ask),
    ]);
    if (plan.offered.length === 0)
      throw new Refusal('none-possible', {
        lines: [say`Nothing here would save money if you stopped it. Only a top-up buys time.`],
        buttons: deps.links.topUp,
      });
    return planModal(plan, ask.selected ?? [], { unit: deps.unit, notYours });
  };
  return {
    id: PLAN_ROUTE,
    verb: 'plan',
    permission: 'billing:read',
    writes: false,
    summary: 'pick what to stop, and see how many days that brings',
    handle: async (ask) => planMessage(await modalFor(ask)),
    redraw: modalFor,
    choices: async (typed, mayPick, { actor, channelId }) => {
      const { offered } = await readPlan(deps, actor, channelId);
      const those = offered.filter(mayPick);
      const matching = typed.trim().toLowerCase();
      return planChoices(
        matching === ''
          ? those
          : those.filter(({ id, name }) => id === matching || name.toLowerCase().includes(matching)),
        deps.unit,
      );
    },
  };
}

function runRoute(deps: BuyTimePlanDeps): Route {
  return {
    id: RUN_ROUTE,
    verb: 'stop what was picked',
    permission: 'instances:power',
    writes: true,
    summary: 'see what would stop of what was picked, and be asked',
    isAskable: false,
    check: async ({ selected = [], actor, place: { channelId } }) => {
      if (selected.length === 0) return say`Pick at least one instance to stop.`;
      const decision = await deps.access.check(actor, 'instances:power', 'any', { channelId });
      return decision.allowed ? undefined : whyNotYours(deps, { actor, place: { channelId } });
    },
    handle: async (ask, audit) => {
      const { selected: ids = [] } = ask;
      if (ids.length === 0) throw new Refusal('no-instance', say`Nothing was picked, so nothing was done.`);
      const figures = await figuresFor(deps, ask);
      return deps.stopThese(ask, { ids, figures }, audit);
    },
  };
}

/** What is kept of the figures, where everybody who will read the card may see them. */
async function figuresFor(
  deps: BuyTimePlanDeps,
  { actor, place: { channelId }, selected = [] }: Ask,
): Promise<Figures | undefined> {
  const { access, places } = deps;
  const { allowed } = await access.check(actor, 'billing:read', 'all', { channelId });
  const isPublic = isDirect(channelId) || (await places.isAllowed(channelId));
  const plan = allowed && isPublic && (await unlessAway(readPlan(deps, actor, channelId), undefined));
  return plan ? figuresOf(plan, selected) : undefined;
}

function figuresOf({ reading, offered }: Plan, ids: readonly string[]): Figures | undefined {
  const { balance, perDay } = reading;
  if (!perDay) return undefined;
  const costs = offered.flatMap((one) =>
    one.perDay && ids.includes(one.id) ? [[one.id, toDecimal(one.perDay)] as const] : [],
  );
  return { balance: toDecimal(balance), perDay: toDecimal(perDay), costs: Object.fromEntries(costs) };
}

/** Why a person may not stop instances, and who may; undefined where they may some. */
async function whyNotYours(
  { access, now }: Pick<BuyTimePlanDeps, 'access' | 'now'>,
  { actor, place: { channelId } }: Pick<Ask, 'actor' | 'place'>,
): Promise<Phrase | undefined> {
  const decision = await access.check(actor, 'instances:power', 'any', { channelId });
  if (decision.allowed) return undefined;
  const policy = await access.policy();
  const asked = { permission: 'instances:power', about: 'all', channelId, now: now() } as const;
  const { userIds, isEverybody } = othersWhoMay(policy, asked, [actor.userId]);
  const who = isEverybody ? say`Every full member` : named(userIds);
  const others = isEverybody || userIds.length > 0 ? say` ${who} can run this plan.` : say``;
  return say`${refusedAccess(decision, 'instances:power', policy)}${others}`;
}
