import type { ModalView } from '@slack/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BareBot, startBareBot } from '../../sandbox/slack/bare-bot.ts';
import type { Person } from '../../sandbox/slack/index.ts';

let now = 0;
let bot: BareBot;
let ana: Person;
beforeEach(async () => {
  now = 1_700_000_000_000;
  bot = await startBareBot('http', { clock: () => now });
  ana = bot.slack.person('ana');
  bot.app.command('/ask', async ({ ack }) => ack());
});
afterEach(() => bot.stop());

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const button = (action_id: string, label: string, value = action_id) => ({
  type: 'button' as const,
  action_id,
  value,
  text: plain(label),
});
const actions = (...elements: ReturnType<typeof button>[]) => [{ type: 'actions' as const, elements }];
const refused = (error: string) => ({ data: { ok: false, error } });
const ops = () => bot.slack.channel('#ops');

describe('a response_url', () => {
  let url = '';
  beforeEach(async () => {
    url = (await ana.types('#ops', '/ask')).responseUrl ?? '';
  });
  async function respond(body: Record<string, unknown>): Promise<[number, string | undefined]> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return [response.status, ((await response.json()) as { error?: string }).error];
  }

  test('has five uses, then used_url', async () => {
    for (let use = 0; use < 5; use += 1) expect(await respond({ text: 'again' })).toEqual([200, undefined]);
    expect(await respond({ text: 'again' })).toEqual([404, 'used_url']);
  });

  test('has thirty minutes, then expired_url', async () => {
    now += 30 * 60_000;
    expect(await respond({ text: 'just' })).toEqual([200, undefined]);
    now += 1;
    expect(await respond({ text: 'late' })).toEqual([404, 'expired_url']);
  });

  test('takes no invalid blocks, which shows among the refusals', async () => {
    expect(await respond({ text: 'x', blocks: [{ type: 'nonsense' }] })).toEqual([404, 'invalid_blocks']);
    expect(await respond({})).toEqual([404, 'no_text']);
    expect(bot.slack.refusals.map(({ method, error }) => [method, error])).toEqual([
      ['response_url', 'invalid_blocks'],
      ['response_url', 'no_text'],
    ]);
  });

  test('of a command has no original to replace or delete', async () => {
    await respond({ text: 'one' });
    await respond({ text: 'two', replace_original: true });
    expect(await respond({ delete_original: true })).toEqual([404, 'message_not_found']);
    const said = ops().ephemeralFor('ana');
    expect(said.map(({ text }) => text)).toEqual(['one', 'two']);
  });
});

test('a trigger is good for three seconds, for one view', async () => {
  const words = { type: 'section' as const, text: plain('Nothing to fill in') };
  const view = { type: 'modal' as const, title: plain('Hello'), blocks: [words] };
  const open = (trigger_id = '') => bot.app.client.views.open({ trigger_id, view });
  const { triggerId } = await ana.types('#ops', '/ask');
  await open(triggerId);
  await expect(open(triggerId)).rejects.toMatchObject(refused('exchanged_trigger_id'));
  await expect(open('1.2.3')).rejects.toMatchObject(refused('invalid_trigger_id'));
  const late = await ana.types('#ops', '/ask');
  now += 3001;
  await expect(open(late.triggerId)).rejects.toMatchObject(refused('expired_trigger_id'));
});

test.each(['http', 'socket'] as const)(
  'a bot that does not answer in time over %s costs the person an operation_timeout',
  async (transport) => {
    const slow = await startBareBot(transport, { deadlineMs: 60 });
    slow.app.command('/slow', async () => {});
    const interaction = await slow.slack.person('ana').types('#ops', '/slow');
    await slow.stop();
    expect(interaction).toMatchObject({ status: 0, error: 'operation_timeout' });
    expect(interaction.ephemeral.map((message) => message.text)).toEqual([
      '/slow failed with the error "operation_timeout"',
    ]);
  },
);

test('an ephemeral message can be pressed by its person only', async () => {
  bot.app.command('/sure', async ({ ack }) => ack({ text: 'sure?', blocks: actions(button('yes', 'Yes')) }));
  bot.app.action('yes', async ({ ack }) => ack());
  const [asked] = (await ana.types('#ops', '/sure')).ephemeral;
  await expect(bot.slack.person('bob').presses(asked!, 'Yes')).rejects.toThrow('not shown to bob');
  await expect(ana.presses(asked!, 'No')).rejects.toThrow('no "No" here; there is: Yes');
  expect((await ana.presses(asked!, 'Yes')).status).toBe(200);
});

test('a button is pressed as it stood on an old screen', async () => {
  const values: unknown[] = [];
  bot.app.action('go', async ({ ack, action }) => {
    values.push('value' in action ? action.value : undefined);
    await ack();
  });
  const channel = ops().id;
  const blocks = (value: string) => actions(button('go', 'Go', value));
  const { ts = '' } = await bot.app.client.chat.postMessage({ channel, text: 'x', blocks: blocks('old') });
  await bot.app.client.chat.update({ channel, ts, text: 'x', blocks: blocks('new') });
  await ana.presses(ops().last, 'Go', { version: 0 });
  await ana.presses(ops().last, 'Go');
  expect(values).toEqual(['old', 'new']);
});

describe('a modal', () => {
  const input = (element: Record<string, unknown> = {}) => ({
    type: 'input' as const,
    block_id: 'name',
    label: plain('Name'),
    element: { type: 'plain_text_input' as const, action_id: 'text', ...element },
  });
  async function open(...blocks: ModalView['blocks']): Promise<void> {
    const { triggerId = '' } = await ana.types('#ops', '/ask');
    await bot.app.client.views.open({
      trigger_id: triggerId,
      view: { type: 'modal', callback_id: 'form', title: plain('first'), submit: plain('Go'), blocks },
    });
  }

  test('shows an error under its input, beside what was typed', async () => {
    const errors = { name: 'That is <not> its name' };
    bot.app.view('form', async ({ ack }) => ack({ response_action: 'errors', errors }));
    await open(input());
    await ana.submits(ana.view, { name: 'web-2' });
    expect(bot.slack.readView(ana.view)).toBe(
      ['== first ==', 'Name: [ web-2____ ]', '  ! That is <not> its name', '[ Go ]'].join('\n'),
    );
  });

  test.each([
    ['a section', { about: 'wrong' }],
    ['what is not there', { nowhere: 'wrong' }],
    ['nothing', {}],
    ['an input, without a word', { name: '' }],
    ['an input and a section', { name: 'wrong', about: 'wrong' }],
  ])('shows no error under %s, which Slack refuses', async (_, errors) => {
    bot.app.view('form', async ({ ack }) => ack({ response_action: 'errors', errors }));
    await open({ type: 'section', block_id: 'about', text: plain('About it') }, input());
    const interaction = await ana.submits(ana.view, { name: 'web-2' });
    expect(interaction.errors).toEqual({ '': 'invalid_response_errors' });
    expect(bot.slack.refusals.map(({ method }) => method)).toEqual(['view answer']);
    expect(bot.slack.readView(ana.view)).not.toContain('!');
  });

  test('is not submitted empty, nor with a text that is shorter or longer than its input takes', async () => {
    bot.app.view('form', async ({ ack }) => ack());
    await open(input({ min_length: 2, max_length: 4 }));
    await expect(ana.submits(ana.view, {})).rejects.toThrow('name is empty');
    for (const name of ['a', 'abcde']) {
      await expect(ana.submits(ana.view, { name })).rejects.toThrow('name takes 2 to 4 characters');
    }
    expect((await ana.submits(ana.view, { name: 'abcd' })).status).toBe(200);
  });
});

test('a select with type-ahead offers from its shortest query on, and only what it offers can be chosen', async () => {
  bot.app.options('pick', async ({ ack }) => ack({ options: [{ text: plain('web-1'), value: 'id-1' }] }));
  bot.app.action('pick', async ({ ack }) => ack());
  const element = { type: 'external_select' as const, action_id: 'pick', min_query_length: 2 };
  const blocks = [{ type: 'actions' as const, elements: [element] }];
  await bot.app.client.chat.postMessage({ channel: ops().id, text: 'pick one', blocks });
  await expect(ana.searches(ops().last, 'pick', 'w')).rejects.toThrow('from 2 letters on');
  await ana.searches(ops().last, 'pick', 'we');
  await expect(ana.chooses(ops().last, 'pick', 'web-2')).rejects.toThrow('not offered; there is: web-1');
});

test('until() rejects with a picture of the workspace', async () => {
  await ana.types('#ops', 'hello @bob, see #random');
  await expect(bot.slack.until(() => false, { timeoutMs: 10 })).rejects.toThrow('hello @bob, see #random');
});
