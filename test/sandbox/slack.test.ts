import { afterEach, describe, expect, test } from 'vitest';
import { type BareBot, startBareBot, type Transport } from '../../sandbox/slack/bare-bot.ts';
import { type SlackDoubleOptions, BOT } from '../../sandbox/slack/index.ts';

let bot: BareBot | undefined;
async function start(transport: Transport = 'http', options: SlackDoubleOptions = {}): Promise<BareBot> {
  bot = await startBareBot(transport, options);
  return bot;
}
afterEach(async () => {
  await bot?.stop();
  bot = undefined;
});

const button = (action_id: string, label: string) => ({
  type: 'button' as const,
  action_id,
  value: `${action_id}-value`,
  text: { type: 'plain_text' as const, text: label },
});

describe.each(['http', 'socket'] as const)('over %s', (transport) => {
  test('a command is acknowledged, and its answer is shown to the person alone', async () => {
    const { slack, app } = await start(transport);
    app.command('/hello', async ({ ack, command }) => ack(`hello ${command.user_name}: ${command.text}`));

    const turn = await slack.person('ana').types('#ops', '/hello  wide world');

    expect(turn).toMatchObject({ status: 200, error: undefined });
    expect(turn.ephemeral.map((message) => message.text)).toEqual(['hello ana: wide world']);
    expect(slack.channel('#ops').messages).toEqual([]);
    expect(slack.channel('#ops').seenBy('bob')).toEqual([]);
    expect(slack.channel('#ops').seenBy('ana')).toHaveLength(1);
  });

  test('an answer in the channel shows what was typed too', async () => {
    const { slack, app } = await start(transport);
    app.command('/hello', async ({ ack }) => ack({ response_type: 'in_channel', text: 'hello all' }));

    await slack.person('ana').types('#ops', '/hello');

    expect(slack.channel('#ops').messages.map(({ user, text }) => [user, text])).toEqual([
      [slack.person('ana').id, '/hello'],
      [BOT.userId, 'hello all'],
    ]);
  });

  test('a mention reaches the bot once, in a thread too, and say() answers in the channel', async () => {
    const { slack, app } = await start(transport);
    app.event('app_mention', async ({ event, say }) => {
      await say({ text: `you said ${event.text}`, thread_ts: event.thread_ts ?? event.ts });
    });
    const ana = slack.person('ana');

    const first = await ana.mentions('#ops', 'restart web-1 & <b>');
    await slack.until(() => slack.channel('#ops').messages.length === 2);
    await ana.mentions('#ops', 'again', { thread: first.message?.ts ?? '' });
    const replies = await slack.until(() => {
      const all = slack.channel('#ops').replies(first.message?.ts ?? '');
      return all.length === 3 && all;
    });

    expect(replies[0]?.text).toBe(`you said <@${BOT.userId}> restart web-1 &amp; &lt;b&gt;`);
    expect(replies[2]?.text).toBe(`you said <@${BOT.userId}> again`);
  });

  test('a pressed button arrives with its message, and respond() replaces that message', async () => {
    const { slack, app } = await start(transport);
    app.action('go', async ({ ack, respond, action, body }) => {
      await ack();
      const value = 'value' in action ? action.value : '';
      await respond({ replace_original: true, text: `${body.user.id} pressed ${value}` });
    });
    await app.client.chat.postMessage({
      channel: slack.channel('#ops').id,
      text: 'card',
      blocks: [{ type: 'actions', elements: [button('go', 'Go'), button('stop', 'Stop')] }],
    });
    const card = slack.channel('#ops').last;

    const turn = await slack.person('bob').presses(card, 'Go');
    await slack.until(() => card.edits.length === 1);

    expect(turn.status).toBe(200);
    expect(card.text).toBe(`${slack.person('bob').id} pressed go-value`);
    expect(slack.read(card, 0)).toBe('[ Go ] [ Stop ]');
    await expect(slack.person('bob').presses(card, 'Go')).rejects.toThrow('no "Go" here; there is: nothing');
  });

  test('a select with type-ahead asks the bot, and the choice comes back with its option', async () => {
    const { slack, app } = await start(transport);
    const chosen: unknown[] = [];
    app.options('pick', async ({ ack, options }) => {
      const option = { text: { type: 'plain_text' as const, text: `${options.value}b-1` }, value: 'id-1' };
      await ack({ options: [option] });
    });
    app.action('pick', async ({ ack, action }) => {
      chosen.push('selected_option' in action ? action.selected_option : undefined);
      await ack();
    });
    const element = { type: 'external_select' as const, action_id: 'pick', min_query_length: 2 };
    await app.client.chat.postMessage({
      channel: slack.channel('#ops').id,
      text: 'pick one',
      blocks: [{ type: 'actions', elements: [element] }],
    });
    const ana = slack.person('ana');
    const message = slack.channel('#ops').last;

    await expect(ana.searches(message, 'pick', 'w')).rejects.toThrow('from 2 letters on');
    const buttonToken = await ana.searches(message, 'pick', 'we');
    await ana.chooses(message, 'pick', 'web-1');
    await expect(ana.chooses(message, 'pick', 'web-2')).rejects.toThrow('not offered; there is: web-1');

    expect(buttonToken.options).toHaveLength(1);
    expect(chosen).toMatchObject([{ value: 'id-1' }]);
  });

  test('a bot that does not answer in time costs the person an operation_timeout', async () => {
    const { slack, app } = await start(transport, { deadlineMs: 60 });
    app.command('/slow', async () => {});

    const turn = await slack.person('ana').types('#ops', '/slow');

    expect(turn).toMatchObject({ status: 0, error: 'operation_timeout' });
    expect(turn.ephemeral.map((message) => message.text)).toEqual([
      '/slow failed with the error "operation_timeout"',
    ]);
  });

  test('a modal is opened, refused, filled in and submitted with the state of every input', async () => {
    const { slack, app } = await start(transport);
    const seen: unknown[] = [];
    const input = (block_id: string, optional = false) => ({
      type: 'input' as const,
      block_id,
      optional,
      label: { type: 'plain_text' as const, text: `The ${block_id}` },
      element: { type: 'plain_text_input' as const, action_id: 'text' },
    });
    const title = { type: 'plain_text' as const, text: 'Delete' };
    app.command('/delete', async ({ ack, client, command }) => {
      await ack();
      await client.views.open({
        trigger_id: command.trigger_id,
        view: {
          type: 'modal',
          callback_id: 'sure',
          title,
          submit: title,
          blocks: [input('name'), input('why', true)],
        },
      });
    });
    app.view('sure', async ({ ack, view }) => {
      seen.push(view.state.values);
      if (view.state.values['name']?.['text']?.value === 'web-1') await ack();
      else await ack({ response_action: 'errors', errors: { name: 'not its name' } });
    });
    const ana = slack.person('ana');

    await ana.types('#ops', '/delete');
    await slack.until(() => ana.views.length === 1);
    expect(slack.readView(ana.view)).toBe(
      ['== Delete ==', 'The name: [ ____ ]', 'The why (optional): [ ____ ]', '[ Delete ]'].join('\n'),
    );
    await expect(ana.submits(ana.view, {})).rejects.toThrow('name is empty');
    const wrong = await ana.submits(ana.view, { name: 'web-2' });
    const right = await ana.submits(ana.view, { 'The name': 'web-1' });

    expect(wrong.errors).toEqual({ name: 'not its name' });
    expect(right.errors).toBeUndefined();
    expect(ana.views).toEqual([]);
    expect(seen[1]).toEqual({
      name: { text: { type: 'plain_text_input', value: 'web-1' } },
      why: { text: { type: 'plain_text_input', value: null } },
    });
    expect(slack.refusals).toEqual([]);
  });
});

test('an ephemeral message can be pressed by its person only, and is replaced or deleted over its response_url', async () => {
  const { slack, app } = await start();
  const payloads: { message?: unknown; container?: unknown }[] = [];
  app.command('/ask', async ({ ack }) =>
    ack({
      text: 'sure?',
      blocks: [{ type: 'actions', elements: [button('yes', 'Yes'), button('no', 'No')] }],
    }),
  );
  app.action(/yes|no/, async ({ ack, body, respond, action }) => {
    payloads.push(body as { message?: unknown; container?: unknown });
    await ack();
    if ('action_id' in action && action.action_id === 'no') await respond({ delete_original: true });
    else
      await respond({
        replace_original: true,
        text: 'then no',
        blocks: [{ type: 'actions', elements: [button('no', 'No')] }],
      });
  });
  const ana = slack.person('ana');
  const asked = (await ana.types('#ops', '/ask')).ephemeral[0];
  if (!asked) throw new Error('nothing was asked');

  await expect(slack.person('bob').presses(asked, 'Yes')).rejects.toThrow('not shown to bob');
  await ana.presses(asked, 'yes');
  await slack.until(() => asked.edits.length === 1);
  await ana.presses(asked, 'No');
  await slack.until(() => asked.deleted);

  expect(payloads[0]?.message).toBeUndefined();
  expect(payloads[0]?.container).toMatchObject({ type: 'message', is_ephemeral: true, message_ts: asked.ts });
  expect(slack.channel('#ops').seenBy('ana')).toEqual([]);
});

test('until() rejects with a picture of the workspace', async () => {
  const { slack } = await start();
  await slack.person('ana').types('#ops', 'hello @bob, see #random');
  await expect(slack.until(() => false, { timeoutMs: 10 })).rejects.toThrow('hello @bob, see #random');
});

test('requests that are not Slack’s are refused by the bot', async () => {
  const { slack, app } = await start();
  let runs = 0;
  app.command('/count', async ({ ack }) => {
    runs += 1;
    await ack();
  });
  const turn = await slack.person('ana').types('#ops', '/count');
  const body = 'command=%2Fcount&text=';
  const old = Math.floor(Date.now() / 1000) - 600;

  expect((await slack.send({ body, sign: false })).status).toBe(401);
  expect((await slack.send({ body, sign: 'wrong' })).status).toBe(401);
  expect((await slack.send({ body, at: old })).status).toBe(401);
  expect((await slack.send({ body: '{', contentType: 'application/json' })).status).toBe(400);
  expect(runs).toBe(1);
  expect((await slack.replay(turn.requestId ?? '')).status).toBe(200);
  expect(runs).toBe(2);
});

test('an event is retried with the same id, marked as a retry', async () => {
  const { slack, app } = await start();
  const seen: unknown[] = [];
  app.event('app_mention', async ({ body, context }) => {
    seen.push([body.event_id, context.retryNum, context.retryReason]);
  });
  const turn = await slack.person('ana').mentions('#ops', 'hi');
  await slack.retry(turn.requestId ?? '', 1);

  const [first, second] = seen as string[][];
  expect(first?.slice(1)).toEqual([undefined, undefined]);
  expect(second).toEqual([first?.[0], 1, 'http_timeout']);
});
