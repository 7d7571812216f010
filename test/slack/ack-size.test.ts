import { expect, it } from 'vitest';
import { fittedTo, isWithin } from '../../src/platform/slack/incoming-request.ts';

const name = (at: number): string => `本番${at}`.repeat(20);
const options = Array.from({ length: 100 }, (_, at) => ({
  text: { type: 'plain_text', text: name(at), emoji: false },
  value: `i:${at}`,
}));
const label = { type: 'plain_text', text: name(7), emoji: false };

it.each([
  ['options', { options }],
  ['options under a heading', { option_groups: [{ label, options }] }],
])('of %s the first that fit are offered, and no one less', (_name, body) => {
  const shown = (maxBytes: number): number =>
    JSON.stringify(fittedTo(maxBytes, body)).split('"value"').length - 1;
  for (const maxBytes of [2_000, 9_000, 16_384]) {
    const fitted = fittedTo(maxBytes, body);
    expect(isWithin(maxBytes, fitted), String(maxBytes)).toBe(true);
    expect(isWithin(maxBytes - 300, fitted), String(maxBytes)).toBe(false);
    expect(JSON.stringify(fitted)).toContain('"i:0"');
  }
  expect(shown(2_000)).toBeLessThan(shown(16_384));
  expect(fittedTo(Infinity, body)).toBe(body);
});

it.each([
  ['a form with faults', { response_action: 'errors', errors: { field: '名'.repeat(3_000) } }],
  ['a view', { response_action: 'update', view: { type: 'modal', blocks: options } }],
])('%s that is too long is acknowledged empty, so that the connection stands', (_name, body) => {
  expect(fittedTo(8_000, body)).toEqual({});
  expect(fittedTo(64_000, body)).toBe(body);
});
