import type { Access } from '../../core/policy/access.ts';
import type { Route } from '../../core/routing/route.ts';
import type { Addon, HostingService, Instance } from '../../platform/hosting/service.ts';
import { findOngoing, type OngoingDeps } from '../../core/operations/ongoing.ts';
import { cancelButtons, type Ongoing, ongoing } from '../../core/operations/messages.ts';
import type { ButtonTokenStore } from '../../core/operations/button-token-store.ts';
import { lockOf } from '../../core/operations/operation.ts';
import type { Operations } from '../../core/operations/operations.ts';
import { unlessRedisIsAway } from '../../platform/redis/away.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { Button } from '../../platform/slack/message.ts';
import { addonName, addonState, isAttached, isOf, readAddons } from '../../core/lookup/addon.ts';
import { say } from '../../platform/slack/phrase.ts';
import { choicesOf } from '../../core/lookup/choices.ts';
import {
  buttonTokenIn,
  buttonTokenOf,
  resolveAsk,
  resolveLoosely,
  resolvePicked,
} from '../../core/lookup/resolve.ts';
import { refOf } from './addon-args.ts';
import { addonList } from './messages.ts';
import { ADD, ADD_ANYWHERE, ADDONS_LIST, REMOVE } from './route-ids.ts';

export interface ListDeps {
  readonly access: Access;
  readonly hosting: HostingService;
  readonly buttonTokens: ButtonTokenStore;
  readonly operations: OngoingDeps & Pick<Operations, 'find'>;
  readonly clock: Pick<RedisClock, 'now'>;
  readonly cancelRoute: string;
  /** How credits are called. */
  readonly unit: string;
}

const VERB = { verb: 'see the add-ons of', routeId: ADDONS_LIST };
const MAX_MENU_LINES = 5;
/** For how many types it is looked up whether something is being done to them. */
const MAX_GLANCES = 20;

/** `/addons`, `/addons web-1`: what is attached, what it does and what it costs. */
export function listRoute(deps: ListDeps): Route {
  const { hosting, unit } = deps;
  return {
    id: ADDONS_LIST,
    verb: 'list',
    synonyms: ['ls', 'show', 'all'],
    permission: 'addons:read',
    writes: false,
    usage: '[name or id of an instance]',
    summary: 'list add-ons, with what they cost',
    handle: async (ask) => {
      const { channelId } = ask.place;
      const isOfOne = ask.words.length > 0 || ask.picked !== undefined || ask.value !== undefined;
      if (!isOfOne) {
        const { addons: all, ...rest } = await readAddons(hosting);
        const maySee = await deps.access.which(ask.actor, 'addons:read', channelId);
        const addons = all.filter(({ instanceId = '', instanceName = '' }) =>
          maySee({ id: instanceId, name: instanceName }),
        );
        const isEmpty = rest.canChange && addons.length === 0;
        return addonList(addons.toSorted(byInstance), {
          unit,
          ongoing: [],
          ...rest,
          ...(isEmpty ? { buttons: [addButton(ADD_ANYWHERE)] } : {}),
        });
      }
      const instance = await instanceOf(ask.words.join(' '), ask.picked, ask.value === undefined);
      await deps.access.require(ask.actor, 'addons:read', { target: instance, channelId });
      const { addons, canChange, ...rest } = await readAddons(hosting);
      const its = addons.filter((addon) => isOf(addon, instance)).toSorted(byInstance);
      const underWay = await ongoingOn(deps, instance, its);
      const now = deps.clock.now();
      const { buttons, menu = [] } = cancelButtons(
        underWay.map(({ operation }) => operation),
        deps.cancelRoute,
      );
      const own = canChange ? await pressable(deps, instance, its) : {};
      return addonList(its, {
        of: instance,
        unit,
        canChange,
        ongoing: underWay.map((one) => say`${ongoing(one, now)}.${one.link}`),
        buttons: buttons ?? own.buttons ?? [],
        menu: [...menu, ...(own.menu ?? [])],
        ...rest,
      });

      async function instanceOf(
        typed: string,
        picked: string | undefined,
        isTyped: boolean,
      ): Promise<Instance> {
        if (!isTyped) {
          const buttonToken = await buttonTokenIn(deps, ask);
          return resolveAsk(deps, VERB, ask, { names: [], dryRun: false, buttonToken });
        }
        return picked === undefined ? resolveLoosely(hosting, VERB, typed) : resolvePicked(hosting, picked);
      }
    },
    choices: (typed, mayPick) => choicesOf(hosting, typed, mayPick),
  };
}

/** What is being done to an instance's add-ons, or is about to be; without Redis the list comes without. */
async function ongoingOn(
  { operations }: ListDeps,
  instance: Instance,
  addons: readonly Addon[],
): Promise<readonly Ongoing[]> {
  const types = [...new Set(addons.filter(isAttached).map(({ type }) => type))].slice(0, MAX_GLANCES);
  const locks = [lockOf(instance.id), ...types.map((type) => lockOf(instance.id, type))];
  const underWay = await findOngoing(operations, locks);
  return underWay.filter(({ operation }) => operation.part !== undefined || operation.graceMs !== undefined);
}

/** What can be removed, or added where there is none. It needs records; without Redis the list comes without. */
async function pressable(
  { buttonTokens }: ListDeps,
  instance: Instance,
  addons: readonly Addon[],
): Promise<{ readonly buttons?: readonly Button[]; readonly menu?: readonly Button[] }> {
  if (addons.length === 0) {
    const buttonTokenId = await unlessRedisIsAway(buttonTokens.create(buttonTokenOf(instance)), undefined);
    return buttonTokenId === undefined ? {} : { buttons: [addButton(buttonTokenId)] };
  }
  const lines = addons
    .filter((addon) => isAttached(addon) && addon.id !== '')
    .slice(0, MAX_MENU_LINES)
    .map(async (addon) => ({
      label: `Remove ${addonName(addon)}…`,
      routeId: REMOVE,
      value: await buttonTokens.create({ ...buttonTokenOf(instance), args: refOf(addon) }),
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
