import { isSame } from '../../core/instances/fingerprint.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import type { OperationWith } from '../../core/changes/declaration.ts';
import type { Outcome } from '../../core/operations/operation.ts';
import type { AddonList } from '../../core/lookup/addon.ts';
import type { AddonRef } from './addon-args.ts';
import { addonOf } from './observer.ts';

/** An add-on is added, or removed. */
export type AddonChange = 'add' | 'remove';

/**
 * What a read just before the call finds in its way: another instance under the name, an add-on that is there, or gone,
 * already, or a list that is certain to lack some, where one that is to be added may be. Pure.
 */
export function judgeBeforeChange(
  change: AddonChange,
  operation: OperationWith<AddonRef>,
  instance: Instance | undefined,
  { addons, incomplete }: Pick<AddonList, 'addons' | 'incomplete'>,
): Omit<Outcome, 'at'> | undefined {
  const isAgain = operation.execution.sends > 0;
  const isThere = addonOf(operation, addons) !== undefined;
  if (isThere === (change === 'add')) return { result: 'done', code: isAgain ? 'found-done' : 'already' };
  const isTheSame = instance !== undefined && isSame(operation.subject, instance);
  const isUnknown = change === 'add' && incomplete?.isCertain === true;
  if (isTheSame && !isUnknown) return undefined;
  if (isAgain) return { result: 'unknown', code: 'no-answer' };
  if (isTheSame) return { result: 'canceled', code: 'incomplete' };
  return { result: 'canceled', code: instance ? 'changed' : 'gone' };
}
