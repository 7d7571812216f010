import type { Ask } from '../../../core/ask/ask.ts';
import { inWords, withInPlaceOf } from '../../../core/ask/mend-words.ts';
import { isFilter } from '../../../core/instances/filter.ts';
import { incompleteWords } from '../../../core/instances/messages.ts';
import { type AddonList, isAttached, isOf, readAddons } from '../../../core/lookup/addon.ts';
import { resolveLoosely } from '../../../core/lookup/resolve.ts';
import { isAboutSeveral, resolveSeveral } from '../../../core/lookup/several.ts';
import { amongTheirs, asSeen, type Sight, sightOf } from '../../../core/lookup/sight.ts';
import { parseAmount } from '../../../core/money/amount.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { HostingService, Instance, Usage } from '../../../platform/hosting/service.ts';
import { type Phrase, say } from '../../../platform/slack/phrase.ts';
import { USAGE_NOT_OFFERED } from '../balance/offered.ts';
import { costsIn, runningCostsOf, usageOf } from '../usage/costs.ts';
import type { Meant, PricedAddon, Priced, PriceOf } from './effect.ts';
import type { Supposed } from './parse.ts';
import type { Bot } from '../../../core/bot/bot.ts';

/** One change, with the instances that it means. */
export interface Resolved {
  readonly meant: Meant;
  /** The words by which its verb means the same: filters as they were typed, else ids. */
  readonly asked: readonly string[];
  /** It was one name or id. */
  readonly isOne: boolean;
}

/** What is supposed, with what it costs as far as the person may know that. */
export interface Figures {
  readonly resolved: readonly Resolved[];
  readonly priceOf: PriceOf;
  readonly remarks: readonly Phrase[];
}

const NO_ADDONS: AddonList = { addons: [], canChange: false };

/** Reads what is supposed. Throws a Refusal for names that mean no instance of the person's, and HostingError. */
export async function readFigures(
  deps: Pick<Bot, 'hosting' | 'access' | 'favorites'>,
  { actor, place: { channelId }, askedAt }: Pick<Ask, 'actor' | 'place' | 'askedAt'>,
  supposed: readonly Supposed[],
): Promise<Figures> {
  const { hosting, access } = deps;
  const needsAddons = supposed.some(({ does }) => does === 'add' || does === 'remove' || does === 'delete');
  const sight = await sightOf(access, actor, channelId);
  const [found, usage, addons, mayCost, maySeeAddons] = await Promise.all([
    Promise.all(
      supposed.map(async (one) => (one.does === 'top up' ? undefined : find(deps, sight, one, askedAt))),
    ),
    usageOf(hosting),
    needsAddons ? addonsOf(hosting) : NO_ADDONS,
    access.which(actor, 'usage:read', channelId),
    sight.maySeeAddons(),
  ]);
  const starting = supposed.flatMap((one, at) => (one.does === 'start' ? (found[at]?.instances ?? []) : []));
  const details = await runningCostsOf(hosting, starting);
  const ownerOf = ({ instanceId: id = '', instanceName: name = '' }: AddonList['addons'][number]) => ({
    id,
    name,
  });
  const visible = addons.addons.filter((one) => maySeeAddons(ownerOf(one)));
  const pricing = { usage, addons: visible, details, mayCost, maySeeAddons };
  const costs = costsIn(usage);
  const resolved = supposed.map((one, at): Resolved => {
    if (one.does === 'top up') return { meant: one, asked: [], isOne: false };
    const { instances = [], asked = [], isOne = false } = found[at] ?? {};
    return {
      meant: { ...one, those: instances.map((each) => pricedOf(each, costs, pricing)) },
      asked,
      isOne,
    };
  });
  return {
    resolved,
    priceOf: (type, tier) =>
      parseAmount(
        visible.find(
          (one) =>
            one.type === type &&
            (tier === undefined || one.tier === tier) &&
            isAttached(one) &&
            mayCost(ownerOf(one)),
        )?.dailyCredits,
      ),
    remarks: [
      ...found.flatMap((one) => one?.remarks ?? []),
      ...(addons.incomplete ? [incompleteWords(addons.incomplete, 'add-ons')] : []),
    ],
  };
}

interface FoundCost {
  readonly instances: readonly Instance[];
  readonly asked: readonly string[];
  readonly isOne: boolean;
  readonly remarks: readonly Phrase[];
}

async function find(
  { hosting, access, favorites }: Pick<Bot, 'hosting' | 'access' | 'favorites'>,
  sight: Sight,
  { does, names }: Exclude<Supposed, { does: 'top up' }>,
  askedAt: number,
): Promise<FoundCost> {
  const several = (await isAboutSeveral(favorites, names))
    ? await resolveSeveral({ hosting, favorites }, names, sight, askedAt)
    : undefined;
  if (several) {
    const { instances, incomplete, remarks } = several;
    if (instances.length === 0)
      throw new Refusal('no-such-instance', say`No instance matches ${names.join(' ')}.`);
    const isFiltered = names.length === 1 || names.some(isFilter);
    return {
      instances,
      asked: isFiltered ? names : instances.map(({ id }) => id),
      // Named twice it is one, which its verb would act on at once.
      isOne: !isFiltered && instances.length === 1,
      remarks: [...remarks, ...(incomplete ? [incompleteWords(incomplete, 'instances')] : [])],
    };
  }
  const typed = names.join(' ');
  const finding = resolveLoosely(asSeen(hosting, sight), { verb: does, routeId: '' }, typed);
  const instance = await amongTheirs(access, sight, 'instances:read', typed, finding).catch(
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      // Its picker would do something with one instance, and say nothing of the others.
      const { picker: _, buttons: __, ...words } = error.answer;
      throw new Refusal(error.code, words, withInPlaceOf(typed, inWords('Name or id', 'web-1')));
    },
  );
  return { instances: [instance], asked: [instance.id], isOne: true, remarks: [] };
}

async function addonsOf(hosting: HostingService): Promise<AddonList> {
  try {
    return await readAddons(hosting, {});
  } catch (error) {
    if (error instanceof Refusal && error.code === USAGE_NOT_OFFERED) return NO_ADDONS;
    throw error;
  }
}

function pricedOf(
  instance: Instance,
  costs: ReturnType<typeof costsIn>,
  {
    usage,
    addons,
    details,
    mayCost,
  }: {
    readonly usage: Usage;
    readonly addons: AddonList['addons'];
    readonly details: ReadonlyMap<string, string | undefined>;
    readonly mayCost: Sight['maySee'];
  },
): Priced {
  const own = instance.dailyCostCredits ?? details.get(instance.id);
  const now = costs.get(instance.id);
  const isRunning = instance.status === 'running';
  const may = mayCost(instance);
  return {
    instance,
    running: may ? parseAmount(isRunning ? (now ?? own) : own) : undefined,
    stopped: may && !isRunning ? parseAmount(now) : undefined,
    addons: addons
      .filter((addon) => isOf(addon, instance) && isAttached(addon))
      .map((addon): PricedAddon => {
        const inUsage = usage.addons.find(({ id }) => id !== undefined && id === addon.id);
        const { id, type, tier } = addon;
        const perDay = may ? parseAmount(inUsage?.dailyCredits ?? addon.dailyCredits) : undefined;
        return { id, type, tier, perDay };
      }),
  };
}
