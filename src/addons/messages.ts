import { parseAmount, sum, ZERO } from '../credits/amount.ts';
import { counted } from '../credits/counted.ts';
import type { Addon, Incomplete, Instance } from '../hosting/service.ts';
import { isInGrace } from '../operations/grace.ts';
import {
  cancelButton,
  commonEnding,
  duration,
  icon,
  inGrace,
  progress,
  reason,
  reference,
  subject,
} from '../operations/messages.ts';
import type { AddonRef, Operation, Outcome } from '../operations/operation.ts';
import { tookOf } from '../operations/operations.ts';
import type { Button, Message, Modal } from '../slack/message.ts';
import { ago, join, person, type Phrase, plain, say, strong } from '../slack/phrase.ts';
import { type AddonList, addonName, isActive } from '../targets/addon.ts';
import { incompleteWords, nameOf } from '../targets/messages.ts';
import type { AddonChange } from './change-rules.ts';

const WORDS: Readonly<Record<AddonChange, { doing: string; done: string; to: string }>> = {
  add: { doing: 'Adding', done: 'Added', to: 'to' },
  remove: { doing: 'Removing', done: 'Removed', to: 'from' },
};
const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** Add-ons in a list, the active first. `of`: the one instance they are of, if it is about one; `unit`: how credits are called. */
export function addonList(
  addons: readonly Addon[],
  {
    of,
    unit,
    canChange,
    incomplete,
    menu,
  }: Omit<AddonList, 'addons'> & { of?: Instance; unit: string; menu: readonly Button[] },
): Message {
  const active = addons.filter(isActive);
  const where = of ? say` of ${nameOf(of)}` : say``;
  const gap = incomplete ? [incompleteWords(incomplete, 'add-ons')] : [];
  const note = canChange
    ? {}
    : { note: say`This hosting service only reports add-ons with the usage; they can't be changed here.` };
  if (addons.length === 0)
    return {
      lines: [incomplete ? say`I found no add-ons${where}.` : say`There are no add-ons${where}.`, ...gap],
      ...note,
    };
  const cost = sum(active.map(({ dailyCredits }) => parseAmount(dailyCredits) ?? ZERO));
  const isKnown = active.every((addon) => addon.dailyCredits !== undefined);
  const count = incomplete ? say`At least ${active.length}` : say`${active.length}`;
  const perDay = isKnown && !incomplete ? say`${counted(cost, unit)}` : say`at least ${counted(cost, unit)}`;
  const noun = active.length === 1 ? 'add-on' : 'add-ons';
  return {
    lines: [say`${count} active ${noun}${where}, ${perDay} a day:`, ...gap],
    bullets: addons.map((addon) => addonLine(addon, unit, of === undefined)),
    ...(menu.length > 0 ? { menu } : {}),
    ...note,
  };
}

function addonLine(addon: Addon, unit: string, withInstance: boolean): Phrase {
  const status = addon.status ?? 'active';
  const cost = parseAmount(addon.dailyCredits);
  const facts = [
    status.toLowerCase() === 'active' ? 'active' : `"${plain(status, 40)}"`,
    usage(addon),
    cost && `${counted(cost, unit)} a day`,
    addon.id === '' ? undefined : `id ${plain(addon.id, 40)}`,
  ].filter((fact): fact is string => fact !== undefined);
  const name = say`${strong(addonName(addon))}`;
  const on = withInstance ? say` on ${instanceOf(addon)}` : say``;
  return say`${isActive(addon) ? '🟢' : '⚫'} ${name}${on} · ${facts.join(' · ')}`;
}

function usage({ used, limit }: Addon): string | undefined {
  if (limit === undefined) return used ? `${NUMBER.format(used)} used, no limit` : undefined;
  const isNear = used !== undefined && used > 0 && used >= 0.9 * limit;
  const over = isNear ? (used > limit ? ', over its limit' : ', near its limit') : '';
  return `${NUMBER.format(used ?? 0)} of ${NUMBER.format(limit)} used${over}`;
}

function instanceOf({ instanceId, instanceName }: Addon): Phrase {
  if (instanceName === undefined || instanceName === '')
    return instanceId === undefined ? say`an unknown instance` : say`instance ${instanceId}`;
  return instanceId === undefined
    ? say`${strong(instanceName)}`
    : nameOf({ id: instanceId, name: instanceName });
}

/** What adding comes to, before it is confirmed. `like`: one of the same sort that is there, whose cost is known. */
export function addPreview(
  wanted: AddonRef,
  instance: Instance,
  like: Addon | undefined,
  unit: string,
): Phrase[] {
  const perDay = parseAmount(like?.dailyCredits);
  const cost =
    like && perDay
      ? say`Another ${addonName(like)} costs ${counted(perDay, unit)} a day, so this one will most likely cost as much.`
      : say`What it costs the service only says once it is added; nothing of the sort is there to compare with.`;
  return [
    say`Add ${strong(addonName(wanted))} to ${nameOf(instance)}?`,
    cost,
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
      say`What it holds for the instance, such as backups or stored files, goes with it, and nobody can bring it back.`,
    ],
    bullets: [...(used === undefined ? [] : [say`in use: ${used}`]), ...saves, say`its id is ${addon.id}`],
  };
}

/** The modal in which the add-on's type is typed. */
export function removeModal(
  type: string,
  preview: Pick<Message, 'lines' | 'bullets'>,
  value: string,
  routeId: string,
  hint: string,
): Modal {
  return {
    routeId,
    value,
    title: 'Remove an add-on',
    ...preview,
    field: { label: `Type ${type} to remove it`, hint },
    submit: 'Remove',
  };
}

/** What was typed is not the type. */
export function wrongType(type: string): Phrase {
  return say`That is not what it is called. Type ${type} exactly, or leave it.`;
}

/** The card of a change in each of its states. */
export function changeCard(change: AddonChange, operation: Operation, cancelRoute: string): Message {
  const { outcome } = operation;
  const asked = say`asked by ${person(operation.actor.userId)} ${ago(operation.requestedAt)}`;
  const note = reference(operation);
  const doing = say`${WORDS[change].doing} ${what(change, operation)}`;
  if (outcome) {
    return {
      lines: [say`${icon(outcome)} ${changeEnding(change, operation, outcome)}`, asked, ...reason(operation)],
      note,
    };
  }
  if (isInGrace(operation)) {
    return {
      lines: [
        say`🗑️ ${doing} ${inGrace(operation)}, ${asked}`,
        say`What it holds goes with it. Until then it can be cancelled.`,
        ...reason(operation),
      ],
      note,
      buttons: [cancelButton(operation, cancelRoute)],
    };
  }
  return { lines: [say`⏳ ${doing}, ${asked}`, ...progress(operation), ...reason(operation)], note };
}

/** How a change ended, as one sentence that stands by itself. */
export function changeEnding(change: AddonChange, operation: Operation, outcome: Outcome): Phrase {
  const it = what(change, operation);
  const { done } = WORDS[change];
  const isAdd = change === 'add';
  const there = isAdd ? 'it is in the list' : 'it is in the list no more';
  switch (outcome.code) {
    case 'done':
      return say`${done} ${it} in ${duration(tookOf(operation, outcome.at))}.`;
    case 'seen':
      return say`${done} ${it}: the service's answer got lost, but I looked, and ${there}.`;
    case 'already':
      return isAdd
        ? say`${subject(operation)} has ${named(operation)} already. Nothing was changed.`
        : say`${subject(operation)} has no ${named(operation)} any more. Nothing was changed.`;
    case 'gone':
      return say`Could not ${change} ${it}: there is no such instance any more.`;
    case 'lost':
      return isAdd
        ? say`I don't know whether ${named(operation)} will be added to ${subject(operation)}: the service's answer got lost, and it is not in the list now. I did not ask again, because twice would cost twice; look at the add-ons before you do.`
        : say`I don't know whether ${named(operation)} will be removed from ${subject(operation)}: the service's answer got lost. Look at the add-ons before you ask again.`;
    case 'blind':
      return say`I don't know how it ended to ${change} ${it}: the hosting service has given no usable answer since. Look at the add-ons before you ask again.`;
    case 'still':
      return isAdd
        ? say`The service took the request to add ${it}, but it is not in the list after ${duration(tookOf(operation, outcome.at))}. I stopped watching; look at the add-ons.`
        : say`The service took the request to remove ${it}, but it is still in the list after ${duration(tookOf(operation, outcome.at))}. I stopped watching; look at the add-ons.`;
    default:
      return commonEnding(operation, outcome, {
        could: say`Could not ${change} ${it}`,
        didNot: say`Did not ${change} ${it}`,
        state: say``,
      });
  }
}

function named(operation: Operation): Phrase {
  return operation.addon ? say`${strong(addonName(operation.addon))}` : say`an add-on`;
}

/** "backup to web-1 (101)". */
function what(change: AddonChange, operation: Operation): Phrase {
  return say`${named(operation)} ${WORDS[change].to} ${subject(operation)}`;
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
      say`${nameOf(instance)} has ${addons.length} add-ons called "${type}". Name one by its id, as in remove ${addons[0]?.id ?? 'id'} ${instance.name}:`,
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
