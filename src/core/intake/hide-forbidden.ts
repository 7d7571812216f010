import type { Access } from '../policy/access.ts';
import type { Ask } from '../ask/ask.ts';
import { isOnlyCancel } from '../ask/question.ts';
import type { Route } from './route.ts';
import type { Log } from '../../platform/log/log.ts';
import { LINK_ID, type Message } from '../../platform/slack/message.ts';

/**
 * A message for one person alone, without what this person may not press, pick or fill in. A person who presses is asked
 * about again; this only spares them a no.
 */
export async function hideForbidden(
  deps: { readonly access: Access; readonly routes: ReadonlyMap<string, Route>; readonly log: Log },
  { actor, place: { channelId } }: Pick<Ask, 'actor' | 'place'>,
  message: Message,
): Promise<Message> {
  const {
    rows = [],
    filters = [],
    buttons = [],
    menu = [],
    picker,
    blanks = [],
    several,
    modal,
    ...shown
  } = message;
  const pressed = [
    ...rows.flatMap((row) => row.buttons),
    ...filters,
    ...buttons,
    ...menu,
    ...(picker ? [picker] : []),
    ...blanks,
    ...(several ? [several, ...several.buttons] : []),
    ...(modal ? [modal] : []),
  ];
  if (pressed.length === 0) return message;
  const ids = [...new Set(pressed.map(({ routeId }) => routeId))].filter((id) => id !== LINK_ID);
  const leading = ids.flatMap((id) => deps.routes.get(id) ?? noRoute(deps.log, id));
  const permissions = new Set(leading.flatMap(({ permission }) => permission ?? []));
  const checked =
    permissions.size === 0 ? undefined : await deps.access.checkEach(actor, permissions, { channelId });
  const may = ({ permission }: Route): boolean =>
    permission === undefined || checked?.decisions.get(permission)?.allowed === true;
  const allowed = new Set(leading.filter(may).map(({ id }) => id));
  if (allowed.size === ids.length) return message;
  const isAllowed = ({ routeId }: { readonly routeId: string }): boolean =>
    routeId === LINK_ID || allowed.has(routeId);
  const those = <One extends { readonly routeId: string }>(all: readonly One[]): One[] =>
    all.filter(isAllowed);
  const verbs = those(several?.buttons ?? []);
  const left = those(buttons);
  const isAnswerable = !isOnlyCancel(left) || [picker, modal, ...blanks].some((one) => one && isAllowed(one));
  return {
    ...shown,
    ...(rows.length > 0 ? { rows: rows.map((row) => ({ ...row, buttons: those(row.buttons) })) } : {}),
    ...(filters.some(isAllowed) ? { filters: those(filters) } : {}),
    ...(left.length > 0 && isAnswerable ? { buttons: left } : {}),
    ...(menu.some(isAllowed) ? { menu: those(menu) } : {}),
    ...(picker && isAllowed(picker) ? { picker } : {}),
    ...(blanks.some(isAllowed) ? { blanks: those(blanks) } : {}),
    ...(several && isAllowed(several) && verbs.length > 0 ? { several: { ...several, buttons: verbs } } : {}),
    ...(modal && isAllowed(modal) ? { modal } : {}),
  };
}

function noRoute(log: Log, routeId: string): readonly Route[] {
  log.error({ route: routeId }, 'showing something to press that leads nowhere');
  return [];
}
