import { expect, test } from 'vitest';
import { checkBlocks } from '../../sandbox/slack/limits/content.ts';
import { render } from '../../src/platform/slack/render.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { whichInstance } from '../../src/core/instances/messages.ts';

const pickerTo = (verb: string): ReturnType<typeof render> =>
  render(whichInstance(verb, 'addons.add', say`Which one?`));

test.each(['stop', 'add backup to', 'see the add-ons of'])('a picker to %s says so', (verb) => {
  const { blocks } = pickerTo(verb);
  checkBlocks(blocks);
  expect(blocks.at(-2)).toMatchObject({
    elements: [{ placeholder: { text: `Pick an instance to ${verb}` } }],
  });
});

// Slack takes 150 characters there, so nobody hears of the answer at all.
test('a picker to add what was typed stays within Slack\u2019s limits, however much was typed', () => {
  checkBlocks(pickerTo(`add ${'x'.repeat(200)} to`).blocks);
});

test('a picker to add what was typed shows it on one line, without what is invisible and emoji codes', () => {
  const shown = JSON.stringify(pickerTo('add a\u202E\u0000b:fire: to').blocks.at(-2));
  expect(shown).toContain('Pick an instance to add a b:fire: to');
  expect(shown).toContain('"emoji":false');
});

test('a picker carries the words that it completes as the id of its block', () => {
  const message = whichInstance('add backup to', 'addons.add', say`Which one?`);
  const keeping = { ...message, picker: { routeId: 'addons.add', placeholder: 'Pick', keeps: 'kept-1' } };
  expect(render(keeping).blocks.at(-2)).toMatchObject({ type: 'actions', block_id: 'kept-1' });
  expect(render(message).blocks.at(-2)).not.toHaveProperty('block_id');
});
