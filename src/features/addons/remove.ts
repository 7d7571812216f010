import { type Confirmation, fingerprintOf } from '../../core/confirmations/confirmation.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply, Route } from '../../core/routing/route.ts';
import type { Addon, Instance } from '../../platform/hosting/service.ts';
import { beginOperation, refuseIfTaken, refuseIfUsed, subjectOf } from '../../core/operations/begin.ts';
import { canBeCancelled } from '../../core/operations/messages.ts';
import type { AddonRef } from '../../core/operations/operation.ts';
import type { Message } from '../../platform/slack/message.ts';
import { say, strong } from '../../platform/slack/phrase.ts';
import { addonName, isOn, readAddons } from '../../core/lookup/addon.ts';
import { nameOf } from '../../core/lookup/messages.ts';
import { choicesOf, isTyped, resolveAsk, resolveShown } from '../../core/lookup/resolve.ts';
import { parseWish } from '../../core/lookup/wish.ts';
import { type ChangeDeps, notOffered } from './add.ts';
import { noSuchAddon, removeModal, removePreview, whichAddon, wrongType } from './messages.ts';

export const REMOVE = 'addons.remove';
const EXAMPLE = 'remove backup web-1';

/** `/addons remove backup web-1`: show what is lost, have its type typed, begin an operation that can be cancelled. */
export function removeRoute(deps: ChangeDeps): Route {
  return {
    id: REMOVE,
    verb: 'remove',
    synonyms: ['delete', 'detach', 'uninstall', 'disable', 'cancel', 'rm'],
    permission: 'addons:change',
    writes: true,
    usage: '<type or id> <name or id of an instance> [--because "…"] [--dry-run]',
    summary: 'remove an add-on, after you typed its type',
    handle: async (ask) => {
      const confirmation = await deps.confirmations.find(ask);
      if (!confirmation) return showFirst(deps, ask);
      return ask.typed === undefined
        ? toConfirm(deps, ask.value ?? '', confirmation)
        : requestRemove(deps, ask, confirmation);
    },
    check: async (ask) => {
      const confirmation = await deps.confirmations.find(ask);
      const type = confirmation?.addon?.type;
      return type === undefined || isTyped(ask, type) ? undefined : wrongType(type);
    },
    choices: (typed) => choicesOf(deps.hosting, typed),
  };
}

async function showFirst(deps: ChangeDeps, ask: Ask): Promise<Reply> {
  await refuseIfUsed(deps, ask);
  const wish = parseWish(ask.words, EXAMPLE);
  const { word, names } = await wantedIn(deps, ask, wish.names);
  const verb = { verb: `remove ${word} from`, routeId: REMOVE };
  const instance = await resolveAsk(deps, verb, ask, { names, dryRun: wish.dryRun });
  const addon = await findAddon(deps, instance, word);
  await refuseIfTaken(deps, ask, { kind: REMOVE, instanceId: instance.id, addon: refOf(addon) });
  const { lines, bullets } = removePreview(addon, instance, deps.unit);
  if (wish.dryRun) {
    return {
      lines: [
        say`Would ask you to type ${addon.type} and then remove ${strong(addonName(addon))} from ${nameOf(instance)}. This was a dry run: nothing was done.`,
      ],
      bullets,
    };
  }
  const shown = {
    instance: fingerprintOf(instance),
    addon: refOf(addon),
    lines,
    bullets,
    offerId: ask.value,
    ...(wish.because === undefined ? {} : { because: wish.because }),
  };
  return toConfirm(deps, await deps.confirmations.create(ask, shown), shown);
}

/** Which add-on is meant, and the words for its instance: a menu's line knows the add-on by its id. */
async function wantedIn(
  deps: ChangeDeps,
  ask: Ask,
  words: readonly string[],
): Promise<{ word: string; names: readonly string[] }> {
  if (ask.value !== undefined) {
    const offer = await deps.offers.find(ask.value);
    if (offer?.addonId !== undefined) return { word: offer.addonId, names: [] };
    throw new Refusal('button-expired', say`That button is too old, so nothing was done. Ask again.`);
  }
  const [word, ...names] = words;
  if (word === undefined) {
    throw new Refusal('no-type', say`Which add-on, and from which instance? Say it as in ${EXAMPLE}.`);
  }
  return { word, names };
}

/** The one active add-on of an instance with this id or type. Throws a Refusal where it is none or not only one. */
async function findAddon(deps: ChangeDeps, instance: Instance, word: string): Promise<Addon> {
  const { addons, canChange, incomplete } = await readAddons(deps.hosting);
  if (!canChange) throw new Refusal('not-offered', notOffered());
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
        deps.unit,
      ),
    );
  return addon;
}

/** The modal, and for whoever it can't be opened for, a button that opens it. */
function toConfirm(
  deps: ChangeDeps,
  id: string,
  shown: Pick<Confirmation, 'addon' | 'lines' | 'bullets'>,
): Message {
  const preview = { lines: shown.lines, ...(shown.bullets ? { bullets: shown.bullets } : {}) };
  const hint = canBeCancelled(deps.graceMs);
  return {
    ...preview,
    buttons: [{ label: 'Remove…', routeId: REMOVE, value: id, style: 'danger' }],
    note: say`${hint}`,
    modal: removeModal(shown.addon?.type ?? '', preview, id, REMOVE, hint),
  };
}

/** The type was typed. */
async function requestRemove(deps: ChangeDeps, ask: Ask, confirmation: Confirmation): Promise<Reply> {
  const { addon } = confirmation;
  if (!addon || !isTyped(ask, addon.type)) throw new Refusal('wrong-type', wrongType(addon?.type ?? ''));
  const instance = await resolveShown(deps.hosting, confirmation.instance);
  await refuseIfTaken(deps, ask, { kind: REMOVE, instanceId: instance.id, addon });
  await findAddon(deps, instance, addon.id ?? addon.type);
  return beginOperation(
    deps,
    ask,
    {
      kind: REMOVE,
      subject: subjectOf(instance),
      addon,
      graceMs: deps.graceMs,
      what: say`remove ${strong(addon.type)} from ${nameOf(instance)}`,
      ...(confirmation.because === undefined ? {} : { because: confirmation.because }),
    },
    { confirmationId: ask.value, offerId: confirmation.offerId },
  );
}

function refOf({ id, type, tier }: Addon): AddonRef {
  return { id, type, ...(tier === undefined ? {} : { tier }) };
}
