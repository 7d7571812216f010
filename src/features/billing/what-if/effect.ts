import { type Amount, add, negate, subtract, sum, ZERO } from '../../../core/money/amount.ts';
import type { Instance } from '../../../platform/hosting/service.ts';
import type { OfAddon, OfInstances, Supposed } from './parse.ts';

/** An add-on that an instance has. `perDay`: what it costs now; undefined where that isn't known. */
export interface PricedAddon {
  readonly id: string;
  readonly type: string;
  readonly tier?: string | undefined;
  readonly perDay: Amount | undefined;
}

/** An instance with what the service says it costs a day; undefined where it doesn't say. */
export interface Priced {
  readonly instance: Pick<Instance, 'id' | 'name' | 'status' | 'statusWord' | 'isPaidByDay' | 'can'>;
  readonly running: Amount | undefined;
  /** While it is stopped. Of one that runs, no service tells. */
  readonly stopped: Amount | undefined;
  readonly addons: readonly PricedAddon[];
}

/** What is supposed, with the instances that its names mean. */
export type Meant =
  | (OfInstances & { readonly those: readonly Priced[] })
  | (OfAddon & { readonly those: readonly Priced[] })
  | Extract<Supposed, { does: 'top up' }>;

/** Why something changes nothing for an instance. */
export type Idle =
  | 'stopped already'
  | 'runs already'
  | 'not possible now'
  | 'deleted by then'
  | 'not paid by the day'
  | 'has it already'
  | 'has none'
  | 'has several';

/** What one change brings. */
export interface Effect {
  readonly meant: Meant;
  /** What a day costs more, as far as it is known; less, where it is below 0. */
  readonly perDay: Amount;
  readonly topUp: Amount;
  /** Those for which it does something. */
  readonly changed: readonly Priced[];
  /** Those of them whose cost isn't known, so that they aren't counted. */
  readonly unknown: readonly Priced[];
  readonly idle: readonly { readonly priced: Priced; readonly why: Idle }[];
}

/** What an add-on of a type costs a day; undefined where nobody says. */
export type PriceOf = (type: string, tier: string | undefined) => Amount | undefined;

type Power = 'running' | 'stopped' | 'else' | 'deleted';

/** How an instance would be by state. */
interface State {
  readonly power: Power;
  readonly addons: readonly PricedAddon[];
  /** Those that were removed: added again, they cost what they cost. */
  readonly removed: readonly PricedAddon[];
}

/** What one change does to one instance. `by`: undefined where its cost isn't known. */
type Step = { readonly next: State; readonly by: Amount | undefined } | { readonly idle: Idle };

/**
 * What changes bring, one after the other, each by what is there after those before it. What a stop brings is the most that it can
 * bring: what the instance costs once it is stopped is counted only where the service says it. Pure and exact.
 */
export function effectsOf(all: readonly Meant[], priceOf: PriceOf): readonly Effect[] {
  const now = new Map<string, State>();
  return all.map((meant) => {
    if (meant.does === 'top up')
      return { meant, perDay: ZERO, topUp: meant.amount, changed: [], unknown: [], idle: [] };
    const steps = meant.those.map((priced) => {
      const { id } = priced.instance;
      const step = stepOf(meant, priced, now.get(id) ?? asItIs(priced), priceOf);
      if ('next' in step) now.set(id, step.next);
      return { priced, step };
    });
    const changed = steps.flatMap(({ priced, step }) => ('next' in step ? [{ priced, by: step.by }] : []));
    return {
      meant,
      topUp: ZERO,
      perDay: sum(changed.flatMap(({ by }) => by ?? [])),
      changed: changed.map(({ priced }) => priced),
      unknown: changed.flatMap(({ priced, by }) => (by ? [] : [priced])),
      idle: steps.flatMap(({ priced, step }) => ('idle' in step ? [{ priced, why: step.idle }] : [])),
    };
  });
}

function asItIs({ instance: { status }, addons }: Priced): State {
  const isKnown = status === 'running' || status === 'stopped';
  const isGone = status === 'deleting' || status === 'deleted';
  return { power: isKnown ? status : isGone ? 'deleted' : 'else', addons, removed: [] };
}

function stepOf(
  meant: Exclude<Meant, { does: 'top up' }>,
  priced: Priced,
  state: State,
  priceOf: PriceOf,
): Step {
  if (state.power === 'deleted') return { idle: 'deleted by then' };
  switch (meant.does) {
    case 'stop':
      return stopped(priced, state);
    case 'start':
      return started(priced, state);
    case 'delete':
      return deleted(priced, state);
    case 'add':
      return added(meant, priced, state, priceOf);
    case 'remove':
      return removed(meant, state);
  }
}

/** How much more it costs while it runs. */
function differenceOf({ running, stopped: off = ZERO }: Priced): Amount | undefined {
  return running && subtract(running, off);
}

function stopped(priced: Priced, state: State): Step {
  if (state.power === 'stopped') return { idle: 'stopped already' };
  if (state.power === 'else') return { idle: 'not possible now' };
  if (!priced.instance.isPaidByDay) return { idle: 'not paid by the day' };
  const by = differenceOf(priced);
  return { next: { ...state, power: 'stopped' }, by: by && negate(by) };
}

function started(priced: Priced, state: State): Step {
  if (state.power === 'running') return { idle: 'runs already' };
  const { can, status, isPaidByDay } = priced.instance;
  if (state.power === 'else' && can.start !== true && status !== 'error') return { idle: 'not possible now' };
  if (!isPaidByDay) return { idle: 'not paid by the day' };
  return { next: { ...state, power: 'running' }, by: differenceOf(priced) };
}

/** Its add-ons go with it. */
function deleted(priced: Priced, state: State): Step {
  if (!priced.instance.isPaidByDay) return { idle: 'not paid by the day' };
  const { instance, running, stopped: off } = priced;
  // Of one that would be stopped by state, nobody says what it costs once it is.
  const offByThen = instance.status === 'running' ? (off ?? ZERO) : off;
  const own = state.power === 'running' ? running : offByThen;
  const costs = [own, ...state.addons.map(({ perDay }) => perDay)];
  const known = costs.flatMap((cost) => cost ?? []);
  return {
    next: { ...state, power: 'deleted' },
    by: known.length === costs.length ? negate(sum(known)) : undefined,
  };
}

function added({ type, tier }: OfAddon, { instance }: Priced, state: State, priceOf: PriceOf): Step {
  if (state.addons.some((one) => one.type === type)) return { idle: 'has it already' };
  if (!instance.isPaidByDay) return { idle: 'not paid by the day' };
  const before = state.removed.find((one) => one.type === type && (tier === undefined || one.tier === tier));
  const perDay = before ? before.perDay : priceOf(type, tier);
  const addon: PricedAddon = before ?? { id: '', type, tier, perDay };
  return { next: { ...state, addons: [...state.addons, addon] }, by: perDay };
}

function removed({ type, tier }: OfAddon, state: State): Step {
  const [addon, another] = addonsCalled(state.addons, type, tier);
  if (!addon) return { idle: 'has none' };
  if (another) return { idle: 'has several' };
  const addons = state.addons.filter((one) => one !== addon);
  return {
    next: { ...state, addons, removed: [...state.removed, addon] },
    by: addon.perDay && negate(addon.perDay),
  };
}

/** Those of an id, or else of a type. Pure. */
export function addonsCalled(
  addons: readonly PricedAddon[],
  called: string,
  tier: string | undefined,
): readonly PricedAddon[] {
  const byId = addons.filter(({ id }) => id !== '' && id === called);
  if (byId.length > 0) return byId;
  return addons.filter((one) => one.type === called && (tier === undefined || one.tier === tier));
}

/** What all of them bring together. Pure. */
export function totalOf(effects: readonly Effect[]): { readonly perDay: Amount; readonly topUp: Amount } {
  return effects.reduce(
    (all, { perDay, topUp }) => ({ perDay: add(all.perDay, perDay), topUp: add(all.topUp, topUp) }),
    { perDay: ZERO, topUp: ZERO },
  );
}
