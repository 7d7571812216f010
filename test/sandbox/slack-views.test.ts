import type { ModalView } from '@slack/types';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TEAM } from '../../sandbox/people.ts';
import { type BareBot, startBareBot } from '../../sandbox/slack/bare-bot.ts';
import { BOT, type Person } from '../../sandbox/slack/index.ts';

let bot: BareBot;
let ana: Person;
beforeEach(async () => {
  bot = await startBareBot();
  ana = bot.slack.person('ana');
  bot.app.command('/ask', async ({ ack }) => ack());
});
afterEach(() => bot.stop());

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const modal = (title: string, more: Partial<ModalView> = {}): ModalView => ({
  type: 'modal',
  callback_id: 'form',
  title: plain(title),
  submit: plain('Go'),
  blocks: [
    {
      type: 'actions',
      block_id: 'more',
      elements: [{ type: 'button', action_id: 'deeper', text: plain('Deeper') }],
    },
  ],
  ...more,
});
const titles = () => ana.views.map((view) => (view.content['title'] as { text: string }).text);
async function open(view: ModalView): Promise<void> {
  const turn = await ana.types('#ops', '/ask');
  await bot.app.client.views.open({ trigger_id: turn.triggerId ?? '', view });
}

test('an answer that Slack would not take shows among the refusals', async () => {
  bot.app.view('form', async ({ ack }) => ack({ response_action: 'errors', errors: { nowhere: 'wrong' } }));
  await open(modal('first'));
  const turn = await ana.submits(ana.view);
  expect(turn.errors).toEqual({ '': 'invalid_response_errors' });
  expect(bot.slack.refusals.map(({ method }) => method)).toEqual(['view answer']);
});

const input = (label: string, element: Record<string, unknown> = {}) => ({
  type: 'input' as const,
  block_id: 'name',
  label: plain(label),
  element: { type: 'plain_text_input' as const, action_id: 'text', ...element },
});

test('an error stands under its input, beside what was typed, and what was typed stays', async () => {
  const answers = [
    { response_action: 'errors' as const, errors: { name: 'That is <not> its name' } },
    undefined,
  ];
  const seen: unknown[] = [];
  bot.app.view('form', async ({ ack, view }) => {
    seen.push(view.state.values['name']?.['text']?.value);
    await ack(answers.shift());
  });
  await open(modal('first', { blocks: [input('Name')] }));
  await ana.submits(ana.view, { name: 'web-2' });
  expect(bot.slack.readView(ana.view)).toBe(
    ['== first ==', 'Name: [ web-2____ ]', '  ! That is <not> its name', '[ Go ]'].join('\n'),
  );
  await ana.submits(ana.view);
  expect(seen).toEqual(['web-2', 'web-2']);
  expect(ana.views).toEqual([]);
});

test('a modal takes the place of the one that is open', async () => {
  await open(modal('first'));
  await open(modal('second'));
  expect(titles()).toEqual(['second']);
  await ana.closes(ana.view);
  expect(titles()).toEqual([]);
});

test.each([
  ['a section', { about: 'wrong' }],
  ['nothing', {}],
  ['an input, without a word', { name: '' }],
  ['an input and a section', { name: 'wrong', about: 'wrong' }],
])('an error under %s is refused and not shown', async (_, errors) => {
  bot.app.view('form', async ({ ack }) => ack({ response_action: 'errors', errors }));
  const section = { type: 'section' as const, block_id: 'about', text: plain('About it') };
  await open(modal('first', { blocks: [section, input('Name')] }));
  const turn = await ana.submits(ana.view, { name: 'web-2' });
  expect(turn.errors).toEqual({ '': 'invalid_response_errors' });
  expect(bot.slack.readView(ana.view)).not.toContain('!');
});

test('a submission says whose it is, of which view, and what every input holds', async () => {
  const bodies: unknown[] = [];
  bot.app.view('form', async ({ ack, body }) => {
    bodies.push(body);
    await ack();
  });
  await open(modal('first', { private_metadata: '{"id":"101"}', blocks: [input('Name')] }));
  const { hash, id } = ana.view;
  await ana.submits(ana.view, { name: 'web-1' });
  expect(bodies).toMatchObject([
    {
      type: 'view_submission',
      team: { id: TEAM.id, domain: TEAM.domain },
      user: { id: ana.id, team_id: TEAM.id },
      api_app_id: BOT.appId,
      trigger_id: expect.any(String) as string,
      response_urls: [],
      view: {
        id,
        hash,
        type: 'modal',
        team_id: TEAM.id,
        app_installed_team_id: TEAM.id,
        callback_id: 'form',
        private_metadata: '{"id":"101"}',
        external_id: '',
        root_view_id: id,
        previous_view_id: null,
        state: { values: { name: { text: { type: 'plain_text_input', value: 'web-1' } } } },
      },
    },
  ]);
});

test('Slack submits no text that is shorter or longer than its input takes', async () => {
  bot.app.view('form', async ({ ack }) => ack());
  await open(modal('first', { blocks: [input('Name', { min_length: 2, max_length: 4 })] }));
  for (const name of ['a', 'abcde']) {
    await expect(ana.submits(ana.view, { name })).rejects.toThrow('name takes 2 to 4 characters');
  }
  expect((await ana.submits(ana.view, { name: 'abcd' })).status).toBe(200);
});

test('a button is pressed as it stood on an old screen', async () => {
  const values: unknown[] = [];
  bot.app.action('go', async ({ ack, action }) => {
    values.push('value' in action ? action.value : undefined);
    await ack();
  });
  const channel = bot.slack.channel('#ops').id;
  const blocks = (value: string) => [
    {
      type: 'actions' as const,
      elements: [{ type: 'button' as const, action_id: 'go', value, text: plain('Go') }],
    },
  ];
  const { ts = '' } = await bot.app.client.chat.postMessage({ channel, text: 'x', blocks: blocks('old') });
  await bot.app.client.chat.update({ channel, ts, text: 'x', blocks: blocks('new') });
  await ana.presses(bot.slack.channel('#ops').last, 'Go', { version: 0 });
  await ana.presses(bot.slack.channel('#ops').last, 'Go');
  expect(values).toEqual(['old', 'new']);
});
