import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBody, shapeOf, withoutNulls } from '../../src/platform/slack/payload.ts';
import { runs } from '../support/runs.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const form = (fields: Record<string, string>): Buffer => Buffer.from(new URLSearchParams(fields).toString());
const shape = (raw: Buffer | string, type?: string) => shapeOf(parseBody(Buffer.from(raw), type));

const command = { command: '/instances', user_id: 'U1', channel_id: 'C1', text: 'list' };
const press = {
  type: 'block_actions',
  user: { id: 'U1' },
  team: null,
  channel: { id: 'C1' },
  actions: [{ action_id: 'a', type: 'button' }],
};
const shortcut = { type: 'shortcut', callback_id: 'x', user: { id: 'U1' }, team: { id: 'T1' } };
const event = { type: 'event_callback', event: { type: 'app_mention' } };

describe('what Slack sends is distinguished:', () => {
  test.each([
    ['a command', form(command), FORM, 'command'],
    ['a command whose type names a charset', form(command), `${FORM}; charset=UTF-8`, 'command'],
    ['a press', form({ payload: JSON.stringify(press) }), FORM, 'interaction'],
    [
      'an option load',
      form({
        payload: JSON.stringify({ ...press, type: 'block_suggestion', action_id: 'a', actions: undefined }),
      }),
      FORM,
      'interaction',
    ],
    ['an event', Buffer.from(JSON.stringify(event)), JSON_TYPE, 'event'],
    ['an event without a type of content', Buffer.from(JSON.stringify(event)), undefined, 'event'],
    [
      'a URL verification',
      Buffer.from('{"type":"url_verification","challenge":"x"}'),
      JSON_TYPE,
      'url_verification',
    ],
    ['an SSL check', form({ ssl_check: '1', token: 'x' }), FORM, 'ssl_check'],
    ['a shortcut', form({ payload: JSON.stringify(shortcut) }), FORM, 'interaction'],
    [
      'that events are held back',
      Buffer.from(
        '{"token":"x","type":"app_rate_limited","team_id":"T1","minute_rate_limited":1518467820,"api_app_id":"A1"}',
      ),
      JSON_TYPE,
      'app_rate_limited',
    ],
    ['something new of the app', Buffer.from('{"type":"app_moved","team_id":"T1"}'), JSON_TYPE, 'unhandled'],
    ['something new', form({ payload: JSON.stringify({ ...shortcut, type: 'gesture' }) }), FORM, 'unhandled'],
    [
      'an action on a message',
      form({
        payload: JSON.stringify({ ...shortcut, type: 'message_action', channel: { id: 'C1' } }),
      }),
      FORM,
      'interaction',
    ],
  ])('%s', (_name, raw, type, expected) => expect(shape(raw, type)).toBe(expected));
});

describe('what cannot be right is none of them:', () => {
  test.each([
    ['nothing', '', FORM],
    ['nothing as JSON', '', JSON_TYPE],
    ['null', 'null', JSON_TYPE],
    ['an array', '[]', JSON_TYPE],
    ['an array of presses', JSON.stringify([press]), JSON_TYPE],
    ['a number', '7', JSON_TYPE],
    ['a text', '"event_callback"', JSON_TYPE],
    ['truncated JSON', '{"type":"event_callb', JSON_TYPE],
    ['a payload that is null', 'payload=null', FORM],
    ['a payload that is an array', 'payload=%5B%5D', FORM],
    ['a payload that is no JSON', 'payload=x', FORM],
    ['an empty payload', 'payload=', FORM],
    ['an event that is null', '{"type":"event_callback","event":null}', JSON_TYPE],
    ['an event without a type', '{"type":"event_callback","event":{}}', JSON_TYPE],
    ['a press without a person', JSON.stringify({ ...press, user: null }), JSON_TYPE],
    ['a press of nothing', JSON.stringify({ ...press, actions: [] }), JSON_TYPE],
    ['a press of null', JSON.stringify({ ...press, actions: [null] }), JSON_TYPE],
    ['a press whose channel is a text', JSON.stringify({ ...press, channel: 'C1' }), JSON_TYPE],
    ['a shortcut without a person', JSON.stringify({ ...shortcut, user: null }), JSON_TYPE],
    ['a shortcut without a name', JSON.stringify({ ...shortcut, callback_id: 7 }), JSON_TYPE],
    ['a shortcut of no type', JSON.stringify({ ...shortcut, type: 'A shortcut' }), JSON_TYPE],
    ['a submission of nothing', JSON.stringify({ ...shortcut, type: 'view_submission' }), JSON_TYPE],
    ['a command without a person', form({ command: '/instances', channel_id: 'C1' }), FORM],
    ['a command whose person is an object', JSON.stringify({ ...command, user_id: {} }), JSON_TYPE],
    [
      'a challenge as long as a book',
      JSON.stringify({ type: 'url_verification', challenge: 'x'.repeat(501) }),
      JSON_TYPE,
    ],
  ])('%s', (_name, raw, type) => expect(shape(raw, type)).toBeUndefined());
});

describe('an SSL check', () => {
  test('with a command beside it is an SSL check and nothing more', () => {
    expect(shape(form({ ssl_check: '1', ...command }), FORM)).toBe('ssl_check');
    expect(shape(form({ ...command, ssl_check: '1' }), FORM)).toBe('ssl_check');
    expect(shape(JSON.stringify({ ssl_check: '1', ...event }), JSON_TYPE)).toBe('ssl_check');
    expect(shape(JSON.stringify({ ...press, ssl_check: '1' }), JSON_TYPE)).toBe('ssl_check');
  });

  test('with any other value is none', () => {
    for (const value of ['0', '', 'true', '1 ', '01'])
      expect(shape(form({ ssl_check: value }), FORM)).toBeUndefined();
  });
});

test('a prototype in a body is a field like any other and changes nothing else', () => {
  for (const raw of [
    '{"__proto__":{"type":"event_callback","event":{"type":"x"},"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
  ]) {
    expect(shape(raw, JSON_TYPE)).toBeUndefined();
  }
  expect(shape('__proto__=x&polluted=1', FORM)).toBeUndefined();
  expect({}).not.toHaveProperty('polluted');
});

test('no bytes of any kind make reading throw', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
    fc.json().map((text) => Buffer.from(text)),
    fc.dictionary(fc.string(), fc.string()).map(form),
    fc.json().map((text) => form({ payload: text })),
  );
  const type = fc.constantFrom(FORM, JSON_TYPE, undefined, '', ';', `${FORM.toUpperCase()} ;x`, 'text/plain');
  fc.assert(
    fc.property(bytes, type, (raw, contentType) => {
      const body = parseBody(raw, contentType);
      expect(body === undefined || (typeof body === 'object' && !Array.isArray(body))).toBe(true);
      shapeOf(body);
    }),
    { numRuns: runs(40_000) },
  );
});

test('nesting without an end is no body, or one that is none of them', () => {
  expect(shape('['.repeat(100_000), JSON_TYPE)).toBeUndefined();
  expect(shape(form({ payload: '{"a":'.repeat(20_000) }), FORM)).toBeUndefined();
  expect(shape(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, JSON_TYPE)).toBeUndefined();
});

test('a real payload with any one part replaced is refused or still well formed', () => {
  const parts = fc.constantFrom('type', 'user', 'team', 'channel', 'actions', 'view');
  fc.assert(
    fc.property(parts, fc.jsonValue(), (part, value) => {
      const body = withoutNulls({ ...press, [part]: value });
      if (shapeOf(body) !== 'interaction') return true;
      const { user, channel, team } = body as unknown as Record<string, { id: string } | null | undefined>;
      return (
        typeof user?.id === 'string' &&
        [channel, team].every((one) => one === null || one === undefined || typeof one === 'object')
      );
    }),
    { numRuns: runs(60_000) },
  );
});
