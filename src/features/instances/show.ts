import type { Decision } from '../../core/policy/decide.ts';
import { frozenLine } from '../../core/policy/messages.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Permission } from '../../core/policy/permissions.ts';
import type { Ask } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import { type Instance, POWERS } from '../../platform/hosting/service.ts';
import { findOngoing } from '../../core/operations/ongoing.ts';
import { ongoing, partIn } from '../../core/operations/messages.ts';
import { BUTTON_TOKENS } from '../../core/offers/offers.ts';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import { lockOf } from '../../core/operations/operation.ts';
import { type Button, buttonsAbout, type Message } from '../../platform/slack/message.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { fromBefore, whichInstance } from '../../core/instances/messages.ts';
import { parsePlace } from '../../core/lists/asked-page.ts';
import { findOrLast, listOrLast } from '../../core/lookup/find-or-last.ts';
import { findExactly } from '../../core/lookup/find.ts';
import { amongTheirs, asSeen, sightOf } from '../../core/lookup/sight.ts';
import { findButtonToken } from '../../core/operations/find-button-token.ts';
import { buttonTokenOf, readById, resolveNow } from '../../core/lookup/resolve.ts';
import { instanceCard } from './list-messages.ts';
import { powerButton } from './power-messages.ts';
import { refusePower } from './power-rules.ts';
import { showList, choicesOfList } from './list.ts';
import { withTheirPrice } from './price.ts';
import { removalOf } from './cancel-rules.ts';
import { FIND, LIST_ROUTE, SHOW } from './route-ids.ts';
import type { Instances } from './instances.ts';

const VERB = { verb: 'show', routeId: SHOW };
const MAX_BUTTONS = 2;

/** `/instances show web-1`, or just `/instances web-1`: one instance, with what can be done to it. */
export function showRoute(deps: Instances): Route {
  const { hosting } = deps;
  return {
    id: VERB.routeId,
    verb: VERB.verb,
    spoken: {
      example: ['web-1', 'how it is, with its buttons'],
      asks: [
        ['what is (up|wrong|going on|happening) with *', '{x}'],
        ['(what about|how about) <x>', '{x}'],
        ['(what|who) is (on|at|under|behind) <x>', '{x}'],
        '(status|health) * <x>',
        '<x> (status|health)',
        '<x>',
        '(show|see|get|find|describe|view) * <x>',
        '(how is|hows|state of|status of|details on|details of|look at|info on|info about|check on|check) <x>',
        '<x> (doing|ok|alive|up|down|back|running|starting)',
        '(is|are) <x>',
        '<x> (stopped|died|crashed|failed|broke|is down)',
        '(size|address|ip|hostname|tier) * <x>',
        'did <x> come',
        'why * <x>',
      ],
    },
    permission: 'instances:read',
    writes: false,
    namesInstances: true,
    usage: '<name or id>',
    summary: 'show one instance, with its buttons',
    handle: async (ask) => {
      if (await meansFavorite(deps, ask)) return showList(deps, ask);
      const known = ask.value === undefined ? ask.picked : await idBehind(deps, ask.value, ask);
      const sight = await sightOf(deps.access, ask.actor, ask.place.channelId);
      const typed = ask.words.join(' ');
      const finding = findOrLast(hosting, (instances) => {
        const seen = asSeen(instances, sight);
        return known === undefined ? resolveNow(seen, VERB, typed) : readById(seen, known);
      });
      const { found, last } = await amongTheirs(deps.access, sight, 'instances:read', typed, finding);
      const card = await showOne(deps, ask, found, last === undefined);
      return last ? fromBefore(card, last.readAtMs) : card;
    },
    choices: (typed, mayPick, at) => choicesOfList(deps, typed, mayPick, at),
  };
}

/**
 * The card of one instance that the person may see, as it was read, with what they may do to it. `isCurrent`: whether it was
 * read just now; else nothing can be begun.
 */
export async function showOne(
  deps: Instances,
  ask: Ask,
  found: Instance,
  isCurrent = true,
): Promise<Message> {
  const { links, access } = deps;
  const instance = await withTheirPrice(access, ask, found);
  const credit = instance.pausedFor === 'no-credit' ? links.topUp : [];
  const page = [...credit, ...links.console(instance.id)];
  // Nothing can be begun meanwhile, so that is all that can be pressed.
  const [holder] = await findOngoing(deps.operations, [lockOf(instance.id)]);
  if (holder) {
    const line = say`${ongoing(holder, deps.clock.now())}.${holder.link}`;
    const part = partIn(holder, ask.actor.userId, deps);
    return instanceCard(instance, deps.unit, [...part, ...page], [], [line]);
  }
  if (!isCurrent) return instanceCard(instance, deps.unit, page, backTo(ask.pickedIn));
  const { buttons, menu, lines } = await pressable(instance, deps, ask);
  return instanceCard(instance, deps.unit, [...buttons, ...page], menu, lines);
}

/** Whether the words are a favorite's name and no instance's that the person may see. */
async function meansFavorite(
  { favorites, hosting, access }: Instances,
  { words, value, picked, actor, place: { channelId } }: Ask,
): Promise<boolean> {
  const [typed] = words;
  if (typed === undefined || words.length > 1 || value !== undefined || picked !== undefined) return false;
  if (!(await unlessRedisIsAway(favorites.find(typed), undefined))) return false;
  const { instances } = (await listOrLast(hosting)).list;
  const maySee = await access.which(actor, 'instances:read', channelId);
  return findExactly(typed, instances.filter(maySee)).found === 'none';
}

/** The instance that a button stands for. Throws a Refusal with a picker where the button is too old. */
async function idBehind(
  deps: Instances,
  value: string,
  ask: Pick<Ask, 'actor' | 'askedAt'>,
): Promise<string> {
  const { actor, askedAt } = ask;
  const buttonToken = await findButtonToken(deps, { value, askedAt, actor });
  if (buttonToken) return buttonToken.instanceId;
  // The card of an operation that takes its time shows its instance, too.
  const operation = await deps.operations.find(value);
  if (operation && !operation.outcome) return operation.subject.id;
  throw new Refusal(
    'button-expired',
    whichInstance(VERB.verb, VERB.routeId, say`That button is too old. Which instance do you want to see?`),
  );
}

/** What can be done with an instance. `buttonTokenId`: what its buttons carry. */
interface Pressable {
  readonly buttonTokenId?: string;
  readonly buttons: readonly Button[];
  readonly menu: readonly Button[];
  readonly lines: readonly Phrase[];
}

/** What can be pressed needs a record behind it; without Redis the card comes without. `lines`: why there is less. */
export async function pressable(
  instance: Instance,
  deps: Instances,
  { actor, pickedIn, place: { channelId } }: Ask,
): Promise<Pressable> {
  const buttonTokenId = await unlessRedisIsAway(
    deps.offers.make(BUTTON_TOKENS, buttonTokenOf(instance)),
    undefined,
  );
  if (buttonTokenId === undefined) return { buttons: [], menu: [], lines: [] };
  const ofPermission = (permission: Permission): Promise<Decision> =>
    deps.access.check(actor, permission, instance, { channelId });
  const [power, deletion] = await Promise.all([
    ofPermission('instances:power'),
    ofPermission('instances:delete'),
  ]);
  const frozen = frozenLine(power, await deps.access.policy());
  const buttons = (power.allowed ? POWERS : [])
    .filter((one) => refusePower(one, instance) === undefined)
    .slice(-MAX_BUTTONS)
    .toReversed()
    .map((one) => powerButton(one, buttonTokenId));
  const removal = deletion.allowed ? removalOf(deps.hosting.about) : undefined;
  return {
    buttonTokenId,
    buttons: buttonsAbout(instance, buttons),
    lines: frozen ? [frozen] : [],
    menu: [
      ...(deps.addonsRoute === undefined
        ? []
        : [{ label: 'Add-ons', routeId: deps.addonsRoute, value: buttonTokenId }]),
      ...backTo(pickedIn),
      ...(removal?.isPossible(instance, deps.isProtected(instance))
        ? [{ label: removal.label, routeId: removal.routeId, value: buttonTokenId }]
        : []),
    ],
  };
}

/** The page of the list in which the instance was picked. */
function backTo(place: string | undefined): readonly Button[] {
  return place !== undefined && parsePlace(place)
    ? [{ label: 'Back to the list', routeId: LIST_ROUTE, value: place }]
    : [];
}

/**
 * The shortcut from anywhere: a modal in which an instance is picked, whose card then stands in the person's direct messages
 * with the bot. Only what they may see is offered.
 */
export function findRoute(): Route {
  return {
    id: FIND,
    verb: 'find',
    permission: 'instances:read',
    writes: false,
    summary: 'find an instance from anywhere',
    shortcut: {
      on: 'global',
      name: 'Find an instance',
      description: 'Shows one instance with its buttons',
    },
    handle: async () => ({
      ...whichInstance('show', SHOW, say`Which instance do you want to see?`),
      modal: {
        routeId: SHOW,
        value: '',
        title: 'Find an instance',
        lines: [say`I'll show it to you in your direct messages with me, with its buttons.`],
        field: { label: 'Instance', placeholder: 'Type a name or an id' },
        submit: 'Show',
      },
    }),
  };
}
