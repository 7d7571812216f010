import { storyButton } from '../../core/operations/messages.ts';
import { idOf } from '../../platform/id.ts';
import { type Button, buttonsAbout } from '../../platform/slack/message.ts';
import { plain } from '../../platform/slack/phrase.ts';
import { type Card, isOpen, isOver, type Member, type Watch } from './watch.ts';

/** Ids of the routes of watches, which buttons lead to. */
export const WATCH_ROUTES = {
  watch: 'instances.watch',
  unwatch: 'instances.unwatch',
  watches: 'instances.watches',
  remove: 'instances.remove-watch',
  onIt: 'instances.on-it',
  snooze: 'instances.snooze',
  endSnooze: 'instances.end-snooze',
  restartAll: 'instances.restart-all',
  startAll: 'instances.start-all',
} as const;

/** The routes of the power actions, and of what tells the story, for the buttons of a card. */
export interface PowerRoutes {
  readonly storyRoute: string;
  readonly startRoute: string;
  readonly restartRoute: string;
}

const MAX_ACTS = 4;
/** As many lines as Slack shows in one menu. */
const MAX_MENU_LINES = 5;

/** What helps an instance in each trouble; nothing where only the host or nobody can help. */
const HELPS: Readonly<Partial<Record<Member['what'], 'start' | 'restart'>>> = {
  stopped: 'start',
  error: 'restart',
  unhealthy: 'restart',
};

/** Instances of a card that are in trouble still, and that this helps. Pure. */
export function membersToHelp({ members }: Card, by: 'start' | 'restart'): readonly Member[] {
  return members.filter((one) => isOpen(one) && HELPS[one.what] === by);
}

/** What the button of a card stands for that acts on one instance, by its id in the store of offers: another each time it begins. */
interface Act {
  readonly member: Member;
  readonly tokenId: string;
}

/** The instances that buttons of a card act on; at most as many as a menu takes. Pure. */
export function actsOn({ id, members }: Card): readonly Act[] {
  return members
    .filter((one) => isOpen(one) && HELPS[one.what] !== undefined)
    .slice(0, MAX_ACTS)
    .map((member) => ({ member, tokenId: idOf(`${id} ${member.id} ${member.what} ${member.times}`) }));
}

/** What can be pressed about an instance in trouble: the same as on its own card, by the same route. */
function actsOf(
  card: Card,
  { startRoute, restartRoute }: PowerRoutes,
): readonly (Button & { member: Member })[] {
  return actsOn(card).map(({ member, tokenId: value }) =>
    HELPS[member.what] === 'start'
      ? { label: 'Start', routeId: startRoute, value, member }
      : { label: 'Restart', routeId: restartRoute, value, member },
  );
}

/** What helps several of a card at once. */
function allOf(watch: Watch, card: Card): readonly Button[] {
  const value = `${watch.id}/${card.id}`;
  if (card.members.length === 1) return [];
  return [
    ...(membersToHelp(card, 'restart').length > 0
      ? [{ label: 'Restart all', routeId: WATCH_ROUTES.restartAll, value }]
      : []),
    ...(membersToHelp(card, 'start').length > 0
      ? [{ label: 'Start all', routeId: WATCH_ROUTES.startAll, value }]
      : []),
  ];
}

/** The visible buttons of a card, two at most. Pure. */
export function buttonsOf(watch: Watch, card: Card, routes: PowerRoutes): readonly Button[] {
  const value = `${watch.id}/${card.id}`;
  const onIt = card.onIt
    ? []
    : [{ label: "I'm on it", routeId: WATCH_ROUTES.onIt, value, style: 'primary' } as const];
  const [act] = actsOf(card, routes);
  const alone = act && card.members.length === 1 ? buttonsAbout(act.member, [buttonOf(act, act.label)]) : [];
  return [...onIt, ...allOf(watch, card).slice(0, 1), ...alone];
}

/** What else can be pressed on a card; once it is over, only what tells how that came. Pure. */
export function menuOf(watch: Watch, card: Card, routes: PowerRoutes): readonly Button[] {
  const story = storyButton(routes.storyRoute, card.id);
  if (isOver(card)) return [story];
  const value = `${watch.id}/${card.id}`;
  const quiet = card.snoozed
    ? { label: 'End snooze', routeId: WATCH_ROUTES.endSnooze, value }
    : { label: 'Snooze for four hours', routeId: WATCH_ROUTES.snooze, value };
  const acts =
    card.members.length === 1
      ? []
      : actsOf(card, routes).map((act) =>
          buttonOf(act, `${act.label} ${plain(act.member.name, 30)} (${plain(act.member.id, 12)})`),
        );
  return [quiet, story, ...allOf(watch, card).slice(1), ...acts].slice(0, MAX_MENU_LINES);
}

function buttonOf({ routeId, value }: Button, label: string): Button {
  return { label, routeId, value };
}
