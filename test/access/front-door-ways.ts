import { WebClient } from '@slack/web-api';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { Interaction } from '../../sandbox/slack/acting/interaction.ts';
import type { View } from '../../sandbox/slack/workspace/views.ts';
import { FIELD } from '../../src/platform/slack/modal.ts';
import { botMessages, opensModal } from '../support/sandbox.ts';
import type { Cell, Scene } from './front-door-scene.ts';
import { beginsACall, type Entrance, TABLE } from './front-door-table.ts';

/** What a person has before them as they act: what they got while they were an admin. */
export interface Held {
  readonly message?: PostedMessage;
  /** A second one with the same picker, to type into and not to pick from. */
  readonly search?: PostedMessage;
  readonly modal?: View;
  /** Of a message for everybody: what the person still has on their screen. */
  readonly version?: number;
}

export function entranceOf({ permission, way }: Cell): Entrance | undefined {
  return TABLE[permission][way];
}

/** Where they do it: what begins an operation in a channel of its own, since Slack takes one message a second in each. */
function channelOf(cell: Cell): string {
  return entranceOf(cell)?.channel ?? (beginsACall(cell) ? `#${cell.x}` : '#ops');
}

const named = (text: string, { x }: Cell): string => text.replaceAll('{x}', x);

/** Gets what is to be pressed, picked from or filled in; nothing for what is typed. */
export async function prepare(scene: Scene, cell: Cell): Promise<Held> {
  const entrance = entranceOf(cell);
  if (!entrance || cell.way === 'command' || cell.way === 'mention') return {};
  const { slack } = scene.sandbox;
  const { handle } = cell.player;
  const person = slack.person(handle);
  const { types = '', card, dm } = entrance;
  if (card !== undefined) {
    const words = named(card, cell);
    const message = await slack.until(() =>
      botMessages(scene.sandbox).find((one) => isPressable(scene, one, words, entrance)),
    );
    return { message, version: message.edits.length };
  }
  if (dm !== undefined)
    return { message: await slack.until(() => person.dms.find((one) => slack.read(one).includes(dm))) };
  if (cell.way === 'modal')
    return { modal: await opensModal(scene.sandbox, handle, named(types, cell), channelOf(cell)) };
  const answer = async (): Promise<PostedMessage> => {
    const interaction = await person.types(channelOf(cell), named(types, cell));
    return slack.until(() => interaction.ephemeral[0]);
  };
  if (cell.way === 'button') return { message: await answer() };
  const [message, search] = [await answer(), await answer()];
  await person.searches(message, entrance.uses ?? '', pickOf(cell));
  return { message, search };
}

function isPressable(scene: Scene, message: PostedMessage, words: string, { uses = '' }: Entrance): boolean {
  const text = scene.sandbox.slack.read(message);
  return text.includes(words) && text.includes(uses);
}

/** Whatever can be picked: the cell's own instance where something is done to it. */
function pickOf(cell: Cell): string {
  return cell.permission === 'instances:power' || cell.permission === 'addons:change' ? cell.x : 'shared';
}

/** What a person did, and what a picker offered them. */
interface Acted {
  readonly interaction: Interaction;
  readonly offered?: number;
}

/** The person does it. */
export async function act(scene: Scene, cell: Cell, held: Held): Promise<Acted> {
  const { types = '', uses = '', fills = '' } = entranceOf(cell) ?? { done: /^$/ };
  const channel = channelOf(cell);
  const person = scene.sandbox.slack.person(cell.player.handle);
  switch (cell.way) {
    case 'command':
      return { interaction: await person.types(channel, named(types, cell)) };
    case 'mention':
      return { interaction: await person.mentions(channel, named(types, cell)) };
    case 'modal':
      return { interaction: await person.submits(held.modal!, { typed: named(fills, cell) }) };
    case 'picker': {
      const { options } = await person.searches(held.search!, uses, pickOf(cell));
      const interaction = await person.chooses(held.message!, uses, String(scene.idOf(pickOf(cell))));
      return { interaction, offered: options.length };
    }
    case 'button':
      return { interaction: await person.presses(held.message!, uses, { version: held.version }) };
  }
}

/** Everything that a person can read, by its version: what they alone see, what all see of their instance, what stands open. */
export function readBy({ sandbox }: Scene, cell: Cell): ReadonlyMap<string, () => string> {
  const { slack } = sandbox;
  const person = slack.person(cell.player.handle);
  const channel = channelOf(cell);
  const alone = [...slack.channel(channel).ephemeralFor(person.id), ...person.dms];
  const ofAll = botMessages(sandbox, channel).filter((one) => slack.read(one).includes(`${cell.x} (`));
  const messages = [...alone, ...ofAll].filter((one) => !one.deleted);
  return new Map([
    ...messages.map((one) => [`${one.ts} ${one.edits.length}`, () => slack.read(one)] as const),
    ...person.views.map((view) => [view.id, () => slack.readView(view)] as const),
  ]);
}

/** Whether the operation's card stands. */
export function isBegun({ sandbox }: Scene, cell: Cell): boolean {
  return botMessages(sandbox, channelOf(cell)).some((one) => sandbox.slack.read(one).includes(`${cell.x} (`));
}

/** A message of the bot's with a button and a picker of every route, as only a forger could get one. */
export async function forge(scene: Scene): Promise<(cell: Cell) => Promise<Interaction | string>> {
  const { slack } = scene.sandbox;
  const asBot = new WebClient(slack.botToken, { slackApiUrl: scene.sandbox.env['SLACK_API_URL'] ?? '' });
  const text = (words: string): { type: 'plain_text'; text: string } => ({ type: 'plain_text', text: words });
  const routes = [...new Set(Object.values(TABLE).map(({ route }) => route))];
  const elements = {
    button: routes.map((id) => ({
      type: 'button' as const,
      action_id: id,
      text: text(id),
      value: `forged-${id}`,
    })),
    picker: routes.map((id) => ({
      type: 'external_select' as const,
      action_id: id,
      placeholder: text(id),
      min_query_length: 0,
    })),
  };
  for (const way of ['button', 'picker'] as const)
    await asBot.chat.postMessage({
      channel: slack.channel('#ops').id,
      text: `forged ${way}`,
      blocks: [{ type: 'actions', elements: elements[way] }],
    });
  const forged = (way: string): PostedMessage =>
    botMessages(scene.sandbox).find((one) => one.text === `forged ${way}`)!;
  const cards = { button: forged('button'), picker: forged('picker') };
  return async (cell) => {
    const { route } = TABLE[cell.permission];
    const person = slack.person(cell.player.handle);
    const [noun = '', verb = ''] = route.split('.');
    switch (cell.way) {
      case 'command':
        return person.types('#ops', `/${noun === 'access' ? 'lamplighter' : noun} ${verb}`);
      case 'mention':
        return person.mentions('#ops', verb);
      case 'button':
        return person.presses(cards.button, route);
      case 'picker':
        return JSON.stringify((await person.searches(cards.picker, route, '')).options);
      case 'modal':
        return submitForged(scene, cell, route);
    }
  };
}

/** A submission of a modal that nobody was shown. Gives what Slack would show under its field. */
async function submitForged({ sandbox }: Scene, { player }: Cell, route: string): Promise<string> {
  const { id, record } = sandbox.slack.person(player.handle);
  const place = { channelId: sandbox.slack.channel('#ops').id };
  const payload = {
    type: 'view_submission',
    team: { id: record.teamId },
    user: { id, team_id: record.teamId },
    view: {
      id: 'V0FORGED01',
      type: 'modal',
      callback_id: route,
      private_metadata: JSON.stringify({ value: 'forged', place }),
      state: {
        values: { [FIELD.blockId]: { [FIELD.actionId]: { type: 'plain_text_input', value: 'shared' } } },
      },
    },
  };
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  return (await sandbox.slack.send({ body })).body;
}
