import { expect, it } from 'vitest';
import { startBareBot } from '../../sandbox/slack/bare-bot.ts';
import { askFor } from '../../faults/asking.ts';
import { KINDS } from '../../faults/kinds.ts';
import { createMailboxes } from '../../faults/mailboxes.ts';

const FIELD = 'field';

function modal(title: string): object {
  const element = { type: 'plain_text_input', action_id: 'typed' };
  const label = { type: 'plain_text', text: 'Type backup' };
  return {
    type: 'modal',
    callback_id: 'addons.remove',
    title: { type: 'plain_text', text: title },
    submit: { type: 'plain_text', text: 'Remove' },
    blocks: [{ type: 'input', block_id: FIELD, label, element }],
  };
}

it('counts what was typed as acknowledged only where the bot took it, not where another modal closed the first', async () => {
  const { slack, app, stop } = await startBareBot();
  try {
    let ofCommand = '';
    let submissions = 0;
    app.command('/addons', async ({ body, ack }) => {
      ofCommand = body.trigger_id;
      const button = {
        type: 'button' as const,
        action_id: 'addons.remove',
        text: { type: 'plain_text' as const, text: 'Remove…' },
      };
      await ack({
        text: 'Remove backup from m-1?',
        blocks: [{ type: 'actions' as const, elements: [button] }],
      });
    });
    app.action('addons.remove', async ({ body, ack, client }) => {
      await ack();
      if (!('trigger_id' in body)) return;
      await client.apiCall('views.open', { trigger_id: body.trigger_id, view: modal('First') });
    });
    app.view('addons.remove', async ({ ack, client }) => {
      submissions++;
      if (submissions > 1) return ack();
      // The command's own modal comes late, on top of what is being sent, and what was sent is refused.
      await client.apiCall('views.open', { trigger_id: ofCommand, view: modal('Late') });
      await ack({ response_action: 'errors', errors: { [FIELD]: 'Nothing was done.' } });
    });
    const kind = KINDS.find((one) => one.kind === 'addons.remove');
    if (!kind) throw new Error('no such kind');
    const asking = {
      kind,
      name: 'm-1',
      token: 'ask',
      channel: '#ops',
      way: 'command',
      again: false,
    } as const;
    const heard = await askFor({ slack }, createMailboxes({ slack }, ['#ops']), slack.person('ana'), asking);
    expect({ heard, submissions }).toEqual({
      heard: { acknowledged: true, saidAgain: true, isPressed: true },
      submissions: 2,
    });
  } finally {
    await stop();
  }
});
