import type { AboutService, Deletion, Instance } from '../../platform/hosting/service.ts';
import type { Spoken } from '../../core/sentences/spoken.ts';
import { refuseCancel } from './cancel-rules.ts';
import { refuseDelete } from './delete-rules.ts';
import { CANCEL_AT_END, DELETE } from './route-ids.ts';

/** How people ask for it, whatever the service makes of it. */
export const DELETES: Spoken = { verbs: ['delete', 'terminate', 'destroy', 'get rid of'], isForOne: true };
export const DELETE_LABEL = 'Delete…';
export const CANCEL_LABEL = 'Cancel subscription…';

/** A deletion that cancels at the end of a term. */
export type AtItsEnd = Deletion & Required<Pick<Deletion, 'atEndOf'>>;

/** Whether a service cancels at the end of a term, and deletes nothing at once. */
export function isAtItsEnd(deletion: Deletion): deletion is AtItsEnd {
  return deletion.atEndOf !== undefined;
}

/** The button that deletes an instance, or cancels it, whichever its service does. */
interface Removal {
  readonly routeId: string;
  readonly label: string;
  readonly isPossible: (instance: Instance, isProtected: boolean) => boolean;
}

/** The same; undefined where the bot can do neither there. Pure. */
export function removalOf({
  deletion,
  offers,
}: Pick<AboutService, 'deletion' | 'offers'>): Removal | undefined {
  if (!offers.deletion || 'notOffered' in deletion) return undefined;
  const refuse = isAtItsEnd(deletion) ? refuseCancel : refuseDelete;
  return {
    routeId: isAtItsEnd(deletion) ? CANCEL_AT_END : DELETE,
    label: isAtItsEnd(deletion) ? CANCEL_LABEL : DELETE_LABEL,
    isPossible: (instance, isProtected) => refuse(instance, isProtected) === undefined,
  };
}
