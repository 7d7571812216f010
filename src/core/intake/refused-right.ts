import type { Instance } from '../../platform/hosting/service.ts';
import type { Ask } from '../ask/ask.ts';
import type { Access } from '../policy/access.ts';
import { Refusal } from '../refusal.ts';
import { permissionFor, type Route } from './route.ts';

/** Why this person may not do it now, with these instances or at all, so that they are offered no button in vain. */
export async function refusedRight(
  { access }: { readonly access: Pick<Access, 'require'> },
  ask: Ask,
  route: Route,
  about: readonly Instance[],
): Promise<Refusal | undefined> {
  const { id, actor, words } = ask;
  const { channelId } = ask.place;
  const permission = permissionFor(route, words);
  const targets =
    about.length === 0 ? (['any'] as const) : about.map((one) => ({ id: one.id, name: one.name }));
  try {
    await route.mayOffer?.(ask);
    if (permission === undefined) return undefined;
    for (const target of targets)
      await access.require(actor, permission, target, { channelId, route: route.id, operationId: id });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
