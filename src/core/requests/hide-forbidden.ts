import type { Access } from '../policy/access.ts';
import type { Permission } from '../policy/permissions.ts';
import type { Ask, Route } from '../routing/route.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Message } from '../../platform/slack/message.ts';

/**
 * A message for one person alone, without what this person may not press, pick or fill in. A person who presses is asked
 * about again; this only spares them a no.
 */
export async function hideForbidden(
  deps: { readonly access: Access; readonly routes: ReadonlyMap<string, Route>; readonly log: Log },
  { actor, place: { channelId } }: Pick<Ask, 'actor' | 'place'>,
  message: Message,
): Promise<Message> {
  const { rows = [], filters = [], buttons = [], menu = [], picker, several, modal, ...shown } = message;
  const asked = new Map<Permission, Promise<boolean>>();
  const may = async (routeId: string): Promise<boolean> => {
    const route = deps.routes.get(routeId);
    if (!route) {
      deps.log.error({ route: routeId }, 'showing something to press that leads nowhere');
      return false;
    }
    const { permission } = route;
    if (permission === undefined) return true;
    const known =
      asked.get(permission) ?? deps.access.check(actor, permission, { channelId }).then((one) => one.allowed);
    asked.set(permission, known);
    return known;
  };
  const those = async <One extends { readonly routeId: string }>(all: readonly One[]): Promise<One[]> => {
    const allowed = await Promise.all(all.map(({ routeId }) => may(routeId)));
    return all.filter((_, index) => allowed[index]);
  };
  const [itsRows, itsFilters, itsButtons, itsMenu, [itsPicker], [itsSeveral], itsVerbs, [itsModal]] =
    await Promise.all([
      Promise.all(rows.map(async (row) => ({ ...row, buttons: await those(row.buttons) }))),
      those(filters),
      those(buttons),
      those(menu),
      those(picker ? [picker] : []),
      those(several ? [several] : []),
      those(several?.buttons ?? []),
      those(modal ? [modal] : []),
    ]);
  return {
    ...shown,
    ...(itsRows.length > 0 ? { rows: itsRows } : {}),
    ...(itsFilters.length > 0 ? { filters: itsFilters } : {}),
    ...(itsButtons.length > 0 ? { buttons: itsButtons } : {}),
    ...(itsMenu.length > 0 ? { menu: itsMenu } : {}),
    ...(itsPicker ? { picker: itsPicker } : {}),
    ...(itsSeveral && itsVerbs.length > 0 ? { several: { ...itsSeveral, buttons: itsVerbs } } : {}),
    ...(itsModal ? { modal: itsModal } : {}),
  };
}
