import { type Confirmation, fingerprintOf } from '../../core/confirmations/confirmation.ts';
import { Refusal } from '../../core/refusal.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Ask, Reply, Route } from '../../core/routing/route.ts';
import type { Addon, Instance } from '../../platform/hosting/service.ts';
import { beginOperation, refuseIfTaken, refuseIfUsed, subjectOf } from '../../core/operations/begin.ts';
import { canBeCancelled } from '../../core/operations/messages.ts';
import type { Message } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { isOn, readAddons } from '../../core/lookup/addon.ts';
import { nameOf } from '../../core/lookup/messages.ts';
import { choicesOf, isTyped, resolveAsk, resolveShown } from '../../core/lookup/resolve.ts';
import { parseWish } from '../../core/lookup/wish.ts';
import { DELETE } from './delete-kind.ts';
import { deleteModal, deletePreview, deleteRefused, wouldDelete, wrongName } from './delete-messages.ts';
import { refuseDelete } from './delete-rules.ts';
import type { PowerDeps } from './power.ts';

export interface DeleteDeps extends PowerDeps {
  readonly graceMs: number;
  /** How credits are called. */
  readonly unit: string;
}

/** `/instances delete web-1`: show what will be lost, have the name typed, begin an operation that can be cancelled. */
export function deleteRoute(deps: DeleteDeps): Route {
  return {
    id: DELETE,
    verb: 'delete',
    synonyms: ['kill', 'terminate', 'destroy', 'remove', 'rm'],
    permission: 'instances:delete',
    writes: true,
    usage: '<name or id> [--because "…"] [--dry-run]',
    summary: 'delete one instance for ever, after you typed its name',
    handle: async (ask) => {
      const confirmation = await deps.confirmations.find(ask);
      if (!confirmation) return showFirst(deps, ask);
      return ask.typed === undefined
        ? toConfirm(deps, ask.value ?? '', confirmation)
        : requestDelete(deps, ask, confirmation);
    },
    check: async (ask) => {
      const confirmation = await deps.confirmations.find(ask);
      return confirmation && !isTyped(ask, confirmation.instance.name)
        ? wrongName(confirmation.instance.name)
        : undefined;
    },
    choices: (typed) =>
      choicesOf(
        deps.hosting,
        typed,
        (instance) => refuseDelete(instance, deps.isProtected(instance)) === undefined,
      ),
  };
}

/** Finds the one instance and shows what would be lost. */
async function showFirst(deps: DeleteDeps, ask: Ask): Promise<Reply> {
  await refuseIfUsed(deps, ask);
  const wish = parseWish(ask.words, 'delete web-1');
  const listed = await resolveAsk(deps, { verb: 'delete', routeId: DELETE }, ask, wish);
  await refuseIfTaken(deps, ask, { kind: DELETE, instanceId: listed.id });
  const [instance, addons] = await Promise.all([readFreshly(deps, listed), addonsOf(deps, listed)]);
  refuseUnlessPossible(deps, instance);
  const { lines, bullets } = deletePreview(instance, addons, deps.unit);
  if (wish.dryRun) return wouldDelete({ bullets }, instance);
  const shown: Omit<Confirmation, 'routeId' | 'actor' | 'expiresAt'> = {
    instance: fingerprintOf(instance),
    lines,
    bullets,
    offerId: ask.value,
    ...(wish.because === undefined ? {} : { because: wish.because }),
  };
  return toConfirm(deps, await deps.confirmations.create(ask, shown), shown);
}

/** The modal, and for whoever it can't be opened for, a button that opens it: Slack allows that for three seconds. */
function toConfirm(
  deps: DeleteDeps,
  id: string,
  shown: Pick<Confirmation, 'instance' | 'lines' | 'bullets'>,
): Message {
  const preview = { lines: shown.lines, ...(shown.bullets ? { bullets: shown.bullets } : {}) };
  const hint = canBeCancelled(deps.graceMs);
  return {
    ...preview,
    buttons: [{ label: 'Delete…', routeId: DELETE, value: id, style: 'danger' }],
    note: say`${hint}`,
    modal: deleteModal(shown.instance, preview, id, DELETE, hint),
  };
}

/** The name was typed. */
async function requestDelete(deps: DeleteDeps, ask: Ask, confirmation: Confirmation): Promise<Reply> {
  if (!isTyped(ask, confirmation.instance.name))
    throw new Refusal('wrong-name', wrongName(confirmation.instance.name));
  const instance = await resolveShown(deps.hosting, confirmation.instance);
  await refuseIfTaken(deps, ask, { kind: DELETE, instanceId: instance.id });
  refuseUnlessPossible(deps, instance);
  return beginOperation(
    deps,
    ask,
    {
      kind: DELETE,
      subject: subjectOf(instance),
      what: say`delete ${nameOf(instance)}`,
      graceMs: deps.graceMs,
      ...(confirmation.because === undefined ? {} : { because: confirmation.because }),
    },
    { confirmationId: ask.value, offerId: confirmation.offerId },
  );
}

function refuseUnlessPossible(deps: DeleteDeps, instance: Instance): void {
  const refusal = refuseDelete(instance, deps.isProtected(instance));
  if (refusal !== undefined) throw new Refusal(refusal, deleteRefused(instance, refusal));
}

async function readFreshly(deps: DeleteDeps, listed: Instance): Promise<Instance> {
  const instance = await deps.hosting.findInstance(listed.id);
  if (instance) return instance;
  const gone: Phrase = say`There is no instance ${nameOf(listed)} any more, so nothing was done.`;
  throw new Refusal('gone', gone);
}

/** What is attached to it, as far as that can be read: it is a remark, and no reason not to ask. */
async function addonsOf(deps: DeleteDeps, instance: Instance): Promise<readonly Addon[] | undefined> {
  try {
    const { addons, incomplete } = await readAddons(deps.hosting);
    // Those that are named must be all that are lost.
    if (incomplete) return undefined;
    return addons.filter((addon) => isOn(addon, instance));
  } catch (error) {
    if (error instanceof HostingError) return undefined;
    throw error;
  }
}
