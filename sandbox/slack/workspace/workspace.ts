import { BOT, type PersonRecord, SLACKBOT_ID, TEAM } from '../../people.ts';
import { type Changes, createChanges } from '../changes.ts';
import { createIds } from '../ids.ts';
import { createTimestamps } from '../timestamps.ts';
import { Channel, type ChannelSetup } from './channel.ts';
import { createUsergroups, type Usergroup } from './usergroup.ts';
import { type Content, type Origin, PostedMessage } from './posted-message.ts';

export interface WorkspaceSetup {
  readonly people: readonly PersonRecord[];
  readonly channels: readonly ChannelSetup[];
  readonly clock: () => number;
}

/** The people, the channels and all that was said. Knows no HTTP. */
export class Workspace {
  readonly changes: Changes = createChanges();
  readonly clock: () => number;
  readonly nextId: (prefix: string) => string = createIds();
  readonly nextTs: () => string;
  readonly usergroups: readonly Usergroup[] = createUsergroups();
  readonly #people = new Map<string, PersonRecord>();
  readonly #channels = new Map<string, Channel>();

  constructor(setup: WorkspaceSetup) {
    this.clock = setup.clock;
    this.nextTs = createTimestamps(setup.clock);
    for (const person of setup.people) this.#people.set(person.id, person);
    for (const channel of setup.channels) this.#open(channel);
  }

  get people(): PersonRecord[] {
    return [...this.#people.values()];
  }
  get channels(): Channel[] {
    return [...this.#channels.values()];
  }

  /** By id or handle, with or without `@`. */
  findPerson(who: string): PersonRecord | undefined {
    const handle = who.replace(/^@/, '');
    return this.#people.get(who) ?? this.people.find((person) => person.handle === handle);
  }

  getPerson(who: string): PersonRecord {
    const person = this.findPerson(who);
    if (!person) throw new Error(`nobody in the sandbox is called ${who}`);
    return person;
  }

  /** Replaces what is known of a person, for example when they leave. */
  setPerson(person: PersonRecord): void {
    this.#people.set(person.id, person);
    this.changes.tell();
  }

  /** By id or `#name`; direct messages only by id. */
  findChannel(which: string): Channel | undefined {
    const name = which.replace(/^#/, '');
    return (
      this.#channels.get(which) ??
      this.channels.find((channel) => channel.kind !== 'im' && channel.name === name)
    );
  }

  getChannel(which: string): Channel {
    const channel = this.findChannel(which);
    if (!channel) throw new Error(`there is no channel ${which} in the sandbox`);
    return channel;
  }

  /** The direct message between the bot and this person; opened when there is none yet. */
  openDm(userId: string): Channel {
    return this.#openIm(userId, BOT.userId);
  }

  /** The direct message between Slackbot and this person, which the bot never sees; opened when there is none yet. */
  openSlackbot(userId: string): Channel {
    return this.#openIm(userId, SLACKBOT_ID);
  }

  /** Puts a message into its channel and rings the bell. */
  post(channel: Channel, origin: Omit<Origin, 'ts' | 'channel'>, content: Content): PostedMessage {
    const message = new PostedMessage({ ...origin, ts: this.nextTs(), channel: channel.id }, content);
    channel.add(message);
    this.changes.tell();
    return message;
  }

  /** Posts as the bot. */
  postAsBot(
    channel: Channel,
    content: Content,
    where: Pick<Origin, 'thread_ts' | 'ephemeralFor'> = {},
  ): PostedMessage {
    const author = { user: BOT.userId, bot_id: BOT.botId, app_id: BOT.appId, team: TEAM.id };
    return this.post(channel, { ...author, ...where }, content);
  }

  edit(message: PostedMessage, content: Content): void {
    message.edit(content);
    this.changes.tell();
  }

  remove(message: PostedMessage): void {
    message.deleted = true;
    this.changes.tell();
  }

  #openIm(userId: string, withId: string): Channel {
    const person = this.getPerson(userId);
    const open = this.channels.find(
      ({ kind, members }) => kind === 'im' && members.has(person.id) && members.has(withId),
    );
    return open ?? this.#add(person.handle, this.nextId('D'), 'im', [person.id, withId]);
  }

  #open(setup: ChannelSetup): void {
    const everybody = this.people.filter(
      (person) => !person.isDeleted && !person.isBot && (setup.isShared || !person.isStranger),
    );
    const members =
      setup.members?.map((who) => this.getPerson(who).id) ?? everybody.map((person) => person.id);
    if (setup.botIsMember !== false) members.push(BOT.userId);
    this.#add(setup.name, setup.id ?? this.nextId('C'), setup.kind ?? 'public', members, setup);
  }

  #add(
    name: string,
    id: string,
    kind: Channel['kind'],
    members: readonly string[],
    more: Pick<ChannelSetup, 'isArchived' | 'isShared' | 'refusesBlocks'> = {},
  ): Channel {
    const findId = (who: string): string => this.getPerson(who).id;
    const { isArchived, isShared, refusesBlocks } = more;
    const channel = new Channel({ id, name, kind, members, isArchived, isShared, refusesBlocks, findId });
    this.#channels.set(id, channel);
    return channel;
  }
}
