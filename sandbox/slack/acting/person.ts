import { BOT, type PersonRecord } from '../../people.ts';
import type { World } from '../world.ts';
import type { Channel } from '../workspace/channel.ts';
import type { PostedMessage } from '../workspace/posted-message.ts';
import type { View } from '../workspace/views.ts';
import { openHome } from './home.ts';
import { choose, type Offered, fill, search } from './choose.ts';
import { runCommand } from './command.ts';
import { press, type PressOptions } from './press.ts';
import { say, type SayOptions } from './say.ts';
import { useShortcut } from './shortcut.ts';
import { type Entries, submit } from './submit.ts';
import type { Target, Wanted } from './target.ts';
import { Interaction } from './interaction.ts';

/** Somebody at their Slack: types, presses, chooses, reads. Channels by `#name` or id; `dm` is the one with the bot, `slackbot` that with Slackbot. */
export class Person {
  readonly id: string;
  readonly handle: string;
  readonly #world: World;

  constructor(world: World, id: string) {
    this.#world = world;
    this.id = id;
    this.handle = world.workspace.getPerson(id).handle;
  }

  /** What is known of them now. */
  get record(): PersonRecord {
    return this.#world.workspace.getPerson(this.id);
  }

  /** Types into a channel: a slash command, a message, or a message that mentions the bot. */
  async types(where: string, text: string, options: SayOptions = {}): Promise<Interaction> {
    const channel = this.#channel(where);
    if (!text.startsWith('/')) return say(this.#world, this.record, channel, text, options);
    if (options.thread !== undefined) throw new Error('Slack runs no commands in threads');
    return runCommand(this.#world, this.record, channel, text);
  }

  /** Types a message that begins with a mention of the bot. */
  async mentions(where: string, text: string, options: SayOptions = {}): Promise<Interaction> {
    const bot = options.raw ? `<@${BOT.userId}>` : `@${BOT.handle}`;
    return say(this.#world, this.record, this.#channel(where), `${bot} ${text}`, options);
  }

  /** Presses a button or a line of an overflow menu. Throws when it is not there. */
  async presses(target: Target, wanted: Wanted, options: PressOptions = {}): Promise<Interaction> {
    return press(this.#world, this.record, target, wanted, options);
  }

  /** Types into a select that asks the bot for its options. */
  async searches(target: Target, actionId: Wanted, typed: string): Promise<Offered> {
    return search(this.#world, this.record, target, actionId, typed);
  }

  /** Picks in a select, by value or label. */
  async chooses(target: Target, actionId: Wanted, valueOrLabel: string): Promise<Interaction> {
    return choose(this.#world, this.record, target, actionId, valueOrLabel);
  }

  /** Types into a field of a message, and leaves it at that. */
  fills(target: Target, wanted: Wanted, words: string): Interaction {
    return fill(this.#world, this.record, target, wanted, words);
  }

  /** Fills in a modal, by action id, block id or label of each input, and submits it. */
  async submits(view: View, entries: Entries = {}): Promise<Interaction> {
    return submit(this.#world, this.record, view, entries);
  }

  /** Closes a modal. */
  async closes(view: View): Promise<Interaction> {
    this.#world.views.close(view);
    return new Interaction(undefined, { userId: this.id, since: 0 });
  }

  /** Uses a shortcut of the app, from anywhere or from the menu of a message. */
  async usesShortcut(callbackId: string, message?: PostedMessage): Promise<Interaction> {
    return useShortcut(this.#world, this.record, callbackId, message);
  }

  /** Opens the app's Home, or its tab with the messages, which the bot gets an event for. */
  async opensHome(tab: 'home' | 'messages' = 'home'): Promise<Interaction> {
    return openHome(this.#world, this.record, this.dm, tab);
  }

  /** What the bot last published as their Home, if it did. */
  get home(): View | undefined {
    return this.#world.views.homeOf(this.id);
  }

  /** The open modal, if there is one. */
  get views(): View[] {
    return this.#world.views.openOf(this.id);
  }

  /** The open modal. Throws when none is open. */
  get view(): View {
    const view = this.views.at(-1);
    if (!view) throw new Error(`no view is open for ${this.handle}`);
    return view;
  }

  /** The direct message with the bot. */
  get dm(): Channel {
    return this.#world.workspace.openDm(this.id);
  }

  /** The direct message with Slackbot. */
  get slackbot(): Channel {
    return this.#world.workspace.openSlackbot(this.id);
  }

  /** What stands in the direct message with the bot. */
  get dms(): PostedMessage[] {
    return this.dm.seenBy(this.id);
  }

  #channel(where: string): Channel {
    if (where === 'dm') return this.dm;
    return where === 'slackbot' ? this.slackbot : this.#world.workspace.getChannel(where);
  }
}
