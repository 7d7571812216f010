import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFrame } from '../../src/platform/slack/socket-connection.ts';
import { PURE_RUNS } from '../support/runs.ts';

const envelope = { type: 'slash_commands', envelope_id: 'e1', payload: { command: '/x' } };

describe('a frame of Slack is', () => {
  test.each([
    ['ready to send', { type: 'hello', num_connections: 1 }, { kind: 'hello' }],
    ['about to close', { type: 'disconnect', reason: 'warning' }, { kind: 'disconnect' }],
    [
      'a request',
      envelope,
      { kind: 'envelope', envelope: { id: 'e1', body: { command: '/x' }, retryNum: undefined } },
    ],
    [
      'a request of a type that is new',
      { ...envelope, type: 'new_kind', retry_attempt: 2 },
      { kind: 'envelope', envelope: { id: 'e1', body: { command: '/x' }, retryNum: 2 } },
    ],
  ])('%s', (_name, frame, meant) => expect(readFrame(JSON.stringify(frame))).toEqual(meant));

  test.each(['null', '7', '"hello"', '[]', '{}', '', '{"type":"hello"', '{"type":"events_api"}'])(
    'nothing: %s',
    (text) => expect(readFrame(text)).toBeUndefined(),
  );

  test.each([
    { ...envelope, payload: null },
    { ...envelope, payload: 'x' },
    { ...envelope, envelope_id: '' },
    { ...envelope, envelope_id: 7 },
    { ...envelope, type: undefined },
  ])('nothing: %j', (frame) => expect(readFrame(JSON.stringify(frame))).toBeUndefined());

  test('whatever was sent, never an error', () => {
    const part = fc.constantFrom('type', 'envelope_id', 'payload', 'retry_attempt');
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.tuple(part, fc.jsonValue()).map(([name, value]) => JSON.stringify({ ...envelope, [name]: value })),
    );
    fc.assert(
      fc.property(text, (sent) => {
        const frame = readFrame(sent);
        return frame?.kind !== 'envelope' || frame.envelope.id !== '';
      }),
      { numRuns: PURE_RUNS },
    );
  });
});
