import type { Confirmations } from '../confirmations/confirmations.ts';
import { fingerprintOf } from '../confirmations/confirmation.ts';
import { Refusal } from '../errors.ts';
import type { Ask, Reply, Route } from '../feature.ts';
import type { Addon, HostingService, Instance } from '../hosting/service.ts';
import { type BeginDeps, beginOperation, refuseIfTaken, subjectOf } from '../operations/begin.ts';
import type { OfferStore } from '../operations/offer-store.ts';
import type { AddonRef } from '../operations/operation.ts';
import { say, strong } from '../slack/phrase.ts';
import { addonName, isOn, readAddons } from '../targets/addon.ts';
import { nameOf } from '../targets/messages.ts';
import { choicesOf, resolveAsk, resolveShown } from '../targets/resolve.ts';
import { parseWish } from '../targets/wish.ts';
import { addPreview } from './messages.ts';

export interface ChangeDeps extends BeginDeps {
  readonly hosting: HostingService;
  readonly offers: OfferStore;
  readonly confirmations: Confirmations;
  /** How long a removal can be cancelled, in ms. */
  readonly graceMs: number;
  /** How credits are called. */
  readonly unit: string;
}

const ADD = 'addons.add';
const EXAMPLE = 'add backup web-1';

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
    return begin(deps, ask, instance, confirmation.addon, confirmation.because);
  }
  if (ask.value !== undefined) throw tooOld();
  const wish = parseWish(ask.words, EXAMPLE, { takesTier: true });
  const [type, ...names] = wish.names;
  if (type === undefined) {
    throw new Refusal('no-type', say`Which add-on, and on which instance? Say it as in ${EXAMPLE}.`);
  }
  const verb = { verb: `add ${type} to`, routeId: ADD };
  const instance = await resolveAsk(deps, verb, ask, { names, dryRun: wish.dryRun });
  const addon = { type, ...(wish.tier === undefined ? {} : { tier: wish.tier }) };
  await refuseIfTaken(deps, { kind: ADD, instanceId: instance.id, addon });
  const like = await refuseUnlessPossible(hosting, instance, addon);
  const lines = addPreview(addon, instance, like, deps.unit);
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
  const id = await confirmations.create(ask, { instance: fingerprintOf(instance), addon, lines, ...reason });
  return { lines, buttons: [{ label: 'Add it', routeId: ADD, value: id, style: 'primary' }] };
}

async function begin(
  deps: ChangeDeps,
  ask: Ask,
  instance: Instance,
  addon: AddonRef,
  because: string | undefined,
): Promise<Reply> {
  await refuseIfTaken(deps, { kind: ADD, instanceId: instance.id, addon });
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
    { confirmationId: ask.value ?? '' },
  );
}

/** Gives one of the same sort that is there already, elsewhere. Throws a Refusal where it can't be added. */
async function refuseUnlessPossible(
  hosting: HostingService,
  instance: Instance,
  wanted: AddonRef,
): Promise<Addon | undefined> {
  if (!canHaveAddons(instance)) {
    throw new Refusal('deleting', say`Could not add anything to ${nameOf(instance)}: it is being deleted.`);
  }
  const { addons, canChange } = await readAddons(hosting);
  if (!canChange) throw new Refusal('not-offered', notOffered());
  const own = addons.find((addon) => isOn(addon, instance) && addon.type === wanted.type);
  if (own) {
    throw new Refusal(
      'already',
      say`${nameOf(instance)} has ${strong(addonName(own))} already. Nothing was done.`,
    );
  }
  return addons.find(
    (addon) => addon.type === wanted.type && (wanted.tier === undefined || addon.tier === wanted.tier),
  );
}

/** Add-ons go with their instance, so none is added to one that is going. */
function canHaveAddons({ status }: Instance): boolean {
  return status !== 'deleting' && status !== 'deleted';
}

/** A service without add-on endpoints. */
export function notOffered(): ReturnType<typeof say> {
  return say`This hosting service does not offer changing add-ons through its API, so nothing was done. Change them in its own dashboard.`;
}

function tooOld(): Refusal {
  return new Refusal('button-expired', say`That button is too old, so nothing was done. Ask anew.`);
}
