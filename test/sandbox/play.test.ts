import type { ModalView } from '@slack/types';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COLON_VERBS } from '../../sandbox/line.ts';
import { PEOPLE } from '../../sandbox/people.ts';
import { type Played, playLines, readPlayed } from '../../sandbox/play.ts';
import { type BareBot, startBareBot } from '../../sandbox/slack/bare-bot.ts';

let bot: BareBot;
let logs: string[];
/** What the bot's listeners have to do still. */
let running: Promise<void>[];
beforeEach(async () => {
  bot = await startBareBot();
  logs = [];
  running = [];
  bot.app.use(async ({ next }) => {
    const run = next();
    running.push(run);
    await run;
  });
});
afterEach(() => bot.stop());

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const input = (block_id: string, label: string) => ({
  type: 'input' as const,
  block_id,
  label: plain(label),
  element: { type: 'plain_text_input' as const, action_id: 'text' },
});
const modal = (title: string, blocks: ModalView['blocks'] = [input('name', 'Its name')]): ModalView => ({
  type: 'modal',
  callback_id: 'sure',
  title: plain(title),
  submit: plain('Delete'),
  close: plain('Keep'),
  blocks,
});
const opened = ['== Delete web-1 ==', 'Its name: [ ____ ]', '[ Keep ] [ Delete ]'].join('\n');
const refused = [
  '== Delete web-1 ==',
  'Its name: [ web-2____ ]',
  '  ! That is not its name',
  '[ Keep ] [ Delete ]',
].join('\n');

/** A bot that asks for the name before it deletes, and says so in the channel. */
function askForName(blocks?: ModalView['blocks']): void {
  bot.app.command('/delete', async ({ ack, client, command }) => {
    await ack();
    await client.views.open({ trigger_id: command.trigger_id, view: modal('Delete web-1', blocks) });
  });
  bot.app.view('sure', async ({ ack, view, client }) => {
    if (view.state.values['name']?.['text']?.value !== 'web-1') {
      await ack({ response_action: 'errors', errors: { name: 'That is not its name' } });
      return;
    }
    await ack();
    await client.chat.postMessage({ channel: bot.slack.channel('#ops').id, text: 'Deleted web-1.' });
  });
}

function play(...lines: string[]): Promise<readonly Played[]> {
  const settled = async () => void (await Promise.all(running));
  return playLines({ slack: bot.slack, logs, settled }, lines, 'ana', '#ops');
}

async function showsButtons(): Promise<void> {
  bot.app.command('/show', async ({ ack, client, command }) => {
    await ack();
    const more = { text: plain('Delete…'), value: 'delete' };
    await client.chat.postMessage({
      channel: command.channel_id,
      text: 'web-1',
      blocks: [
        {
          type: 'actions',
          elements: [
            { type: 'button', action_id: 'restart', text: plain('Restart') },
            { type: 'overflow', action_id: 'more', options: [more, { text: plain('Logs'), value: 'logs' }] },
          ],
        },
      ],
    });
  });
  bot.app.action(/restart|more/, async ({ ack, action, respond }) => {
    await ack();
    const chosen = 'selected_option' in action ? action.selected_option : undefined;
    await respond({
      response_type: 'in_channel',
      replace_original: false,
      text: JSON.stringify(chosen ?? 'restart'),
    });
  });
}

test('a modal stands under the line that opened it, and again with the error that it came back with', async () => {
  askForName();
  const played = await play('/delete web-1', ':type web-2', ':type web-1');
  expect(played).toEqual([
    { line: '/delete web-1', who: 'ana', modals: [opened], fault: undefined },
    { line: ':type web-2', who: 'ana', modals: [refused], fault: undefined },
    { line: ':type web-1', who: 'ana', modals: [], fault: undefined },
  ]);
  expect(readPlayed(played)).toBe(
    [
      '  /delete web-1',
      '      == Delete web-1 ==',
      '      Its name: [ ____ ]',
      '      [ Keep ] [ Delete ]',
      '  :type web-2',
      '      == Delete web-1 ==',
      '      Its name: [ web-2____ ]',
      '        ! That is not its name',
      '      [ Keep ] [ Delete ]',
      '  :type web-1',
    ].join('\n'),
  );
  expect(bot.slack.person('ana').views).toEqual([]);
});

test.each([':close', ':press Keep'])(
  '%s closes the modal, and then there is none to type into',
  async (line) => {
    askForName();
    const played = await play('/delete', line, ':type web-1', ':close');
    expect(played.map(({ fault }) => fault)).toEqual([
      undefined,
      undefined,
      'There is nothing to type into.',
      'There is no modal to close.',
    ]);
    expect(bot.slack.channel('#ops').messages).toEqual([]);
  },
);

test('a button is pressed, and a line of a menu, of the latest message that has it', async () => {
  await showsButtons();
  const played = await play('/show', ':press Restart', ':press Logs');
  expect(played.map(({ fault }) => fault)).toEqual([undefined, undefined, undefined]);
  const texts = bot.slack.channel('#ops').messages.map(({ text }) => text);
  expect(texts.slice(1)).toEqual(['"restart"', JSON.stringify({ text: plain('Logs'), value: 'logs' })]);
});

test('what isn’t there to press, to pick, to fill in or to be is said in a sentence', async () => {
  await showsButtons();
  askForName([input('name', 'Its name'), input('why', 'Why')]);
  const played = await play(
    '/show',
    ':press Explode',
    ':pick web',
    ':push it',
    ':as nobody',
    '/delete',
    ':type web-1',
  );
  expect(played.map(({ fault }) => fault)).toEqual([
    undefined,
    'There is nothing to press that says "Explode".',
    'There is nothing to pick from.',
    'There is no :push. There are :press, :pick, :type, :close, :reply, :dm, :slackbot, :shortcut, :as, :people, :pass, :set, :lock, :unlock, :calls, :help and :quit.',
    'nobody in the sandbox is called nobody',
    undefined,
    'There is more than one field here: Its name, Why',
  ]);
});

test('somebody else sees only their own modals', async () => {
  askForName();
  const played = await play('/delete', ':as bob', ':type web-1', ':as ana', ':type web-1');
  expect(played.map(({ fault }) => fault)).toEqual([
    undefined,
    undefined,
    'There is nothing to type into.',
    undefined,
    undefined,
  ]);
});

test('without a modal the lines are drawn as they were typed, and a mention waits for its answer', async () => {
  bot.app.event('app_mention', async ({ say }) => {
    await new Promise((done) => {
      setTimeout(done, 50);
    });
    await say('hello');
  });
  const played = await play('@lamplighter hi', 'good morning');
  expect(readPlayed(played)).toBe('  @lamplighter hi\n  good morning');
  expect(bot.slack.channel('#ops').messages.map(({ text }) => text.split(' ').at(-1))).toEqual([
    'hi',
    'hello',
    'morning',
  ]);
});

test('a line fails when Slack gets no good answer, and when the bot logs that it ended badly', async () => {
  bot.app.command('/bad', async ({ ack }) => {
    logs.push(JSON.stringify({ msg: 'ended', result: 'unknown' }));
    await ack('it is unknown');
  });
  const played = [...(await play('/bad'))];
  bot.slack.connect({ requestUrl: 'http://127.0.0.1:9' });
  played.push(...(await play('/bad')));
  expect(played.map(({ fault }) => fault)).toEqual([
    'an operation that ended unknown',
    'Slack: dispatch_failed',
  ]);
});

test('time passes at the hosting company for as long as a line says', async () => {
  const passed: number[] = [];
  const pass = (ms: number) => Promise.resolve(void passed.push(ms));
  const settled = () => Promise.resolve();
  const lines = [':pass 2d', ':pass 12h', ':pass 30m', ':pass soon'];
  const played = await playLines({ slack: bot.slack, logs, settled, pass }, lines, 'ana', '#ops');
  expect(passed).toEqual([172_800_000, 43_200_000, 1_800_000]);
  expect(played.map(({ fault }) => fault)).toEqual([
    undefined,
    undefined,
    undefined,
    'Nobody knows how long soon is. Say 2d, 12h or 30m.',
  ]);
});

test.each([':help', 'help', '?'])(
  '%s says what can be typed, and nobody in the channel reads it',
  async (line) => {
    const played = await play(line);
    const said = readPlayed(played);
    for (const verb of COLON_VERBS) expect(said).toContain(`:${verb} `);
    for (const { handle } of PEOPLE) expect(said).toContain(handle);
    expect(bot.slack.channel('#ops').messages).toEqual([]);
  },
);

test.each([':quit', 'quit', 'exit'])('%s is the end of the lines', async (line) => {
  const played = await play(line, 'good morning');
  expect(played.map((one) => [one.line, one.fault])).toEqual([[line, undefined]]);
  expect(bot.slack.channel('#ops').messages).toEqual([]);
});
