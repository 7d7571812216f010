import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TEAM } from '../../sandbox/people.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { answerTo, play, powerCalls, privateTexts, urlOf } from '../support/sandbox.ts';
import { runs } from '../support/runs.ts';

type Payload = Record<string, unknown>;

/** Signs and sends a payload as Slack does. Gives the status that it is answered with. */
async function deliver({ slack }: Sandbox, payload: Payload): Promise<number> {
  const isEvent = payload['type'] === 'event_callback';
  const body = isEvent
    ? JSON.stringify(payload)
    : new URLSearchParams(
        payload['command'] === undefined
          ? { payload: JSON.stringify(payload) }
          : Object.entries(payload).map(([name, value]): [string, string] => [name, String(value)]),
      ).toString();
  return (await slack.send({ body, ...(isEvent && { contentType: 'application/json' }) })).status;
}

let count = 0;
const now = (): string => (Date.now() / 1_000 + ++count / 1e6).toFixed(6);

/** One of each kind, as Slack sends it, about a read or about nothing. */
function payloads({ slack }: Sandbox): Record<string, Payload> {
  const channel = { id: slack.channel('#ops').id, name: 'ops' };
  const user = { id: slack.person('ana').id, username: 'ana', name: 'ana', team_id: TEAM.id };
  const team = { id: TEAM.id, domain: TEAM.domain };
  const ids = { team_id: team.id, enterprise_id: null, context_team_id: team.id, api_app_id: 'A1' };
  const acting = { user, team, enterprise: null, is_enterprise_install: false, trigger_id: `1.2.${now()}` };
  const modal = { type: 'modal', id: 'V1', hash: '1.x', private_metadata: '{}', state: { values: {} } };
  const event = (one: Payload): Payload => ({
    ...ids,
    type: 'event_callback',
    event_id: `Ev${++count}`,
    event_time: Math.floor(Date.now() / 1_000),
    authorizations: [{ enterprise_id: null, team_id: team.id, user_id: 'U0BOT', is_bot: true }],
    event: { user: user.id, team: team.id, channel: channel.id, event_ts: now(), ...one },
  });
  return {
    command: {
      ...ids,
      command: '/instances',
      text: 'show web-1',
      user_id: user.id,
      channel_id: channel.id,
      trigger_id: `1.2.${now()}`,
      is_enterprise_install: 'false',
    },
    mention: event({
      type: 'app_mention',
      text: '<@U0BOT> show web-1',
      ts: now(),
      thread_ts: now(),
      blocks: [],
    }),
    home: event({ type: 'app_home_opened', tab: 'home', view: null }),
    uninstalled: event({ type: 'app_uninstalled' }),
    revoked: event({ type: 'tokens_revoked', tokens: { oauth: [], bot: ['U0BOT'] } }),
    press: {
      ...acting,
      type: 'block_actions',
      channel,
      container: { type: 'message', message_ts: now(), channel_id: channel.id, is_ephemeral: false },
      message: { ts: now(), thread_ts: now(), blocks: [] },
      state: { values: {} },
      actions: [
        {
          type: 'button',
          action_id: 'instances.list',
          block_id: 'b',
          value: 'x',
          action_ts: now(),
          selected_option: null,
        },
      ],
    },
    'press in a modal': {
      ...acting,
      type: 'block_actions',
      view: modal,
      container: { type: 'view', view_id: 'V1' },
      actions: [{ type: 'multi_external_select', action_id: 'billing.buy-time', action_ts: now() }],
    },
    submission: {
      ...acting,
      type: 'view_submission',
      view: { ...modal, callback_id: 'instances.delete', app_installed_team_id: team.id },
    },
    typing: { ...acting, type: 'block_suggestion', channel, action_id: 'instances.show', value: 'web' },
    shortcut: {
      ...acting,
      type: 'message_action',
      callback_id: 'instances.act',
      channel,
      message: { ts: now(), thread_ts: now(), text: 'web-1 is down', attachments: null },
    },
    'shortcut from anywhere': { ...acting, type: 'shortcut', callback_id: 'instances.find' },
  };
}

/** Every place in a payload, as a path. */
function placesIn(part: unknown, path: readonly string[] = []): (readonly string[])[] {
  const below =
    part !== null && typeof part === 'object'
      ? Object.entries(part).flatMap(([name, value]) => placesIn(value, [...path, name]))
      : [];
  return path.length === 0 ? below : [path, ...below];
}

/** The payload with something else at a place; without anything where `value` is undefined. */
function withAt(part: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  if (part === null || typeof part !== 'object') return part;
  const next = (old: unknown): unknown => (rest.length === 0 ? value : withAt(old, rest, value));
  if (Array.isArray(part))
    return part.map((one: unknown, index) => (String(index) === name ? next(one) : one));
  return Object.fromEntries(Object.entries(part).map(([key, old]) => [key, key === name ? next(old) : old]));
}

function nested(levels: number): unknown {
  let part: unknown = 'deep';
  for (let level = 0; level < levels; level++) part = level % 2 === 0 ? [part] : { part };
  return part;
}

/** What stands where something else is expected. */
const ODD: readonly unknown[] = [
  null,
  undefined,
  '',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  0,
  -1.5,
  true,
  [],
  [null],
  ['x'],
  {},
  { id: null },
  { id: 'constructor' },
  nested(3_000),
  'x'.repeat(5_000),
];

describe('a request of Slack in which', () => {
  it('one field is missing, null or something else is taken or refused, and never a fault of the bot', async () => {
    const sandbox = await play({ isRefused: true });
    const rejections: unknown[] = [];
    const note = (error: unknown): void => void rejections.push(error);
    process.on('unhandledRejection', note);
    const kinds = Object.keys(payloads(sandbox));
    const statuses = new Set<number>();
    const expectSound = async (kind: string, path: readonly string[], value: unknown): Promise<void> => {
      const odd = withAt(payloads(sandbox)[kind], path, value) as Payload; // an object, changed inside
      const status = await deliver(sandbox, odd);
      statuses.add(status);
      expect([kind, path.join('.'), value, status < 500]).toEqual([kind, path.join('.'), value, true]);
    };
    // What is looked up by a team, a channel or a person, by each of those names once.
    for (const kind of kinds)
      for (const path of placesIn(payloads(sandbox)[kind]))
        for (const value of /(^|_)id$|^channel|^user|^team|^enterprise/.test(path.at(-1) ?? '')
          ? [null, 'constructor', { id: null }]
          : [null])
          await expectSound(kind, path, value);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...kinds),
        fc.nat(),
        fc.constantFrom(...ODD),
        async (kind, which, value) => {
          const places = placesIn(payloads(sandbox)[kind]);
          await expectSound(kind, places[which % places.length] ?? [], value);
        },
      ),
      { numRuns: runs(1_500) },
    );
    await sandbox.settled();
    process.off('unhandledRejection', note);
    expect(rejections).toEqual([]);
    expect(statuses.has(200)).toBe(true);
    expect(powerCalls(sandbox)).toBe(0);
    expect((await fetch(urlOf(sandbox, '/readyz'))).status).toBe(200);
  });

  it('what only makes an answer better can’t be read is answered all the same', async () => {
    const sandbox = await play({ isRefused: true });
    const { mention, press } = payloads(sandbox);
    for (const [payload, path, value] of [
      [mention, ['event', 'thread_ts'], null],
      [press, ['message', 'thread_ts'], 7],
      [press, ['trigger_id'], null],
    ] as const)
      expect(await deliver(sandbox, withAt(payload, path, value) as Payload)).toBe(200); // as above
    await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length >= 2);
  });
});

describe('a person of whom Slack', () => {
  it.each([
    ['no time zone, as null', { tz: null }],
    ['a time zone that is a number', { tz: 7 }],
    ['no profile', { profile: null }],
    ['no team', { team_id: null }],
    ['no organization', { enterprise_user: null }],
  ])('tells %s is answered', async (_name, over) => {
    const sandbox = await play();
    const { id } = sandbox.slack.person('ana');
    // However often it is asked: a person of whom that is so is not asked about once.
    for (let times = 0; times < 12; times++)
      sandbox.slack.failNext('users.info', {
        body: { ok: true, user: { id, team_id: TEAM.id, profile: {}, ...over } },
      });
    expect(await answerTo(sandbox, 'ana', '/instances show web-1')).toMatch(/web-1 \(\d+\)/);
  });
});
