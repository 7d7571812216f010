import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createBareFeatures } from '../src/app/features.ts';
import { RESTART_STEP, stepEvent } from '../src/core/workflow-steps/step.ts';
import { SCOPES } from '../src/features/doctor/judge-slack.ts';
import { botMessages, play } from './support/sandbox.ts';

const url = z.url({ protocol: /^https$/ });

const parameters = z.record(
  z.string(),
  z.strictObject({
    type: z.enum(['string', 'slack#/types/user_id', 'slack#/types/channel_id']),
    title: z.string().min(1),
    description: z.string().min(1),
    is_required: z.boolean(),
    name: z.string(),
  }),
);

// Sizes as in @slack/web-api's own manifest types. Strict: Slack knows no other keys here.
const manifestSchema = z.strictObject({
  _metadata: z.strictObject({ major_version: z.literal([1, 2]) }),
  display_information: z.strictObject({
    name: z.string().min(1).max(35),
    description: z.string().min(1).max(140),
    long_description: z.string().min(174).max(4_000),
    background_color: z.string().regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i),
  }),
  features: z.strictObject({
    bot_user: z.strictObject({
      display_name: z
        .string()
        .max(80)
        .regex(/^[a-z0-9._-]+$/),
      always_online: z.literal(true),
    }),
    app_home: z.strictObject({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    agent_view: z.strictObject({ agent_description: z.string().min(1).max(300) }),
    slash_commands: z
      .array(
        z.strictObject({
          command: z
            .string()
            .max(32)
            .regex(/^\/[a-z0-9_-]+$/),
          url,
          description: z.string().min(1).max(2_000),
          usage_hint: z.string().min(1).max(1_000),
          should_escape: z.boolean(),
        }),
      )
      .min(1)
      .max(50),
    shortcuts: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(24),
          type: z.enum(['message', 'global']),
          callback_id: z.string().min(1).max(255),
          description: z.string().min(1).max(150),
        }),
      )
      .min(1)
      .max(10),
  }),
  functions: z.record(
    z.string().regex(/^[a-z_]{1,100}$/),
    z.strictObject({
      title: z.string().min(1).max(50),
      description: z.string().min(1).max(150),
      input_parameters: parameters,
      output_parameters: parameters,
    }),
  ),
  oauth_config: z.strictObject({
    scopes: z.strictObject({ bot: z.array(z.string()).min(1).max(255), bot_optional: z.array(z.string()) }),
  }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({
      request_url: url,
      bot_events: z.array(z.string()).min(1).max(100),
    }),
    interactivity: z.strictObject({
      is_enabled: z.boolean(),
      request_url: url,
      message_menu_options_url: url,
    }),
    org_deploy_enabled: z.literal(true),
    function_runtime: z.literal('remote'),
    socket_mode_enabled: z.literal(false),
    token_rotation_enabled: z.literal(false),
  }),
});

const text = readFileSync('manifest.yml', 'utf8');
const manifest = manifestSchema.parse(parse(text));
const { slash_commands: commands } = manifest.features;
const { bot: required, bot_optional: optional } = manifest.oauth_config.scopes;
const scopes = [...required, ...optional];
const events = manifest.settings.event_subscriptions.bot_events;

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => readFileSync(join('src', path), 'utf8'));

/** Every feature. Their routes are only read here, never called. */
const features = createBareFeatures();
const byNoun = features.map((feature) => [feature.noun, feature] as const);

/** The bot scopes that each Web API method asks for, as on its page of Slack's documentation. */
const METHOD_SCOPES: Readonly<Record<string, readonly string[]>> = {
  'assistant.threads.setSuggestedPrompts': ['assistant:write'],
  'auth.revoke': [],
  'auth.teams.list': [],
  'auth.test': [],
  'blocks.validate': [],
  'chat.delete': ['chat:write'],
  'chat.deleteScheduledMessage': ['chat:write'],
  'chat.scheduleMessage': ['chat:write'],
  // It needs none.
  'chat.scheduledMessages.list': [],
  'chat.postMessage': ['chat:write', 'chat:write.public'],
  'chat.postEphemeral': ['chat:write'],
  'chat.update': ['chat:write'],
  'conversations.history': ['channels:history', 'groups:history', 'im:history', 'mpim:history'],
  'conversations.info': ['channels:read', 'groups:read'],
  'conversations.open': ['im:write'],
  'conversations.replies': ['channels:history', 'groups:history', 'im:history', 'mpim:history'],
  'files.completeUploadExternal': ['files:write'],
  'files.getUploadURLExternal': ['files:write'],
  'functions.completeError': [],
  'functions.completeSuccess': [],
  'oauth.v2.access': [],
  'dnd.teamInfo': ['dnd:read'],
  'usergroups.users.list': ['usergroups:read'],
  'users.info': ['users:read', 'users:read.email'],
  'users.list': ['users:read', 'users:read.email'],
  'views.open': [],
  'views.publish': [],
};

/** The bot scope that each subscription asks for, as on its page of Slack's documentation. */
const EVENT_SCOPES: Readonly<Record<string, readonly string[]>> = {
  app_home_opened: [],
  app_mention: ['app_mentions:read'],
  app_uninstalled: [],
  function_executed: [],
  'message.im': ['im:history'],
  team_access_granted: [],
  team_access_revoked: [],
  tokens_revoked: [],
};

/** Every different first group of the pattern in src/. */
function found(pattern: RegExp): string[] {
  return [
    ...new Set(sources.flatMap((source) => [...source.matchAll(pattern)].map((match) => match[1] ?? ''))),
  ];
}

const methods = found(/\bweb\.([A-Za-z]+(?:\.[A-Za-z0-9]+)*)\(/g);
const listened = found(/(?:\bapp\.event\(\s*|\bevent\.type === )'([^']+)'/g).flatMap((type) =>
  // Messages are subscribed to by the kind of place they are in.
  type === 'message' ? found(/\bevent\.channel_type === '([^']+)'/g).map((one) => `message.${one}`) : type,
);

describe('the slash commands', () => {
  test('are exactly the nouns of the bot', () => {
    expect(commands.map(({ command }) => command).toSorted()).toEqual(
      features.map(({ noun }) => `/${noun}`).toSorted(),
    );
  });

  test.each(byNoun)(
    '%s hints at every word that can be typed after it, and at no other',
    (_noun, feature) => {
      const hint = commands.find(({ command }) => command === `/${feature.noun}`)?.usage_hint ?? '';
      const hinted = hint.split(' | ').map((part) => part.split(' ', 1).join());
      const verbs = feature.routes.filter((route) => route.usage !== undefined).map((route) => route.verb);
      expect(hinted.toSorted()).toEqual(verbs.toSorted());
    },
  );

  test.each(byNoun)('%s is described in the words that help uses', (_noun, feature) => {
    const described = commands.find(({ command }) => command === `/${feature.noun}`)?.description;
    expect(described?.toLowerCase()).toBe(feature.summary);
  });

  test('bring people and channels as ids, which is what the bot decides by', () => {
    expect(commands.filter((command) => !command.should_escape)).toEqual([]);
  });
});

test('the shortcuts are exactly the routes that are one, in the same words', () => {
  const declared = features.flatMap(({ routes }) =>
    routes.flatMap(({ id, shortcut }) =>
      shortcut
        ? [{ name: shortcut.name, type: shortcut.on, callback_id: id, description: shortcut.description }]
        : [],
    ),
  );
  expect(manifest.features.shortcuts).toEqual(declared);
  expect(sources.some((source) => source.includes('listeners.shortcut('))).toBe(true);
});

describe('the scopes', () => {
  test('are what the methods, the commands and the events need, and no more', () => {
    const needed = new Set([
      'commands',
      ...methods.flatMap((method) => METHOD_SCOPES[method] ?? []),
      ...events.flatMap((event) => EVENT_SCOPES[event] ?? []),
    ]);
    expect(scopes.toSorted()).toEqual([...needed].toSorted());
  });

  test('are known for exactly the methods that the bot calls and the events it hears of', () => {
    expect(methods.toSorted()).toEqual(Object.keys(METHOD_SCOPES).toSorted());
    expect(events.toSorted()).toEqual(Object.keys(EVENT_SCOPES).toSorted());
  });

  test('can be read from the code, because no listener uses the client that Bolt offers', () => {
    // The one client overrides `apiCall` to see every answer, and hands each call on.
    expect(found(/(?<!override async |super\.)\b(apiCall|filesUpload\w*|chatStream)\(/g)).toEqual([]);
    expect(found(/\(\{[^}]*\b(client)\b[^}]*\}\) =>/g)).toEqual([]);
  });

  test('are those that the doctor holds the token against', () => {
    expect(SCOPES.map(({ name }) => name)).toEqual(scopes);
    expect(SCOPES.flatMap(({ name, isOptional }) => (isOptional ? [name] : []))).toEqual(optional);
  });

  test('stand under a comment that says what they are for', () => {
    for (const [name, those] of [
      ['bot', required],
      ['bot_optional', optional],
    ] as const) {
      const block = new RegExp(`^ {4}${name}:\n((?: {6}.*\n)+)`, 'm').exec(text)?.[1] ?? '';
      expect(block.split('\n')[0]).toMatch(/^ {6}# /);
      expect(block.match(/^ {6}- /gm)).toHaveLength(those.length);
    }
    expect(new Set(scopes).size).toBe(scopes.length);
  });
});

describe('the steps of workflows', () => {
  test('are those that the bot answers, with the inputs that it reads', () => {
    expect(Object.keys(manifest.functions)).toEqual([RESTART_STEP]);
    const { inputs } = stepEvent.shape.event.shape;
    const { input_parameters: given } = manifest.functions[RESTART_STEP] ?? {};
    expect(Object.keys(given ?? {})).toEqual(Object.keys(inputs.shape));
    for (const [name, { is_required: isRequired, name: again }] of Object.entries(given ?? {}))
      expect([again, isRequired]).toEqual([name, name !== 'reason']);
  });
});

describe('the settings', () => {
  test('subscribe to every event that is listened to, and to no other', () => {
    expect(events.toSorted()).toEqual(listened.toSorted());
  });

  test('let buttons and pickers in, which the bot has listeners for', () => {
    expect(
      sources.some((source) => source.includes('listeners.press(') && source.includes('listeners.typing(')),
    ).toBe(true);
    expect(manifest.settings.interactivity.is_enabled).toBe(true);
  });

  test('send everything to the one path that the bot serves', () => {
    // Where agents ask is in the manifest only of who wants them.
    const served = found(/'POST (\/[^']*)'/g).filter((path) => path !== '/mcp');
    const { event_subscriptions: subscribed, interactivity } = manifest.settings;
    const urls = [
      ...commands.map((command) => command.url),
      subscribed.request_url,
      interactivity.request_url,
      interactivity.message_menu_options_url,
    ];
    expect(new Set(urls).size).toBe(1);
    expect(served).toEqual([new URL(urls[0] ?? '').pathname]);
  });

  test('let the bot write to people, and let people write to it only where it listens', () => {
    const { app_home: home } = manifest.features;
    expect(home.messages_tab_enabled).toBe(true);
    expect(home.messages_tab_read_only_enabled).toBe(!events.includes('message.im'));
    expect(home.home_tab_enabled).toBe(events.includes('app_home_opened'));
  });
});

describe('in a Slack that grants exactly the manifest', () => {
  const granted = {
    scopes,
    events,
    commands: commands.map(({ command }) => command),
    escapesCommands: commands.every((command) => command.should_escape),
  };

  test('a command and a mention run to their ends without a refusal', async () => {
    const sandbox = await play({ slack: granted });
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances restart web-1');
    await ana.mentions('#ops', 'restart web-2');
    await sandbox.slack.until(() => botMessages(sandbox).length > 0);
    await sandbox.settled();
    expect(botMessages(sandbox).length).toBeGreaterThanOrEqual(4);
  });

  test('which grants none of the optional scopes, people are answered, here and in direct messages', async () => {
    // What only these scopes allow is refused, and nobody is disturbed by that.
    const sandbox = await play({ slack: { ...granted, scopes: required }, isRefused: true });
    const { slack } = sandbox;
    const ana = slack.person('ana');
    await ana.types('#ops', '/instances restart web-1');
    await slack.until(() => botMessages(sandbox).some((one) => slack.read(one).includes('Restarted web-1')));
    await ana.types('dm', 'restart web-2');
    await slack.until(() => ana.dms.some((one) => slack.read(one).includes('Restarted web-2')));
    await sandbox.settled();
    for (const { error, method } of slack.refusals)
      expect([method, error]).toEqual([method, 'missing_scope']);
  });

  test('a card goes to a public channel that nobody invited the bot to', async () => {
    const sandbox = await play({ slack: granted });
    await sandbox.slack.person('ana').types('#random', '/instances restart web-1');
    await sandbox.slack.until(() => botMessages(sandbox, '#random').length > 0);
    await sandbox.settled();
  });

  test.each(['#ops', '#vault'])('a post to %s whose answer was lost is found again', async (channel) => {
    const sandbox = await play({ slack: granted });
    sandbox.slack.loseAnswerOfNext('chat.postMessage');
    await sandbox.slack.person('ana').types(channel, '/instances restart web-1');
    await sandbox.slack.until(() =>
      sandbox.slack.calls.some((call) => call.method === 'conversations.history'),
    );
    await sandbox.settled();
    const cards = botMessages(sandbox, channel).filter((message) => message.thread_ts === undefined);
    expect(cards).toHaveLength(1);
  });

  test('a card for a channel that is closed to the bot goes to the asker', async () => {
    const sandbox = await play({ slack: granted, isRefused: true });
    const bob = sandbox.slack.person('bob');
    await bob.types('#secret', '/instances restart web-1');
    await sandbox.slack.until(() => bob.dms.length > 0);
    await sandbox.settled();
    expect(sandbox.slack.refusals.map((call) => call.error)).toEqual(['channel_not_found']);
  });
});
