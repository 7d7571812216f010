import { createBareFeatures } from '../../src/app/features.ts';
import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { BOT, type PersonRecord, TEAM } from '../people.ts';
import { SHORTCUTS } from '../shortcuts.ts';
import { record, string } from '../slack/json.ts';
import type { Person, PostedMessage, SlackDouble } from '../slack/index.ts';
import type { View } from '../slack/workspace/views.ts';
import type {
  CommandOfPage,
  MessageOfPage,
  PageState,
  PersonOfPage,
  ViewOfPage,
  WorkspaceOfPage,
} from './wire.ts';

/** All that one person sees, by the keys of the page. */
export function readSnapshot(
  slack: SlackDouble,
  who: string,
  commands: readonly CommandOfPage[],
): Omit<PageState, 'curtain'> & Record<string, unknown> {
  const person = slack.person(who);
  const view = person.views.at(-1);
  return {
    workspace: readWorkspace(slack, person, commands),
    view: view ? readView(view) : null,
    home: person.home?.blocks ?? null,
    ...Object.fromEntries(
      messagesOf(slack, person).map((message) => [`m:${message.ts}`, readMessage(message)]),
    ),
  };
}

/** Whom the page can act as: who can type in this Slack. */
function actorsOf(slack: SlackDouble): readonly PersonRecord[] {
  return slack.everybody().filter(({ isBot, isDeleted }) => !isBot && !isDeleted);
}

/** The messages before a person, in every channel that they are in. */
export function messagesOf(slack: SlackDouble, person: Person): readonly PostedMessage[] {
  return [...slack.channelsOf(person.id), person.dm, person.slackbot].flatMap((channel) =>
    channel.seenBy(person.id),
  );
}

const read = new WeakMap<PostedMessage['content'], MessageOfPage>();

/** A message for the page; what did not change is the same object. */
function readMessage(message: PostedMessage): MessageOfPage {
  const known = read.get(message.content);
  if (known) return known;
  const shown: MessageOfPage = {
    ts: message.ts,
    channel: message.channel,
    user: message.user,
    threadTs: message.isReply ? message.thread_ts : undefined,
    isEphemeral: message.ephemeralFor !== undefined,
    isEdited: message.edits.length > 0,
    text: message.text,
    blocks: message.blocks,
    files: message.files.map(({ id, title, bytes }) => ({ id, title, bytes: bytes.length })),
  };
  read.set(message.content, shown);
  return shown;
}

function readView(view: View): ViewOfPage {
  const label = (name: string): string | undefined => string(record(view.content[name])['text']);
  return {
    id: view.id,
    title: label('title') ?? '',
    submit: label('submit'),
    close: label('close'),
    blocks: view.blocks,
    errors: Object.fromEntries(Object.entries(view.errors).map(([id, text]) => [id, String(text)])),
  };
}

function readWorkspace(
  slack: SlackDouble,
  person: Person,
  commands: readonly CommandOfPage[],
): WorkspaceOfPage {
  const { dm, slackbot } = person;
  return {
    me: toPerson(person.record),
    team: TEAM.name,
    bot: { id: BOT.userId, handle: BOT.handle, name: BOT.name },
    people: slack.everybody().map(toPerson),
    actors: actorsOf(slack).map(toPerson),
    groups: Object.fromEntries(slack.usergroups.map(({ id, handle }) => [id, handle])),
    channels: slack
      .channelsOf(person.id)
      .map(({ id, name, kind, isArchived }) => ({ id, name, kind, isArchived })),
    dm: { id: dm.id, name: BOT.name, kind: 'im', isArchived: false },
    slackbot: { id: slackbot.id, name: 'Slackbot', kind: 'im', isArchived: false },
    prompts: dm.prompts.map(({ title, message }) => ({ title, message })),
    commands,
    shortcuts: SHORTCUTS,
  };
}

/** What can be typed at a hosting service, from the same table that help and the manifest are held to. */
export function commandsAt(adapter: Adapter): readonly CommandOfPage[] {
  return createBareFeatures(adapter).map(({ noun, summary, routes }) => ({
    command: `/${noun}`,
    summary,
    lines: routes.flatMap((route) =>
      route.usage === undefined ? [] : [{ verb: route.verb, usage: route.usage, summary: route.summary }],
    ),
  }));
}

function toPerson({ id, handle, name }: PersonRecord): PersonOfPage {
  return { id, handle, name };
}
