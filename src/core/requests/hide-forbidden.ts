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
  const pressed = [
    ...rows.flatMap((row) => row.buttons),
    ...filters,
    ...buttons,
    ...menu,
    ...(picker ? [picker] : []),
    ...(several ? [several, ...several.buttons] : []),
    ...(modal ? [modal] : []),
  ];
  const ids = [...new Set(pressed.map(({ routeId }) => routeId))];
  const answers = await Promise.all(ids.map(may));
  const allowed = new Set(ids.filter((_, index) => answers[index]));
  if (allowed.size === ids.length) return message;
  const isAllowed = ({ routeId }: { readonly routeId: string }): boolean => allowed.has(routeId);
  const those = <One extends { readonly routeId: string }>(all: readonly One[]): One[] =>
    all.filter(isAllowed);
  const verbs = those(several?.buttons ?? []);
  return {
    ...shown,
    ...(rows.length > 0 ? { rows: rows.map((row) => ({ ...row, buttons: those(row.buttons) })) } : {}),
    ...(filters.some(isAllowed) ? { filters: those(filters) } : {}),
    ...(buttons.some(isAllowed) ? { buttons: those(buttons) } : {}),
    ...(menu.some(isAllowed) ? { menu: those(menu) } : {}),
    ...(picker && isAllowed(picker) ? { picker } : {}),
    ...(several && isAllowed(several) && verbs.length > 0 ? { several: { ...several, buttons: verbs } } : {}),
    ...(modal && isAllowed(modal) ? { modal } : {}),
  };
}
