import { question } from '../../core/ask/question.ts';
import { parseAmount, sum, ZERO, counted } from '../../core/money/amount.ts';
import type { Addon, Incomplete, Instance } from '../../platform/hosting/service.ts';
import type { AddonRef } from './addon.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { join, type Phrase, plain, say, strong } from '../../platform/slack/phrase.ts';
import {
  type AddonList,
  addonName,
  type AddonState,
  addonState,
  isOverLimit,
} from '../../core/lookup/addon.ts';
import { type List, partWords } from '../../core/lists/list.ts';
import { incompleteWords, nameOf } from '../../core/instances/messages.ts';

/** The ids by which the verbs of add-ons and their buttons name one another. */
export const ADDONS_LIST = 'addons.list';
export const ADD = 'addons.add';
export const REMOVE = 'addons.remove';
/** The value of the button that asks for an add-on for whichever instance is picked then. */
export const ADD_ANYWHERE = 'anywhere';

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

const ICONS: Readonly<Record<AddonState, string>> = {
  active: '🟢',
  'on the way': '🔵',
  asleep: '⚫',
  suspended: '🟠',
  over: '⚫',
  unknown: '❔',
};

/**
 * Add-ons as a list, the active first. `of`: the one instance they are of, if it is about one; `unit`: how credits are
 * called; `ongoing`: what is being done to them, as sentences; `buttons` and `menu`: what can be pressed.
 */
export function addonList(
  addons: readonly Addon[],
  shown: Omit<AddonList, 'addons'> & {
    readonly of?: Instance;
    readonly unit: string;
    readonly ongoing: readonly Phrase[];
  } & Pick<Message, 'buttons' | 'menu'>,
): List<Addon> {
  const { of, unit, canChange, incomplete, ongoing, buttons = [], menu = [] } = shown;
  const where = of ? say` of ${nameOf(of)}` : say``;
  const besides = [...(incomplete ? [incompleteWords(incomplete, 'add-ons')] : []), ...ongoing];
  const rest = {
    ...(buttons.length > 0 ? { buttons } : {}),
    ...(menu.length > 0 ? { menu } : {}),
    ...(canChange
      ? {}
      : { note: say`This hosting service only reports add-ons with usage. You can't change them here.` }),
  };
  const none = incomplete ? say`I found no add-ons${where}.` : say`There are no add-ons${where}.`;
  const head = say`${countOf(addons, where, unit, incomplete !== undefined)}:`;
  return {
    routeId: ADDONS_LIST,
    words: of ? [of.id] : [],
    rows: addons,
    none: { lines: [none, ...besides], ...rest },
    bullet: (addon) => addonLine(addon, unit, of === undefined),
    page: (part) => ({ lines: [head, ...besides, ...partWords(part)], ...rest }),
  };
}

/** How many are active and what those cost; what is attached and not shown as active is counted by itself. */
function countOf(addons: readonly Addon[], where: Phrase, unit: string, isIncomplete: boolean): Phrase {
  const states = addons.map((addon) => ({ addon, state: addonState(addon) }));
  const active = states.filter(({ state }) => state === 'active').map(({ addon }) => addon);
  const others = states
    .filter(({ state }) => state !== 'active' && state !== 'over')
    .map(({ addon }) => addon);
  const isKnown = active.every((addon) => addon.dailyCredits !== undefined);
  const noun = active.length === 1 ? 'add-on' : 'add-ons';
  const count = isIncomplete ? say`At least ${active.length}` : say`${active.length}`;
  const least = isKnown && !isIncomplete ? say`` : say`at least `;
  const first = say`${count} active ${noun}${where}, ${least}${costOf(active, unit)} a day`;
  if (others.length === 0) return first;
  const are = others.length === 1 ? 'other is' : 'others are';
  return say`${first}; ${others.length} ${are} not shown as active, up to ${costOf(others, unit)} a day`;
}

function costOf(addons: readonly Addon[], unit: string): string {
  return counted(sum(addons.map(({ dailyCredits }) => parseAmount(dailyCredits) ?? ZERO)), unit);
}

function addonLine(addon: Addon, unit: string, withInstance: boolean): Phrase {
  const status = addon.status ?? 'active';
  const state = addonState(addon);
  const cost = parseAmount(addon.dailyCredits);
  const facts = [
    status.toLowerCase() === 'active' ? 'active' : `"${plain(status, 40)}"`,
    usage(addon),
    cost && `${counted(cost, unit)} a day`,
    addon.id === '' ? undefined : `id ${plain(addon.id, 40)}`,
  ].filter((fact): fact is string => fact !== undefined);
  const name = say`${strong(addonName(addon))}`;
  const on = withInstance ? say` on ${instanceOf(addon)}` : say``;
  const stateIcon = state === 'active' && isOverLimit(addon) ? '🟠' : ICONS[state];
  return say`${stateIcon} ${name}${on} · ${facts.join(' · ')}`;
}

function usage(addon: Addon): string | undefined {
  const { used, limit } = addon;
  if (limit === undefined) return used ? `${NUMBER.format(used)} used, no limit` : undefined;
  const isNear = used !== undefined && used > 0 && used >= 0.9 * limit;
  const over = isOverLimit(addon) ? ', over its limit' : isNear ? ', near its limit' : '';
  return `${NUMBER.format(used ?? 0)} of ${NUMBER.format(limit)} used${over}`;
}

function instanceOf({ instanceId, instanceName }: Addon): Phrase {
  if (instanceName === undefined || instanceName === '')
    return instanceId === undefined ? say`an unknown instance` : say`instance ${instanceId}`;
  return instanceId === undefined
    ? say`${strong(instanceName)}`
    : nameOf({ id: instanceId, name: instanceName });
}

/** An add-on that can be added because another like it is there, elsewhere. */
export interface Known {
  readonly addon: AddonRef;
  /** A button that asks for one. */
  readonly button: Button;
  /** What one costs a day, as the service writes it. */
  readonly dailyCredits: string | undefined;
}

/** How many sorts of add-on are offered at once: Slack takes one button of a route in a message, and a menu of five. */
export const MAX_SORTS = 6;

/** Which add-ons are known to exist, so that one can be picked for an instance. */
export function typesFor(instance: Instance, known: readonly Known[], unit: string): Message {
  if (known.length === 0) {
    return {
      lines: [
        say`Which add-on for ${nameOf(instance)}? Type its name.`,
        say`None is in use yet, so I can't list the types; your hosting service's documentation does.`,
      ],
    };
  }
  const buttons = known.map(({ button }) => button);
  const menu = buttons.slice(1, MAX_SORTS);
  return question({
    lines: [
      say`Which add-on for ${nameOf(instance)}? These are in use elsewhere. For any other, type its name.`,
    ],
    bullets: known.map(({ addon, dailyCredits }) => {
      const perDay = parseAmount(dailyCredits);
      const cost = perDay ? say` · ${counted(perDay, unit)} a day elsewhere` : say``;
      return say`${strong(addonName(addon))}${cost}`;
    }),
    buttons: buttons.slice(0, 1),
    ...(menu.length > 0 ? { menu } : {}),
  });
}

/**
 * What adding comes to, before it is confirmed. `like`: one of the same sort that is there, whose cost is known;
 * `incomplete`: set where the list in which none of the type was found may not be all there is.
 */
export function addPreview(
  wanted: AddonRef,
  instance: Instance,
  { like, incomplete, unit }: { like: Addon | undefined; incomplete: Incomplete | undefined; unit: string },
): Phrase[] {
  const perDay = parseAmount(like?.dailyCredits);
  const cost =
    like && perDay
      ? say`Another ${addonName(like)} costs ${counted(perDay, unit)} a day, so this one will most likely cost as much.`
      : say`I can't tell the price in advance.`;
  return [
    say`Add ${strong(addonName(wanted))} to ${nameOf(instance)}?`,
    cost,
    ...(incomplete
      ? [
          say`I found no ${strong(plain(wanted.type, 60))} on it in the list of add-ons. ${incompleteWords(incomplete, 'add-ons')} If it has one already, a second one costs twice.`,
        ]
      : []),
    say`Nothing has been done yet.`,
  ];
}

/** What removing loses, before it is confirmed. */
export function removePreview(
  addon: Addon,
  instance: Instance,
  unit: string,
): { lines: Phrase[]; bullets: Phrase[] } {
  const perDay = parseAmount(addon.dailyCredits);
  const saves = perDay ? [say`saved: ${counted(perDay, unit)} a day`] : [];
  const used = usage(addon);
  return {
    lines: [
      say`Remove ${strong(addonName(addon))} from ${nameOf(instance)}?`,
      say`What it holds for the instance, such as backups or stored files, goes with it. This is permanent.`,
    ],
    bullets: [...(used === undefined ? [] : [say`in use: ${used}`]), ...saves, say`its id is ${addon.id}`],
  };
}

/** What a dry run of removing answers. */
export function wouldRemove(preview: Pick<Message, 'bullets'>, addon: Addon, instance: Instance): Message {
  return {
    lines: [
      say`Would ask you to type ${addon.type} and then remove ${strong(addonName(addon))} from ${nameOf(instance)}. This was a dry run: nothing was done.`,
    ],
    bullets: preview.bullets ?? [],
  };
}

/** What a dry run of adding answers. `lines`: what would be asked; `isKnown`: whether the price is in them. */
export function wouldAdd(
  addon: AddonRef,
  instance: Instance,
  lines: readonly Phrase[],
  isKnown: boolean,
): Message {
  return {
    lines: [
      say`Would ask you and then add ${strong(addonName(addon))} to ${nameOf(instance)}. This was a dry run: nothing was done.`,
      ...(isKnown ? lines.slice(1, 2) : []),
    ],
  };
}

/** What was typed is not the type. */
export function wrongType(type: string): Phrase {
  return say`That doesn't match. Type ${type} exactly, or cancel.`;
}

/** Several of one type, which only their ids tell apart. */
export function whichAddon(
  type: string,
  instance: Instance,
  addons: readonly Addon[],
  unit: string,
): Message {
  return {
    lines: [
      say`${nameOf(instance)} has ${addons.length} add-ons called "${type}". Name one by its id, as in /addons remove ${addons[0]?.id ?? 'id'} ${instance.name}:`,
    ],
    bullets: addons.map((addon) => addonLine(addon, unit, false)),
  };
}

/** None of that type or id. */
export function noSuchAddon(
  word: string,
  instance: Instance,
  active: readonly Addon[],
  incomplete?: Incomplete,
): Message {
  if (incomplete)
    return {
      lines: [
        say`I found no add-on "${word}" of ${nameOf(instance)}, so nothing was done.`,
        incompleteWords(incomplete, 'add-ons'),
      ],
    };
  const has =
    active.length === 0
      ? say`It has none.`
      : say`It has ${join(
          active.map((addon) => say`${strong(addonName(addon))}`),
          ', ',
        )}.`;
  return { lines: [say`${nameOf(instance)} has no add-on "${word}", so nothing was done. ${has}`] };
}
