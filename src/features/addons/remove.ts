import { findSurely } from '../../core/operations/find-surely.ts';
import { type Change, change } from '../../core/changes/change.ts';
import type { Confirm } from '../../core/changes/declaration.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Addon, Instance } from '../../platform/hosting/service.ts';
import { say } from '../../platform/slack/phrase.ts';
import { whichInstance } from '../../core/instances/messages.ts';
import { isOn, readAddons } from '../../core/lookup/addon.ts';
import { notOffered } from './add.ts';
import { removeEnding } from './change-messages.ts';
import {
  ADDONS_LIST,
  REMOVE,
  noSuchAddon,
  removePreview,
  whichAddon,
  wouldRemove,
  wrongType,
} from './messages.ts';
import {
  type AddonRef,
  type AddonVerbs,
  addonArgs,
  addonIn,
  addonOf,
  judgeBeforeChange,
  named,
  refOf,
} from './addon.ts';

const EXAMPLE = '/addons remove backup web-1';

/** Its type is typed. */
export const confirmRemove: Confirm = {
  how: 'typed',
  label: 'Remove…',
  title: 'Remove an add-on',
  submit: 'Remove',
  word: (_instance, args) => addonArgs.parse(args).type,
  field: (type) => `Type ${type} to remove it`,
  wrong: wrongType,
};

/** `/addons remove backup web-1`: its type is typed, and for a while it can be canceled. */
export function removeChange(deps: AddonVerbs): Change {
  const { hosting, unit, timings, observer } = deps;
  return change<AddonRef>({
    id: REMOVE,
    verb: 'remove',
    spoken: {
      orders: [
        ['take <addon> (off|from|away from) <x>', '{addon} {x}'],
        ['take <addon> off', '{addon} {x}'],
        ['(remove|detach|uninstall|disable|drop|cancel) <addon>', '{addon} {x}'],
        ['(remove|detach|uninstall|disable|drop|delete|cancel) <addon> (from|on|of) <x>', '{addon} {x}'],
        ['(remove|detach|uninstall|disable|drop|delete|cancel) <x> <addon>', '{addon} {x}'],
      ],
      isForOne: true,
    },
    permission: 'addons:change',
    usage: '<type or id> <name or id of an instance> [--because "…"] [--dry-run]',
    summary: 'remove an add-on, after you typed its type',
    example: EXAMPLE,
    words: {
      doing: 'Removing',
      done: 'Removed',
      isBeing: 'being removed',
      coming: 'be removed',
      loses: say`Everything stored in it is deleted too.`,
    },
    args: addonArgs,
    read: ({ ask, words, buttonToken }) => {
      const [word, ...names] = ask.value === undefined ? words : [wordIn(buttonToken?.args)];
      if (word === undefined) throw ask.value === undefined ? noType() : tooOld();
      return {
        names: names.filter((name) => name !== undefined),
        asking: `remove ${word} from`,
        args: async (instance) => refOf(await readAddon(deps, instance, word)),
      };
    },
    typed: (instance, { id, type }) => [id ?? type, instance.id],
    part: ({ type }) => type,
    object: (instance, addon) => say`${named(addon)} from ${instance}`,
    topic: (instance, addon) => say`${named(addon)} on ${instance}`,
    check: async ({ instance, args, isConfirmed }) => {
      const addon = await readAddon(deps, instance, args.id ?? args.type);
      if (isConfirmed) return {};
      const preview = removePreview(addon, instance, unit);
      return { question: preview, would: wouldRemove(preview, addon, instance) };
    },
    confirm: confirmRemove,
    cancelWindowMs: timings.cancelWindowMs,
    idsOf: ({ subject, args: { id } }) => (id === undefined ? [subject.id] : [subject.id, id]),
    observer,
    prepare: async (operation) => {
      const [instance, first] = await Promise.all([findSurely(hosting, operation), readAddons(hosting)]);
      // One list that lacks it is no proof.
      const list = addonOf(operation, first.addons) ? first : await readAddons(hosting);
      // Gone already is only said of a list that is whole.
      addonIn(operation, list);
      return judgeBeforeChange('remove', operation, instance, list);
    },
    send: async ({ id, args }, options) => {
      if (args.id === undefined) throw new Error(`operation ${id}: an add-on without an id`);
      await hosting.removeAddon(args.id, options);
      return {};
    },
    rule: { repeats: 'if-unchanged', isReached: ({ status }) => status === 'gone' },
    ending: removeEnding,
    nextSteps: ({ id }, { result }) => [
      { label: result === 'unknown' ? 'Look again' : 'Show add-ons', routeId: ADDONS_LIST, value: id },
    ],
  });
}

function noType(): Refusal {
  const why = say`From which instance? Pick it, and I'll list its add-ons.`;
  return new Refusal('no-type', whichInstance('see the add-ons of', ADDONS_LIST, why));
}

function tooOld(): Refusal {
  return new Refusal('button-expired', say`That button is too old, so nothing was done. Ask again.`);
}

/** The one active add-on of an instance with this id or type. Throws a Refusal where it is none or not only one. */
async function readAddon(deps: AddonVerbs, instance: Instance, word: string): Promise<Addon> {
  const { hosting, unit } = deps;
  const { addons, canChange, incomplete } = await readAddons(hosting);
  if (!canChange) throw notOffered(deps, instance);
  const active = addons.filter((addon) => isOn(addon, instance));
  const byId = active.find((addon) => addon.id === word);
  if (byId) return byId;
  const [addon, another] = active.filter(({ type }) => type === word);
  if (!addon) throw new Refusal('no-such-addon', noSuchAddon(word, instance, active, incomplete));
  if (another)
    throw new Refusal(
      'several',
      whichAddon(
        word,
        instance,
        active.filter(({ type }) => type === word),
        unit,
      ),
    );
  return addon;
}

/** What a menu's line knows the add-on by. */
function wordIn(args: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const addon = addonArgs.safeParse(args);
  return addon.success ? addon.data.id : undefined;
}
