import { findNamed } from '../../core/lookup/in-text.ts';
import { incompleteWords, nameOf, statusOf, whichInstance } from '../../core/instances/messages.ts';
import { findOngoing } from '../../core/operations/ongoing.ts';
import { ongoing } from '../../core/operations/messages.ts';
import { lockOf } from '../../core/operations/operation.ts';
import type { Ask } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import type { Instance, InstanceList } from '../../platform/hosting/service.ts';
import type { Message, Row } from '../../platform/slack/message.ts';
import { ago, type Phrase, say, toPlainText } from '../../platform/slack/phrase.ts';
import { STATUS_ICONS } from './list-lines.ts';
import { ACT, SHOW } from './route-ids.ts';
import type { Instances } from './instances.ts';
import { pressable, showOne } from './show.ts';

/** A name only leads to an instance here: what is pressed is read again by its id. */
const FRESH_MS = 15_000;
const MAX_SHOWN = 5;

/**
 * The shortcut of a message: shows the instances that the message names, each with the buttons that its card would have. Only
 * those that the person may see are found.
 */
export function actRoute(deps: Instances): Route {
  return {
    id: ACT,
    verb: 'act',
    permission: 'instances:read',
    writes: false,
    summary: 'act on the instances that a message names',
    shortcut: {
      on: 'message',
      name: 'Act on an instance',
      description: 'Shows the instances that this message names, with their buttons',
    },
    isAskable: async () => false,
    handle: async (ask) => {
      const list = await deps.hosting.listInstances({ freshMs: FRESH_MS });
      const maySee = await deps.access.which(ask.actor, 'instances:read', ask.place.channelId);
      const found = await findNamed(deps.hosting, ask.text ?? '', list.instances.filter(maySee));
      const remarks = remarksOf(list);
      const [only, second] = found;
      if (!only) return noneFound(remarks);
      if (!second) return withRemarks(await showOne(deps, ask, only), remarks);
      const shown = found.slice(0, MAX_SHOWN);
      const each = await Promise.all(shown.map((one) => rowOf(deps, ask, one)));
      // One freeze may keep several from being changed.
      const less = new Map(each.flatMap(({ lines }) => lines).map((line) => [toPlainText(line), line]));
      const lines = [countLine(found.length), ...remarks, ...less.values()];
      return { lines, rows: each.map(({ row }) => row) };
    },
  };
}

/** `lines`: why there are fewer buttons. */
async function rowOf(
  deps: Instances,
  ask: Ask,
  instance: Instance,
): Promise<{ readonly row: Row; readonly lines: readonly Phrase[] }> {
  const [holder] = await findOngoing(deps.operations, [lockOf(instance.id)]);
  const { buttonTokenId, buttons, lines } = await pressable(instance, deps, ask);
  const show =
    buttonTokenId === undefined
      ? []
      : [{ label: 'Show', routeId: SHOW, value: buttonTokenId, about: instance }];
  const line = say`${STATUS_ICONS[instance.status]} ${nameOf(instance)} · ${statusOf(instance)}`;
  const row = holder
    ? { line: say`${line}. ${ongoing(holder, deps.clock.now())}.${holder.link}`, buttons: show }
    : { line, buttons: [...show, ...buttons] };
  return { row, lines };
}

function countLine(count: number): Phrase {
  return count > MAX_SHOWN
    ? say`That message names ${count} instances. These are the first ${MAX_SHOWN}:`
    : say`That message names ${count} instances:`;
}

function remarksOf({ incomplete, readAtMs }: InstanceList): readonly Phrase[] {
  return [
    ...(incomplete ? [incompleteWords(incomplete, 'instances')] : []),
    ...(readAtMs === undefined ? [] : [say`I read the list of instances ${ago(readAtMs)}.`]),
  ];
}

function noneFound(remarks: readonly Phrase[]): Message {
  const why = say`I found no instance in that message. I look for exact names, ids and addresses. Which one do you want to see?`;
  const asking = whichInstance('show', SHOW, why);
  return { ...asking, lines: [...asking.lines, ...remarks] };
}

function withRemarks(message: Message, remarks: readonly Phrase[]): Message {
  return { ...message, lines: [...message.lines, ...remarks] };
}
