import { WebClient } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { FIELD } from '../../src/platform/slack/modal.ts';
import { botMessages, play, powerCalls, privateMessage, privateTexts } from '../support/sandbox.ts';

const GONE = 'instances.reboot';

function asBot(sandbox: Sandbox): WebClient {
  return new WebClient(sandbox.slack.botToken, { slackApiUrl: sandbox.env['SLACK_API_URL'] ?? '' });
}

/** A message with a button, a menu and a picker of a route that a later version of the bot no longer has. */
async function postsOldCard(sandbox: Sandbox): Promise<PostedMessage> {
  const text = (words: string): { type: 'plain_text'; text: string } => ({ type: 'plain_text', text: words });
  await asBot(sandbox).chat.postMessage({
    channel: sandbox.slack.channel('#ops').id,
    text: 'web-1',
    blocks: [
      {
        type: 'actions',
        elements: [
          { type: 'button', action_id: GONE, text: text('Reboot'), value: 'v' },
          {
            type: 'overflow',
            action_id: 'menu',
            options: [
              { text: text('Reboot later'), value: `${GONE} v` },
              { text: text('Odd'), value: 'odd' },
            ],
          },
        ],
      },
      {
        type: 'actions',
        elements: [
          { type: 'external_select', action_id: GONE, placeholder: text('Which?'), min_query_length: 0 },
        ],
      },
    ],
  });
  return botMessages(sandbox)[0]!;
}

function linesAbout(sandbox: Sandbox): string[] {
  return sandbox.logs.filter((line) => line.includes('leads nowhere'));
}

describe('of a message of another version of the bot', () => {
  it.each([
    ['Reboot', GONE],
    ['Reboot later', GONE],
    ['Odd', ''],
  ])('%s is answered to who pressed it alone, and logged', async (label, route) => {
    const sandbox = await play();
    const card = await postsOldCard(sandbox);
    const { status } = await sandbox.slack.person('ana').presses(card, label);
    expect(status).toBe(200);
    await privateMessage(sandbox, 'ana', "I don't know what you pressed, so nothing was done.");
    expect(privateTexts(sandbox, 'bob')).toEqual([]);
    expect(botMessages(sandbox)).toEqual([card]);
    expect(linesAbout(sandbox).map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'warn', route, by: sandbox.slack.person('ana').id }),
    ]);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('a press that can not be answered is not acknowledged, so that Slack shows that it failed', async () => {
    const sandbox = await play();
    const card = await postsOldCard(sandbox);
    sandbox.slack.failNext('response_url', { status: 404 });
    const held = sandbox.slack.hold('chat.postEphemeral');
    const { status } = await sandbox.slack.person('ana').presses(card, 'Reboot');
    held.release();
    expect(status).toBe(500);
  });

  it('a picker offers nothing, which is logged', async () => {
    const sandbox = await play();
    const card = await postsOldCard(sandbox);
    const { status, options } = await sandbox.slack.person('ana').searches(card, 'Which?', 'web');
    expect({ status, options }).toEqual({ status: 200, options: [] });
    expect(linesAbout(sandbox)).toHaveLength(1);
  });

  it.each([
    ['has no route any more', GONE, undefined],
    ['has a route that has no modal any more', 'instances.show', undefined],
    ['has a form where its route takes none', 'instances.delete', undefined, 'other'],
    ['carries what nobody can read', 'instances.delete', '{"step":2}'],
  ])(
    'a modal that %s says so under its field, and it is logged',
    async (_why, callbackId, carried, blockId = FIELD.blockId) => {
      const sandbox = await play();
      const ana = sandbox.slack.person('ana');
      const { triggerId = '' } = await ana.types('#ops', '/lamplighter help');
      const place = { channelId: sandbox.slack.channel('#ops').id };
      await asBot(sandbox).views.open({
        trigger_id: triggerId,
        view: {
          type: 'modal',
          callback_id: callbackId,
          private_metadata: carried ?? JSON.stringify({ value: 'v', place }),
          title: { type: 'plain_text', text: 'Reboot web-1' },
          submit: { type: 'plain_text', text: 'Reboot' },
          blocks: [
            {
              type: 'input',
              block_id: blockId,
              label: { type: 'plain_text', text: 'Its name' },
              element: { type: 'plain_text_input', action_id: FIELD.actionId },
            },
          ],
        },
      });
      const interaction = await ana.submits(ana.views.at(-1)!, { 'Its name': 'web-1' });
      expect(interaction.status).toBe(200);
      expect(JSON.stringify(interaction.errors)).toContain("I don't know this form, so nothing was done.");
      expect(linesAbout(sandbox)).toHaveLength(1);
      await sandbox.settled();
      expect(powerCalls(sandbox)).toBe(0);
    },
  );
});
