import { errorOfBody } from '../../platform/hosting/errors.ts';
import type { Addon, HostingService, Instance } from '../../platform/hosting/service.ts';
import type { Operation, ObservedState, Outcome } from '../../core/operations/operation.ts';
import type { Bot } from '../../core/bot/bot.ts';
import type { Observer } from '../../core/operations/kind.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { z } from 'zod';
import { type Phrase, say, strong } from '../../platform/slack/phrase.ts';
import { type AddonList, addonName, isOn, readAddons } from '../../core/lookup/addon.ts';
import { isSame } from '../../core/instances/facts.ts';
import type { OperationWith } from '../../core/changes/declaration.ts';

/** What the verbs that change add-ons have of the bot. */
export interface AddonVerbs extends Pick<Bot, 'hosting' | 'timings' | 'unit' | 'links' | 'offers'> {
  readonly observer: Observer;
}

/** An add-on as a person names it; by its id once it has one. */
export const addonArgs = z.object({
  id: z.string().optional(),
  type: z.string(),
  tier: z.string().optional(),
});
export type AddonRef = z.infer<typeof addonArgs>;

/** What is kept of an add-on. */
export function refOf({ id, type, tier }: Addon): AddonRef {
  return { id, type, tier };
}

/** Its name, as sentences say it. */
export function named(addon: AddonRef): Phrase {
  return say`${strong(addonName(addon))}`;
}

/** An operation on an add-on. */
type OfAddon = Pick<Operation, 'subject'> & { readonly args: AddonRef };

/** The add-on that an operation is about: by its id, or by its type where it was only to get one. */
export function addonOf({ subject, args: wanted }: OfAddon, addons: readonly Addon[]): Addon | undefined {
  return addons.find(
    (addon) =>
      isOn(addon, subject) && (wanted.id === undefined ? addon.type === wanted.type : addon.id === wanted.id),
  );
}

/** The same; throws a HostingError where it is not in a list that is incomplete, since it may be there all the same. */
export function addonIn(operation: OfAddon, { addons, incomplete }: AddonList): Addon | undefined {
  const addon = addonOf(operation, addons);
  if (!addon && incomplete) throw errorOfBody('looking for an add-on', 'the list is incomplete');
  return addon;
}

/** How the state of add-ons is read: one list for everybody. */
export function createAddonObserver(hosting: HostingService, clock: RedisClock): Observer {
  return {
    observe: async () => {
      const list = await readAddons(hosting);
      return async (operation): Promise<ObservedState> => {
        const addon = addonIn({ ...operation, args: addonArgs.parse(operation.args) }, list);
        const at = clock.now();
        return addon
          ? { status: 'present', word: addon.status ?? 'there', at }
          : { status: 'gone', word: 'gone', at };
      };
    },
  };
}

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
