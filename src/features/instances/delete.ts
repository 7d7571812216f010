import { findSurely } from '../../core/operations/find-surely.ts';
import { z } from 'zod';
import { type Change, change } from '../../core/changes/change.ts';
import type { Confirm } from '../../core/changes/declaration.ts';
import { buttonTokenOf } from '../../core/lookup/resolve.ts';
import { BUTTON_TOKENS } from '../../core/offers/offers.ts';
import { buttonsAbout } from '../../platform/slack/message.ts';
import { Refusal } from '../../core/refusal.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type {
  Addon,
  Deletion,
  HostingService,
  Instance,
  NoDeletion,
} from '../../platform/hosting/service.ts';
import { say } from '../../platform/slack/phrase.ts';
import { isOn, readAddons } from '../../core/lookup/addon.ts';
import { nameOf } from '../../core/instances/messages.ts';
import {
  deletedOnceStopped,
  deleteEnding,
  deletePreview,
  wouldDelete,
  wrongName,
} from './delete-messages.ts';
import { judgeBeforeDelete, judgeDelete, judgeRefusedDelete, refuseDelete } from './delete-rules.ts';
import { powerButton, showButton } from './power-messages.ts';
import { withTheirPrice } from './price.ts';
import { DELETE_LABEL, DELETES } from './cancel-rules.ts';
import { DELETE } from './route-ids.ts';
import type { Route } from '../../core/intake/route.ts';
import { refusedWords } from './why-not.ts';
import type { InstanceVerbs } from './instances.ts';

/** Its name is typed. */
export const confirmDelete: Confirm = {
  how: 'typed',
  label: DELETE_LABEL,
  title: 'Delete an instance',
  submit: 'Delete',
  word: ({ name }) => name,
  field: (name) => `Type ${name} to delete it`,
  wrong: wrongName,
};

/** `/instances delete web-1`: its name is typed, and for a while it can be canceled. */
export function deleteChange(deps: InstanceVerbs, deletion: Deletion): Change {
  const { hosting, access, isProtected, unit, observer, timings } = deps;
  const refuseUnlessPossible = async (instance: Instance): Promise<void> => {
    const refusal = refuseDelete(instance, isProtected(instance));
    if (refusal !== undefined) throw new Refusal(refusal, refusedWords('delete', instance, refusal));
    if (deletion.onlyStopped && instance.status === 'running') throw await refuseRunning(deps, instance);
  };
  return change({
    id: DELETE,
    verb: 'delete',
    spoken: DELETES,
    permission: 'instances:delete',
    usage: '<name or id> [--because "…"] [--dry-run]',
    summary: 'delete one instance permanently, after you typed its name',
    example: '/instances delete web-1',
    words: {
      doing: 'Deleting',
      done: 'Deleted',
      isBeing: 'being deleted',
      coming: 'be deleted',
      loses: say`${deletion.inShort}`,
    },
    args: z.object({}),
    passes: (instance) => refuseDelete(instance, isProtected(instance)) === undefined,
    check: async ({ ask, instance: listed, isConfirmed }) => {
      if (isConfirmed) {
        await refuseUnlessPossible(listed);
        return {};
      }
      const [instance, addons] = await Promise.all([readFreshly(hosting, listed), addonsOf(hosting, listed)]);
      await refuseUnlessPossible(instance);
      const known = await withTheirPrice(access, ask, instance);
      const preview = deletePreview(known, addons, unit, deletion);
      return { instance, question: preview, would: wouldDelete(preview, instance) };
    },
    confirm: confirmDelete,
    cancelWindowMs: timings.cancelWindowMs,
    observer,
    prepare: async (operation) => {
      const instance = await findSurely(hosting, operation);
      return judgeBeforeDelete(operation, instance, instance !== undefined && isProtected(instance));
    },
    send: ({ subject }, options) => hosting.deleteInstance(subject.id, options),
    rule: {
      judge: (operation, observed, now) => judgeDelete(operation, observed, now, timings),
      judgeRefused: judgeRefusedDelete,
    },
    ending: deleteEnding,
    // A deletion is never asked again by one press: the button shows first what would be lost.
    nextSteps: (operation, outcome) => {
      const show = showButton(operation, outcome);
      if (operation.execution.lastState?.status === 'deleting') return [show];
      return [show, { label: DELETE_LABEL, routeId: DELETE, value: operation.id, style: 'danger' }];
    },
  });
}

/** That it must be stopped first, with the button that stops it. */
async function refuseRunning({ hosting, offers }: InstanceVerbs, instance: Instance): Promise<Refusal> {
  const buttonTokenId = await offers.make(BUTTON_TOKENS, buttonTokenOf(instance));
  return new Refusal('not-possible', {
    lines: [deletedOnceStopped(instance, hosting.about.name)],
    buttons: buttonsAbout(instance, [powerButton('stop', buttonTokenId)]),
  });
}

/** It as it is now. Throws a Refusal where it is gone, and HostingError. */
export async function readFreshly(hosting: HostingService, listed: Instance): Promise<Instance> {
  const instance = await hosting.findInstance(listed.id);
  if (instance) return instance;
  throw new Refusal('gone', say`There is no instance ${nameOf(listed)} any more, so nothing was done.`);
}

/** What is attached to it, as far as that can be read: it is a remark, and no reason not to ask. */
export async function addonsOf(
  hosting: HostingService,
  instance: Instance,
): Promise<readonly Addon[] | undefined> {
  if (!hosting.about.offers.addons) return [];
  try {
    const { addons, incomplete } = await readAddons(hosting);
    // Those that are named must be all that are lost.
    if (incomplete) return undefined;
    return addons.filter((addon) => isOn(addon, instance));
  } catch (error) {
    if (error instanceof HostingError) return undefined;
    throw error;
  }
}

/** `/instances delete web-1` at a service at which the bot can delete nothing: why, and where it is done. */
export function noDeleteRoute(service: string, { notOffered }: NoDeletion): Route {
  return {
    id: DELETE,
    verb: 'delete',
    spoken: DELETES,
    permission: 'instances:read',
    writes: false,
    namesInstances: true,
    usage: '',
    summary: 'why I can delete nothing here',
    instead: say`I can delete nothing at ${service}. ${notOffered}`,
    handle: async () => {
      throw new Refusal('not-possible', say`I can delete nothing at ${service}. ${notOffered}`);
    },
  };
}
