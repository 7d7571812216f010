import { TEAM } from '../../sandbox/people.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Interaction } from '../../sandbox/slack/acting/interaction.ts';
import type { Json } from '../../sandbox/slack/json.ts';
import type { View } from '../../sandbox/slack/workspace/views.ts';
import { createBareFeatures } from '../../src/app/features.ts';
import type { Route } from '../../src/core/intake/route.ts';
import { FIELD } from '../../src/platform/slack/modal.ts';
import { botMessages } from '../support/sandbox.ts';
import type { Offer } from './beyond-offers.ts';
import { type Stage, WHO } from './beyond-stage.ts';

/** One way to get beyond a role: what it is called, and doing it. What Slack shows at once comes back. */
export interface Way {
  readonly name: string;
  play(stage: Stage): Promise<string>;
}

/** What says that production is meant: its id, a name, the beginning of one, a filter, a favorite of somebody else. */
const BY_ID = '201';
const BY_NAME = 'prod-2';
const MEANT = [BY_ID, 'name:prod-*', BY_NAME, 'prod', 'nightly', '-name:staging-*'];

/** The words of verbs that take more than an instance, `{x}`; of any other, an instance is all of them, or what help explains below it. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'instances.save': ['prod-2 = {x}'],
  'instances.schedule': ['{x} stop at 20:00 daily UTC', '{x} hours 08:00-20:00 mon-fri UTC'],
  'addons.add': ['llm {x}'],
  'addons.remove': ['backup {x}', '5001 {x}'],
  'billing.usage': ['by instance', 'by addon'],
  'billing.transactions': ['--instance {x}', '--csv', '--instance {x} --csv'],
  'billing.digest': ['weekly mon 09:00', 'off'],
  'lamplighter.access': [
    'grant admin @ana on {x}',
    'grant viewer @bob on {x}',
    'revoke operator @bob on {x}',
  ],
  'lamplighter.can': ['restart {x}', 'delete {x}', 'show {x}'],
  'lamplighter.freeze': ['on {x} "mine"', '"mine"'],
  'lamplighter.thaw': ['on {x}', 'on frozen-*', ''],
  'lamplighter.audit': ['{x}', '@admin', '@admin {x}', 'failed', '--csv', '{x} --csv', '@bob --last 30d'],
};

/** Every way that follows from the routes: in words, with so many that mean production, and by each kind of payload that Slack sends. */
export function waysOfRoutes(meant = MEANT.length): readonly Way[] {
  return createBareFeatures().flatMap(({ noun, routes }) =>
    routes.flatMap((route) => [...inWords(noun, route, MEANT.slice(0, meant)), ...forged(route)]),
  );
}

function inWords(
  noun: string,
  { id, verb, usage, topics = [] }: Route,
  meant: readonly string[],
): readonly Way[] {
  if (usage === undefined) return [];
  const lines = (WORDS[id] ?? ['{x}', ...topics.map((one) => one.usage)]).flatMap((words) =>
    words.includes('{x}') ? meant.map((x) => words.replace('{x}', x)) : [words],
  );
  const places = ['#ops', 'dm'];
  return lines.flatMap((words, index) => {
    const line = `${verb} ${words}`;
    const where = places[index % places.length] ?? '#ops';
    const says = (name: string, text: string, place: string): Way => ({
      name: `${name}: ${text}`,
      play: async ({ sandbox }) => (await sandbox.slack.person(WHO).types(place, text)).body,
    });
    return [
      says('command', `/${noun} ${line}`, where),
      // As one types in the bot's own conversation, and where somebody talks to it among others.
      where === 'dm'
        ? says('line', `${noun} ${line}`, 'dm')
        : says('mention', `@lamplighter ${noun} ${line}`, '#ops'),
    ];
  });
}

/** What nothing leads to: a value, a pick or a form of somebody who knows every route and every id. */
function forged({ id, choices }: Route): readonly Way[] {
  const way = (name: string, payload: (sandbox: Sandbox) => Json): Way => ({
    name: `${name} of ${id}`,
    play: async ({ sandbox }) => send(sandbox, payload(sandbox)),
  });
  return [
    way('button', (sandbox) => pressed(sandbox, { type: 'button', action_id: id, value: BY_ID })),
    way('pick', (sandbox) =>
      pressed(sandbox, { type: 'external_select', action_id: id, selected_option: PICKED }),
    ),
    way('button beside picks', (sandbox) => ({
      ...pressed(sandbox, { type: 'button', action_id: id, block_id: 'those', value: 'all' }),
      state: { values: { those: { picks: SEVERAL } } },
    })),
    way('form', (sandbox) => filled(sandbox, id, { type: 'plain_text_input', value: BY_NAME })),
    way('form with picks', (sandbox) => filled(sandbox, id, SEVERAL)),
    way('shortcut on a message', (sandbox) => ({
      type: 'message_action',
      callback_id: id,
      ...placed(sandbox),
      message: { ts: '1.1', text: `${BY_NAME} (202) and 201 are down` },
    })),
    way('shortcut from anywhere', () => ({ type: 'shortcut', callback_id: id })),
    ...(choices ? [way('suggestions', (sandbox) => suggested(sandbox, id))] : []),
  ];
}

const PICKED = { text: { type: 'plain_text', text: BY_NAME }, value: BY_ID };
const SEVERAL = { type: 'multi_external_select', selected_options: [PICKED, { ...PICKED, value: '202' }] };

const nowTs = (): string => String(Date.now() / 1_000);

const placed = (sandbox: Sandbox): Json => {
  const { id } = sandbox.slack.channel('#ops');
  return {
    channel: { id },
    container: { type: 'message', message_ts: '1.1', channel_id: id, is_ephemeral: true },
  };
};

const pressed = (sandbox: Sandbox, action: Json): Json => ({
  type: 'block_actions',
  ...placed(sandbox),
  actions: [{ block_id: 'forged', action_ts: nowTs(), ...action }],
});

function suggested(sandbox: Sandbox, actionId: string): Json {
  return {
    type: 'block_suggestion',
    ...placed(sandbox),
    action_id: actionId,
    block_id: 'forged',
    value: 'prod',
  };
}

function filled(sandbox: Sandbox, routeId: string, field: Json): Json {
  const place = { channelId: sandbox.slack.channel('#ops').id };
  return {
    type: 'view_submission',
    view: {
      id: 'V0FORGED01',
      type: 'modal',
      callback_id: routeId,
      private_metadata: JSON.stringify({ value: BY_ID, place }),
      state: { values: { [FIELD.blockId]: { [FIELD.actionId]: field } } },
    },
  };
}

/** Sends a payload as Slack would, in the name of @ana. */
async function send({ slack }: Sandbox, payload: Json): Promise<string> {
  const { id } = slack.person(WHO);
  const from = { team: { id: TEAM.id }, user: { id, team_id: TEAM.id } };
  const body = new URLSearchParams({ payload: JSON.stringify({ ...from, ...payload }) }).toString();
  return (await slack.send({ body })).body;
}

/** Every way by what stood to be used before the role was lost. */
export function waysOfOffers(offers: readonly Offer[]): readonly Way[] {
  return offers.flatMap((offer) => {
    const name = `${offer.own ? 'their' : "somebody else's"} ${offer.kind} of ${offer.routeId} ${offer.value}`;
    const { own } = offer;
    if (!own || 'edits' in own || own.isHome)
      return [{ name, play: async ({ sandbox }) => use(sandbox, offer) } satisfies Way];
    return (['filled in', 'filled with picks'] as const).map((how): Way => ({
      name: `${name}, ${how}`,
      play: async ({ sandbox }) => fill(sandbox, own, how),
    }));
  });
}

async function use(sandbox: Sandbox, { kind, own, spot, value, version }: Offer): Promise<string> {
  const person = sandbox.slack.person(WHO);
  const onMessage = own && 'edits' in own ? own : undefined;
  const action = { action_id: spot.actionId, block_id: spot.blockId };
  switch (kind) {
    case 'button':
    case 'line': {
      if (onMessage) return (await person.presses(onMessage, spot, { version })).body;
      const line = { text: { type: 'plain_text', text: 'Line' }, value };
      const meant = kind === 'line' ? { type: 'overflow', selected_option: line } : { type: 'button', value };
      const press = pressed(sandbox, { ...meant, ...action });
      // Their Home shows something else by now.
      const home = { type: 'home', private_metadata: person.dm.id };
      return send(sandbox, own ? { ...press, channel: undefined, container: undefined, view: home } : press);
    }
    case 'picker':
    case 'several': {
      const { options } = onMessage ? await person.searches(onMessage, spot, 'prod') : { options: [] };
      const pick =
        kind === 'picker'
          ? { type: 'external_select', selected_option: PICKED }
          : { type: 'multi_external_select', selected_options: [PICKED] };
      return JSON.stringify(options) + (await send(sandbox, pressed(sandbox, { ...pick, ...action })));
    }
    case 'form':
      return '';
  }
}

/** What is filled into a modal that stands open from before. */
async function fill(
  sandbox: Sandbox,
  { content, id, hash }: View,
  how: 'filled in' | 'filled with picks',
): Promise<string> {
  const field = how === 'filled in' ? { type: 'plain_text_input', value: BY_NAME } : SEVERAL;
  const view = { ...content, id, hash, state: { values: { [FIELD.blockId]: { [FIELD.actionId]: field } } } };
  return send(sandbox, { type: 'view_submission', view });
}

/** What people say who are used to being understood, in none of the words of a verb. */
const SAID = [
  'please restart prod-2',
  'restrat prod-2',
  'can you delete 201?',
  'is prod up',
  'stop all',
  'prod-2',
];

/** What is said, asked for below each message that everybody sees, and opened. */
export function waysOfTheRest({ sandbox }: Stage): readonly Way[] {
  const person = sandbox.slack.person(WHO);
  const way = (name: string, play: () => Promise<Interaction>): Way => ({
    name,
    play: async () => (await play()).body,
  });
  return [
    ...SAID.flatMap((line) => [
      way(`mention: ${line}`, async () => person.mentions('#ops', line)),
      way(`line: ${line}`, async () => person.types('dm', line)),
    ]),
    ...botMessages(sandbox).flatMap((message) => [
      way(`shortcut on ${message.ts}`, async () => person.usesShortcut('instances.act', message)),
      ...['show', 'restart', 'history'].map((verb) =>
        way(`${verb} this below ${message.ts}`, async () =>
          person.mentions('#ops', `${verb} this`, { thread: message.ts }),
        ),
      ),
    ]),
    way('shortcut from anywhere', async () => person.usesShortcut('instances.find')),
    way('Home', async () => person.opensHome()),
    way('Messages', async () => person.opensHome('messages')),
  ];
}
