import { z } from 'zod';
import { API_STATES } from '../service/api-switch.ts';
import { record, string } from '../slack/json.ts';
import type { Person, PostedMessage, SlackDouble } from '../slack/index.ts';
import { everyElement, type Spot, type Target } from '../slack/acting/target.ts';
import type { Interaction } from '../slack/acting/interaction.ts';
import { messagesOf } from './snapshot.ts';
import { type Acted, type OptionOfPage, TOUR, TROUBLES } from './wire.ts';

const spot = {
  /** A message by its ts, a view by its id, or `home`. */
  target: z.string().max(100),
  blockId: z.string().max(255),
  actionId: z.string().max(255),
};

/** What a page may ask for. */
export const actSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('type'),
    where: z.string().max(100),
    text: z.string().min(1).max(10_000),
    thread: z.string().max(50).optional(),
  }),
  z.object({ do: z.literal('press'), ...spot, value: z.string().max(2_000).optional() }),
  z.object({ do: z.literal('search'), ...spot, typed: z.string().max(200) }),
  z.object({ do: z.literal('choose'), ...spot, value: z.string().max(10_000) }),
  z.object({ do: z.literal('fill'), ...spot, value: z.string().max(10_000) }),
  z.object({
    do: z.literal('submit'),
    target: z.string().max(100),
    entries: z.record(z.string().max(255), z.string().max(10_000)),
  }),
  z.object({ do: z.literal('close'), target: z.string().max(100) }),
  z.object({ do: z.literal('open-app'), tab: z.enum(['home', 'messages']) }),
  z.object({
    do: z.literal('shortcut'),
    callbackId: z.string().max(255),
    message: z.string().max(100).optional(),
  }),
  z.object({ do: z.literal('trouble'), name: z.enum(TROUBLES) }),
  z.object({ do: z.literal('api'), state: z.enum(API_STATES) }),
  z.object({ do: z.literal('fleet'), isLarge: z.boolean() }),
  z.object({ do: z.literal('tour'), step: z.enum(TOUR) }),
]);
export type ActOfPage = z.infer<typeof actSchema>;
type ActOfPerson = Exclude<ActOfPage, { do: 'trouble' | 'api' | 'fleet' | 'tour' | 'search' }>;

/** Has a person do in Slack what their page asks for. Throws a sentence where it can't be done. */
export async function carryOut(slack: SlackDouble, who: string, act: ActOfPerson): Promise<Acted> {
  const person = slack.person(who);
  switch (act.do) {
    case 'type':
      return toActed(await person.types(act.where, act.text, { thread: act.thread }));
    case 'press': {
      const target = findTarget(slack, person, act.target);
      return toActed(await person.presses(target, act, { version: versionWith(target, act) }));
    }
    case 'choose':
      return toActed(
        await person.chooses(findTarget(slack, person, act.target), { ...act, value: undefined }, act.value),
      );
    case 'fill':
      return toActed(
        person.fills(findTarget(slack, person, act.target), { ...act, value: undefined }, act.value),
      );
    case 'submit':
      return toActed(await person.submits(getView(person, act.target), act.entries));
    case 'close':
      return toActed(await person.closes(getView(person, act.target)));
    case 'shortcut':
      return toActed(await person.usesShortcut(act.callbackId, findMessage(slack, person, act.message)));
    case 'open-app':
      return toActed(await person.opensHome(act.tab));
  }
}

/** What the bot offers for what a person typed into a select. */
export async function searchOptions(
  slack: SlackDouble,
  who: string,
  { target, typed, blockId, actionId }: Extract<ActOfPage, { do: 'search' }>,
): Promise<readonly OptionOfPage[]> {
  const person = slack.person(who);
  const found = await person.searches(findTarget(slack, person, target), { blockId, actionId }, typed);
  const heading = string(record(found.optionGroups?.[0]?.['label'])['text']);
  return found.options.map((option) => ({
    label: string(record(option['text'])['text']) ?? '',
    value: string(option['value']) ?? '',
    heading,
  }));
}

function findTarget(slack: SlackDouble, person: Person, target: string): Target {
  if (target === 'home' && person.home) return person.home;
  const found =
    person.views.find(({ id }) => id === target) ?? messagesOf(slack, person).find(({ ts }) => ts === target);
  if (!found) throw new Error('That is not there any more.');
  return found;
}

/** The message whose menu the shortcut is in; undefined for one from anywhere. */
function findMessage(slack: SlackDouble, person: Person, ts: string | undefined): PostedMessage | undefined {
  if (ts === undefined) return undefined;
  const found = messagesOf(slack, person).find((message) => message.ts === ts);
  if (!found) throw new Error('That is not there any more.');
  return found;
}

/** Which version of a message has what was pressed: the page may show one that was edited a moment ago. */
function versionWith(target: Target, { blockId, actionId }: Spot): number | undefined {
  if (!('edits' in target)) return undefined;
  const versions = [...target.edits, target.content];
  const found = versions.findLastIndex(({ blocks }) =>
    everyElement(blocks).some((one) => one.blockId === blockId && one.element['action_id'] === actionId),
  );
  return found < 0 ? undefined : found;
}

function getView(person: Person, id: string): Person['view'] {
  const view = person.views.find((one) => one.id === id);
  if (!view) throw new Error('That modal is closed already.');
  return view;
}

function toActed({ error, errors }: Interaction): Acted {
  const sentence = error ?? string(errors?.['']);
  return {
    error: sentence && `Slack: ${sentence}`,
    ...(errors
      ? { errors: Object.fromEntries(Object.entries(errors).map(([id, text]) => [id, String(text)])) }
      : {}),
  };
}
