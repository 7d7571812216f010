import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { play, privateMessage, privateTexts, readAll } from '../support/sandbox.ts';

async function open(channels: string): Promise<Sandbox> {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance', BILLING_CHANNELS: channels } });
  await sandbox.slack.person('fin').types('#ops', '/billing');
  return sandbox;
}

describe('the button Share under a balance', () => {
  it('shows it to everybody in a channel where the figures may stand, once, and says who did', async () => {
    const sandbox = await open('C0OPS000001');
    const answer = await privateMessage(sandbox, 'fin', '6,300 credits');
    const interaction = await sandbox.slack.person('fin').presses(answer, 'Share');
    await sandbox.slack.until(() => readAll(sandbox).length > 0);
    await sandbox.slack.replay(interaction.requestId ?? '');
    await sandbox.settled();
    expect(readAll(sandbox)).toEqual([
      expect.stringMatching(/^💰 6,300 credits · 677 credits a day .*\nAt zero .*\nShared by @fin\.\nAs of /),
    ]);
  });

  it('shows it to nobody in any other channel, and says so', async () => {
    const sandbox = await open('C0BILLING01');
    const answer = await privateMessage(sandbox, 'fin', '6,300 credits');
    await sandbox.slack.person('fin').presses(answer, 'Share');
    await sandbox.slack.until(() => privateTexts(sandbox, 'fin').join().includes("I didn't share them"));
    expect(readAll(sandbox)).toEqual([]);
  });
});

it('the button Alerts under a balance shows how alerts are set', async () => {
  const sandbox = await open('C0OPS000001');
  const answer = await privateMessage(sandbox, 'fin', '6,300 credits');
  await sandbox.slack.person('fin').presses(answer, 'Alerts');
  await sandbox.slack.until(() => privateTexts(sandbox, 'fin').join().includes('I warn below 5 days'));
});
