import type { Confirmations } from '../../core/confirmations/confirmations.ts';
import { type Confirmation, fingerprintOf } from '../../core/confirmations/confirmation.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply, Route } from '../../core/routing/route.ts';
import type { Addon, HostingService, Incomplete, Instance } from '../../platform/hosting/service.ts';
import {
  type BeginDeps,
  beginOperation,
  refuseIfTaken,
  refuseIfUsed,
  subjectOf,
} from '../../core/operations/begin.ts';
import type { AddonRef } from '../../core/operations/operation.ts';
import { plain, say, strong } from '../../platform/slack/phrase.ts';
import { addonName, type AddonList, isAttached, isOn, readAddons } from '../../core/lookup/addon.ts';
import { incompleteWords, nameOf, whichInstance } from '../../core/lookup/messages.ts';
import { choicesOf, offerOf, resolveAsk, resolveShown } from '../../core/lookup/resolve.ts';
import { parseWish } from '../../core/lookup/wish.ts';
import { addPreview, type Known, MAX_SORTS, whichType } from './messages.ts';

export interface ChangeDeps extends BeginDeps {
  readonly hosting: HostingService;
  readonly confirmations: Confirmations;
  /** How long a removal can be cancelled, in ms. */
  readonly graceMs: number;
  /** How credits are called. */
  readonly unit: string;
}

export const ADD = 'addons.add';
const EXAMPLE = 'add backup web-1';
const LONGEST_LABEL = 60;
/** The value of the button that asks for an add-on for whichever instance is picked then. */
export const ADD_ANYWHERE = 'anywhere';

/** `/addons add backup web-1`: show what it comes to, have it confirmed, begin an operation. */
export function addRoute(deps: ChangeDeps): Route {
  return {
    id: ADD,
    verb: 'add',
    synonyms: ['attach', 'install', 'enable', 'buy'],
    permission: 'addons:change',
    writes: true,
    usage: '<type> <name or id> [--tier …] [--because "…"] [--dry-run]',
    summary: 'add an add-on to one instance',
    handle: (ask) => requestAdd(deps, ask),
    choices: (typed) => choicesOf(deps.hosting, typed, canHaveAddons),
  };
}

async function requestAdd(deps: ChangeDeps, ask: Ask): Promise<Reply> {
  const { hosting, confirmations } = deps;
  const confirmation = await confirmations.find(ask);
  if (confirmation?.addon) {
    const instance = await resolveShown(hosting, confirmation.instance);
    return begin(deps, ask, instance, confirmation);
  }
  if (ask.value === ADD_ANYWHERE) {
    throw new Refusal(
      'no-instance',
      whichInstance('add it to', ADD, say`Which instance is to get an add-on?`),
    );
  }
  await refuseIfUsed(deps, ask);
  const wish = parseWish(ask.words, EXAMPLE, { takesTier: true });
  const [typed, ...names] = wish.names;
  const wanted = ask.value === undefined ? undefined : (await deps.offers.find(ask.value))?.addon;
  const type = wanted?.type ?? typed;
  const verb = { verb: type === undefined ? 'add it to' : `add ${type} to`, routeId: ADD };
  if (type === undefined) {
    if (ask.value === undefined && ask.picked === undefined)
      throw new Refusal('no-type', say`Which add-on, and on which instance? Say it as in ${EXAMPLE}.`);
    return askForType(deps, await resolveAsk(deps, verb, ask, wish));
  }
  const instance = await resolveAsk(deps, verb, ask, { names, dryRun: wish.dryRun });
  const tier = wanted?.tier ?? wish.tier;
  const addon = { type, ...(tier === undefined ? {} : { tier }) };
  await refuseIfTaken(deps, ask, { kind: ADD, instanceId: instance.id, addon });
  const { addons, incomplete } = await refuseUnlessPossible(hosting, instance, addon);
  const like = addons.find(({ type: its, tier: at }) => its === type && (tier === undefined || at === tier));
  const lines = addPreview(addon, instance, { like, incomplete, unit: deps.unit });
  if (wish.dryRun) {
    const because = like?.dailyCredits === undefined ? [] : lines.slice(1, 2);
    return {
      lines: [
        say`Would ask you and then add ${strong(addonName(addon))} to ${nameOf(instance)}. This was a dry run: nothing was done.`,
        ...because,
      ],
    };
  }
  const reason = wish.because === undefined ? {} : { because: wish.because };
  const id = await confirmations.create(ask, {
    instance: fingerprintOf(instance),
    addon,
    lines,
    offerId: ask.value,
    ...reason,
  });
  return { lines, buttons: [{ label: 'Add it', routeId: ADD, value: id, style: 'primary' }] };
}

/** Asks which add-on is meant, with a button for each sort that is in use elsewhere and not on this instance. */
async function askForType(deps: ChangeDeps, instance: Instance): Promise<Reply> {
  if (!canHaveAddons(instance)) throw isGoing(instance);
  const { addons, canChange, incomplete } = await readAddons(deps.hosting);
  if (!canChange) throw new Refusal('not-offered', notOffered());
  if (incomplete?.isCertain) throw isUnknown(instance, incomplete);
  const own = new Set(addons.filter((addon) => isOn(addon, instance)).map(({ type }) => type));
  const sorts = new Map<string, Addon>();
  for (const addon of addons) {
    const name = addonName(addon);
    if (isAttached(addon) && !own.has(addon.type) && !sorts.has(name)) sorts.set(name, addon);
  }
  const known = [...sorts]
    .slice(0, MAX_SORTS)
    .map(async ([name, { type, tier, dailyCredits }]): Promise<Known> => {
      const addon = { type, ...(tier === undefined ? {} : { tier }) };
      const value = await deps.offers.create({ ...offerOf(instance), addon });
      return {
        addon,
        dailyCredits,
        button: { label: `Add ${plain(name, LONGEST_LABEL)}…`, routeId: ADD, value },
      };
    });
  return whichType(instance, await Promise.all(known), deps.unit);
}

async function begin(
  deps: ChangeDeps,
  ask: Ask,
  instance: Instance,
  { addon, because, offerId }: Confirmation,
): Promise<Reply> {
  if (!addon) throw new Error(`request ${ask.id}: a confirmation without an add-on`);
  await refuseIfTaken(deps, ask, { kind: ADD, instanceId: instance.id, addon });
  await refuseUnlessPossible(deps.hosting, instance, addon);
  return beginOperation(
    deps,
    ask,
    {
      kind: ADD,
      subject: subjectOf(instance),
      addon,
      what: say`add ${strong(addonName(addon))} to ${nameOf(instance)}`,
      ...(because === undefined ? {} : { because }),
    },
    { confirmationId: ask.value, offerId },
  );
}

/** Gives the add-ons there are. Throws a Refusal where it can't be added. */
async function refuseUnlessPossible(
  hosting: HostingService,
  instance: Instance,
  wanted: AddonRef,
): Promise<AddonList> {
  if (!canHaveAddons(instance)) throw isGoing(instance);
  const list = await readAddons(hosting);
  if (!list.canChange) throw new Refusal('not-offered', notOffered());
  const own = list.addons.find((addon) => isOn(addon, instance) && addon.type === wanted.type);
  if (own) {
    throw new Refusal(
      'already',
      say`${nameOf(instance)} has ${strong(addonName(own))} already. Nothing was done.`,
    );
  }
  if (list.incomplete?.isCertain) throw isUnknown(instance, list.incomplete);
  return list;
}

/** Add-ons go with their instance, so none is added to one that is going. */
function canHaveAddons({ status }: Instance): boolean {
  return status !== 'deleting' && status !== 'deleted';
}

function isGoing(instance: Instance): Refusal {
  return new Refusal('deleting', say`Could not add anything to ${nameOf(instance)}: it is being deleted.`);
}

/** It may have one already that is not in the list, and a second one would cost as much again. */
function isUnknown(instance: Instance, incomplete: Incomplete): Refusal {
  return new Refusal('incomplete', {
    lines: [
      say`I can't tell which add-ons ${nameOf(instance)} has already, so nothing was done: a second one of a type would cost twice.`,
      incompleteWords(incomplete, 'add-ons'),
      say`Look at the hosting service's own dashboard, and add it there.`,
    ],
  });
}

/** A service without add-on endpoints. */
export function notOffered(): ReturnType<typeof say> {
  return say`This hosting service does not offer changing add-ons through its API, so nothing was done. Change them in its own dashboard.`;
}
