import { type AskedPage, askedPage } from '../../core/lists/asked-page.ts';
import { showList } from '../../core/lists/list.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import type { Addon, Instance } from '../../platform/hosting/service.ts';
import { findOngoing } from '../../core/operations/ongoing.ts';
import { cancelButtons, type Ongoing, ongoing } from '../../core/operations/messages.ts';
import { BUTTON_TOKENS } from '../../core/offers/offers.ts';
import { lockOf } from '../../core/operations/operation.ts';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import { type Button, buttonsAbout } from '../../platform/slack/message.ts';
import { addonName, addonState, isAttached, isOf, readAddons } from '../../core/lookup/addon.ts';
import { say } from '../../platform/slack/phrase.ts';
import { choicesOf } from '../../core/lookup/choices.ts';
import { amongTheirs, asSeen, type Instances, sightOf } from '../../core/lookup/sight.ts';
import { findButtonToken } from '../../core/operations/find-button-token.ts';
import { buttonTokenOf, resolveAsk, resolveLoosely, resolvePicked } from '../../core/lookup/resolve.ts';
import { refOf } from './addon.ts';
import { ADD, ADDONS_LIST, ADD_ANYWHERE, REMOVE, addonList } from './messages.ts';
import type { Bot } from '../../core/bot/bot.ts';

const VERB = { verb: 'see the add-ons of', routeId: ADDONS_LIST };
const MAX_MENU_LINES = 5;
/** For how many types it is looked up whether something is being done to them. */
const MAX_GLANCES = 20;

/** `/addons`, `/addons web-1`: what is attached, what it does and what it costs. */
export function listRoute(deps: Bot): Route {
  const { hosting } = deps;
  return {
    id: ADDONS_LIST,
    verb: 'list',
    spoken: {
      asks: [
        ['(show|list) (all|every)? add-ons', ''],
        ['(add|buy|get|install) add-on (to|for|on) <x>', '{x}'],
        ['<addon> (on|off|active|enabled)? (for|on|at|of) <x>', '{x}'],
        ['(all|every|our) add-ons', ''],
        ['add-ons', ''],
        ['(remove|delete|drop|detach) add-on (from|on|of) <x>', '{x}'],
        ['(which|what|show|list) * add-ons * <x>', '{x}'],
        ['add-ons (on|of|for) <x>', '{x}'],
        ['(does|do|has|have|did) <x> (have|has)? <addon>', '{x}'],
        ['<x> (have|has) <addon>', '{x}'],
        ['(which|what|show|list) * add-ons', ''],
        ['(restore|recover) <x> *', '{x}'],
      ],
    },
    permission: 'addons:read',
    writes: false,
    namesInstances: true,
    usage: '[name or id of an instance]',
    summary: 'list add-ons, with what they cost',
    handle: async (ask) => {
      const page = await askedPage(deps, ask, '/addons list');
      const isPage = page.listId !== undefined;
      const isOfOne =
        page.words.length > 0 || ask.picked !== undefined || (ask.value !== undefined && !isPage);
      return isOfOne ? listOfOne(deps, ask, page) : listAll(deps, ask, page);
    },
    choices: (typed, mayPick) => choicesOf(hosting, typed, mayPick),
  };
}

/** One page of all add-ons that the person may know of. */
async function listAll(deps: Bot, ask: Ask, page: AskedPage): Promise<Reply> {
  const { hosting, unit } = deps;
  const { addons: all, ...rest } = await readAddons(hosting);
  const maySee = await deps.access.which(ask.actor, 'addons:read', ask.place.channelId);
  const addons = all.filter(({ instanceId = '', instanceName = '' }) =>
    maySee({ id: instanceId, name: instanceName }),
  );
  const isEmpty = rest.canChange && addons.length === 0;
  const buttons = isEmpty ? { buttons: [addButton(ADD_ANYWHERE)] } : {};
  const list = addonList(addons.toSorted(byInstance), { unit, ongoing: [], ...rest, ...buttons });
  return showList(deps, ask, page, list);
}

/** One page of the add-ons of one instance. Throws a Refusal where it isn't clear which. */
async function listOfOne(deps: Bot, ask: Ask, page: AskedPage): Promise<Reply> {
  const { access, hosting, unit } = deps;
  const { channelId } = ask.place;
  const doing = { permission: 'addons:read', route: ask.route, operationId: ask.id } as const;
  const sight = await sightOf(access, ask.actor, channelId, doing);
  const finding = instanceOf(deps, ask, page, asSeen(hosting, sight));
  const instance = await amongTheirs(access, sight, 'addons:read', page.words.join(' '), finding);
  await access.require(ask.actor, 'addons:read', instance, { channelId });
  const { addons, canChange, ...rest } = await readAddons(hosting);
  const its = addons.filter((addon) => isOf(addon, instance)).toSorted(byInstance);
  const underWay = await ongoingOn(deps, instance, its);
  const now = deps.clock.now();
  const { buttons, menu = [] } = cancelButtons(underWay, deps.cancelRoute);
  const own = canChange ? await pressable(deps, instance, its, page.from) : {};
  const list = addonList(its, {
    of: instance,
    unit,
    canChange,
    ongoing: underWay.map((one) => say`${ongoing(one, now)}.${one.link}`),
    buttons: buttons ?? own.buttons ?? [],
    menu: [...menu, ...(own.menu ?? [])],
    ...rest,
  });
  return showList(deps, ask, page, list);
}

/** The instance that words, a page of its add-ons, a pick or a button mean. */
async function instanceOf(
  deps: Bot,
  ask: Ask,
  { words, listId }: AskedPage,
  hosting: Instances,
): Promise<Instance> {
  if (ask.value !== undefined && listId === undefined) {
    const buttonToken = await findButtonToken(deps, ask);
    return resolveAsk({ hosting }, VERB, ask, { names: [], dryRun: false, buttonToken });
  }
  return ask.picked === undefined
    ? resolveLoosely(hosting, VERB, words.join(' '))
    : resolvePicked(hosting, ask.picked);
}

/** What is being done to an instance's add-ons, or is about to be; without Redis the list comes without. */
async function ongoingOn(
  { operations }: Bot,
  instance: Instance,
  addons: readonly Addon[],
): Promise<readonly Ongoing[]> {
  const types = [...new Set(addons.filter(isAttached).map(({ type }) => type))].slice(0, MAX_GLANCES);
  const locks = [lockOf(instance.id), ...types.map((type) => lockOf(instance.id, type))];
  const underWay = await findOngoing(operations, locks);
  return underWay.filter(
    ({ operation }) => operation.part !== undefined || operation.cancelWindowMs !== undefined,
  );
}

/** What of a page can be removed, or added where there is none. It needs records; without Redis the list comes without. */
async function pressable(
  { offers }: Bot,
  instance: Instance,
  addons: readonly Addon[],
  from: number,
): Promise<{ readonly buttons?: readonly Button[]; readonly menu?: readonly Button[] }> {
  if (addons.length === 0) {
    const buttonTokenId = await unlessRedisIsAway(
      offers.make(BUTTON_TOKENS, buttonTokenOf(instance)),
      undefined,
    );
    return buttonTokenId === undefined ? {} : { buttons: buttonsAbout(instance, [addButton(buttonTokenId)]) };
  }
  const lines = addons
    .slice(from)
    .filter((addon) => isAttached(addon) && addon.id !== '')
    .slice(0, MAX_MENU_LINES)
    .map(async (addon) => ({
      label: `Remove ${addonName(addon)}…`,
      routeId: REMOVE,
      value: await offers.make(BUTTON_TOKENS, { ...buttonTokenOf(instance), args: refOf(addon) }),
    }));
  return { menu: await unlessRedisIsAway(Promise.all(lines), []) };
}

function addButton(value: string): Button {
  return { label: 'Add…', routeId: ADD, value };
}

/** What is over last, by instance, then by type. */
function byInstance(one: Addon, other: Addon): number {
  return (
    rank(one) - rank(other) ||
    (one.instanceName ?? '').localeCompare(other.instanceName ?? '') ||
    one.type.localeCompare(other.type)
  );
}

function rank(addon: Addon): number {
  if (!isAttached(addon)) return 2;
  return addonState(addon) === 'active' ? 0 : 1;
}
