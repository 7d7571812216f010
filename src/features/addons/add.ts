import { findSurely } from '../../core/operations/find-surely.ts';
import { inWords, oneOf } from '../../core/ask/mend-words.ts';
import { type Change, change } from '../../core/changes/change.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Addon, Incomplete, Instance } from '../../platform/hosting/service.ts';
import { BUTTON_TOKENS } from '../../core/offers/offers.ts';
import { plain, say } from '../../platform/slack/phrase.ts';
import { addonName, type AddonList, isAttached, isOn, readAddons } from '../../core/lookup/addon.ts';
import { incompleteWords, nameOf, whichInstance } from '../../core/instances/messages.ts';
import { buttonTokenOf } from '../../core/lookup/resolve.ts';
import { addonArgs, type AddonRef, type AddonVerbs, named, judgeBeforeChange } from './addon.ts';
import { addEnding } from './change-messages.ts';
import {
  addPreview,
  type Known,
  MAX_SORTS,
  typesFor,
  wouldAdd,
  ADD,
  ADD_ANYWHERE,
  ADDONS_LIST,
} from './messages.ts';

const EXAMPLE = '/addons add backup web-1';
const MAX_LABEL = 60;

/** `/addons add backup web-1`: shows what it costs and asks first, since each call adds one. */
export function addChange(deps: AddonVerbs): Change {
  const { hosting, unit, observer } = deps;
  return change<AddonRef>({
    id: ADD,
    verb: 'add',
    spoken: {
      orders: [
        ['(we|i)? (want|need|would like) <addon>', '{addon} {x}'],
        ['(we|i)? (want|need|would like) <addon> (on|for) <x>', '{addon} {x}'],
        ['(add|attach|install|enable|buy|put|give) <addon> (to|on|for|in)? <x>', '{addon} {x}'],
        ['(add|attach|install|enable|buy) <addon>', '{addon} {x}'],
        ['<x> (needs|need|wants|should have|gets) <addon>', '{addon} {x}'],
        ['(give) <x> <addon>', '{addon} {x}'],
        ['<x> (needs|need|wants) <size> <addon>', '{addon} {x} --tier {size}'],
        ['(add|attach|install|enable|buy) <size> <addon> (to|on|for)? <x>', '{addon} {x} --tier {size}'],
      ],
      isForOne: true,
    },
    permission: 'addons:change',
    usage: '<type> <name or id> [--tier …] [--because "…"] [--dry-run]',
    summary: 'add an add-on to one instance',
    example: EXAMPLE,
    words: { doing: 'Adding', done: 'Added', isBeing: 'being added' },
    args: addonArgs,
    options: { tier: 'standard' },
    read: ({ ask, words, options, buttonToken }) => {
      if (ask.value === ADD_ANYWHERE) throw noInstance();
      const [typed, ...names] = words;
      const wanted = addonArgs.safeParse(buttonToken?.args).data;
      const type = wanted?.type ?? typed;
      if (type === undefined) {
        if (ask.value === undefined && ask.picked === undefined) throw noInstance();
        return {
          names,
          asking: 'add it to',
          args: async (instance) => Promise.reject(await whichType(deps, instance)),
        };
      }
      const tier = wanted?.tier ?? options['tier'];
      return { names, asking: `add ${type} to`, args: { type, tier } };
    },
    typed: ({ id }, { type, tier }) => [type, id, ...(tier === undefined ? [] : ['--tier', tier])],
    part: ({ type }) => type,
    object: (instance, addon) => say`${named(addon)} to ${instance}`,
    topic: (instance, addon) => say`${named(addon)} on ${instance}`,
    passes: canHaveAddons,
    check: async ({ instance, args, isConfirmed }) => {
      const { addons, incomplete } = await refuseUnlessPossible(deps, instance, args);
      if (isConfirmed) return {};
      const { type, tier } = args;
      const like = addons.find(
        (one) => isAttached(one) && one.type === type && (tier === undefined || one.tier === tier),
      );
      const lines = addPreview(args, instance, { like, incomplete, unit });
      return {
        question: { lines },
        would: wouldAdd(args, instance, lines, like?.dailyCredits !== undefined),
      };
    },
    confirm: { how: 'button', label: 'Add it', style: 'primary' },
    observer,
    prepare: async (operation) => {
      const [instance, list] = await Promise.all([findSurely(hosting, operation), readAddons(hosting)]);
      return judgeBeforeChange('add', operation, instance, list);
    },
    send: async ({ subject, args: { type, tier } }, options) => {
      await hosting.addAddon(subject.id, { type, tier }, options);
      return {};
    },
    // Adding costs money each time.
    rule: { repeats: 'never', isReached: ({ status }) => status === 'present' },
    ending: addEnding,
    nextSteps: ({ id }, { result }) => [
      { label: result === 'unknown' ? 'Look again' : 'Show add-ons', routeId: ADDONS_LIST, value: id },
    ],
  });
}

function noInstance(): Refusal {
  return new Refusal(
    'no-instance',
    whichInstance('add to', ADD, say`Which instance do you want to add an add-on to?`),
  );
}

/** Asks which add-on is meant, with a button for each sort that is in use elsewhere and not on this instance. */
async function whichType(deps: AddonVerbs, instance: Instance): Promise<Refusal> {
  if (!canHaveAddons(instance)) throw isGoing(instance);
  const { addons, canChange, incomplete } = await readAddons(deps.hosting);
  if (!canChange) throw notOffered(deps, instance);
  if (incomplete?.isCertain) throw isUnknown(deps, instance, incomplete);
  const own = new Set(addons.filter((addon) => isOn(addon, instance)).map(({ type }) => type));
  const sorts = new Map<string, Addon>();
  for (const addon of addons) {
    const name = addonName(addon);
    if (isAttached(addon) && !own.has(addon.type) && !sorts.has(name)) sorts.set(name, addon);
  }
  const known = [...sorts]
    .slice(0, MAX_SORTS)
    .map(async ([name, { type, tier, dailyCredits }]): Promise<Known> => {
      const addon = { type, tier };
      const value = await deps.offers.make(BUTTON_TOKENS, { ...buttonTokenOf(instance), args: addon });
      return {
        addon,
        dailyCredits,
        button: { label: `Add ${plain(name, MAX_LABEL)}…`, routeId: ADD, value },
      };
    });
  const another = oneOf([inWords('Its type', 'backup'), instance.id]);
  return new Refusal('no-type', typesFor(instance, await Promise.all(known), deps.unit), another);
}

/** Gives the add-ons there are. Throws a Refusal where it can't be added. */
async function refuseUnlessPossible(
  deps: AddonVerbs,
  instance: Instance,
  wanted: AddonRef,
): Promise<AddonList> {
  if (!canHaveAddons(instance)) throw isGoing(instance);
  const list = await readAddons(deps.hosting);
  if (!list.canChange) throw notOffered(deps, instance);
  const own = list.addons.find((addon) => isOn(addon, instance) && addon.type === wanted.type);
  if (own) {
    throw new Refusal('already', say`${nameOf(instance)} has ${named(own)} already. Nothing was done.`);
  }
  if (list.incomplete?.isCertain) throw isUnknown(deps, instance, list.incomplete);
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
function isUnknown({ links }: AddonVerbs, instance: Instance, incomplete: Incomplete): Refusal {
  return new Refusal('incomplete', {
    lines: [
      say`I can't tell which add-ons ${nameOf(instance)} has already, so nothing was done: a second one of a type would cost twice.`,
      incompleteWords(incomplete, 'add-ons'),
      say`Look at the hosting service's own dashboard, and add it there.`,
    ],
    buttons: links.console(instance.id),
  });
}

/** A service without add-on endpoints. */
export function notOffered({ links }: Pick<AddonVerbs, 'links'>, instance: Pick<Instance, 'id'>): Refusal {
  return new Refusal('not-offered', {
    lines: [
      say`This hosting service does not offer changing add-ons through its API, so nothing was done. Change them in its own dashboard.`,
    ],
    buttons: links.console(instance.id),
  });
}
