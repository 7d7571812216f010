import { errorOfBody } from '../../platform/hosting/errors.ts';
import type { Addon, HostingService } from '../../platform/hosting/service.ts';
import type { Operation, ObservedState } from '../../core/operations/operation.ts';
import type { Observer } from '../../core/operations/observer.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { addonArgs, type AddonRef } from './addon-args.ts';
import { type AddonList, isOn, readAddons } from '../../core/lookup/addon.ts';

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
