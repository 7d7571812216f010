import { expect, test } from 'vitest';
import { unmarked } from '../../src/platform/slack/account-mark.ts';
import { acknowledgement } from '../../src/platform/slack/response-url.ts';
import { shapeOf } from '../../src/platform/slack/payload.ts';
import { say } from '../../src/platform/slack/phrase.ts';
import { play } from '../support/sandbox.ts';

test('nothing in what the bot says becomes a mention or a link by itself, whichever way it goes', async () => {
  const sandbox = await play();
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.slack.person('ana').mentions('#ops', 'show web-1');
  await sandbox.settled();
  for (const method of ['chat.postMessage', 'chat.postEphemeral', 'chat.update']) {
    const calls = sandbox.slack.calls.filter((call) => call.method === method);
    expect([method, calls.length > 0]).toEqual([method, true]);
    for (const { args } of calls) expect(args).toMatchObject({ parse: 'none', link_names: 'false' });
  }
  expect(acknowledgement({ lines: [say`@here look`] })).toMatchObject({ parse: 'none', link_names: false });
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
  'a team or a channel that is called %s is none',
  (id) => {
    const press = {
      type: 'block_actions',
      user: { id: 'U1' },
      actions: [{ action_id: 'a.b', type: 'button' }],
    };
    expect(shapeOf({ ...press, team: { id } })).toBeUndefined();
    expect(shapeOf({ ...press, channel: { id } })).toBeUndefined();
    expect(shapeOf({ ...press, team: { id: 'T1' } })).toBe('interaction');
    expect(
      shapeOf({ command: '/x', user_id: 'U1', channel_id: 'C1', text: '', team_id: id }),
    ).toBeUndefined();
  },
);

test('of a press of several elements each loses the mark of its account', () => {
  const body = { actions: [{ action_id: 'acme/a.b' }, { action_id: 'acme/c.d' }] };
  expect(unmarked('press', body)).toEqual({
    account: 'acme',
    body: { actions: [{ action_id: 'a.b' }, { action_id: 'c.d' }] },
  });
});
