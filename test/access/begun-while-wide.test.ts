import { describe, expect, it } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import { letSchedulesBeDue } from '../../sandbox/phrases/due-schedule.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { messageWith } from '../support/asking.ts';
import { answerTo, play, powerCalls, privateMessage, readAll } from '../support/sandbox.ts';

const GRANT = '/lamplighter access grant';

/** Staging and production, where @ana is an admin of both. */
async function open(): Promise<Sandbox> {
  const sandbox = await play({
    hosting: { world: worldOf([instance(101, 'staging-1'), instance(201, 'prod-secret-1')]) },
    env: { LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_APPROVE: 'prod-*' },
  });
  await answerTo(sandbox, 'admin', `${GRANT} admin @ana`);
  return sandbox;
}

async function narrow(sandbox: Sandbox): Promise<void> {
  await answerTo(sandbox, 'admin', '/lamplighter access revoke admin @ana');
  await answerTo(sandbox, 'admin', `${GRANT} admin @ana on staging-*`);
}

describe('what an admin began before their role was narrowed', () => {
  it('as a schedule stops what is theirs still, and names nothing else', async () => {
    const sandbox = await open();
    const { slack } = sandbox;
    await answerTo(sandbox, 'ana', `/instances schedule name:* restart at ${FAR_OFF_HOUR} UTC`);
    await slack.person('ana').presses(await privateMessage(sandbox, 'ana', 'Save this schedule'), 'Save');
    await slack.until(() => readAll(sandbox).some((text) => text.includes('scheduled:')));
    await narrow(sandbox);
    await letSchedulesBeDue(sandbox, -1_000);
    await slack.until(() => powerCalls(sandbox) > 0);
    await sandbox.settled();
    expect(sandbox.hosting.countCalls('POST', /\/101\/restart$/)).toBe(1);
    expect(powerCalls(sandbox)).toBe(1);
    expect(readAll(sandbox).join('\n')).not.toContain('secret');
  });

  it('as a request is not done, whoever approves it', async () => {
    const sandbox = await open();
    const { slack } = sandbox;
    await answerTo(sandbox, 'ana', '/instances restart prod-secret-1');
    const question = await messageWith(sandbox, 'asks to restart');
    await narrow(sandbox);
    // The request may be called off by itself before the press comes, which then says so as well.
    await slack.person('admin').presses(question, 'Approve', { version: 0 });
    const no = await privateMessage(sandbox, 'admin', 'no longer has the right to');
    expect(slack.read(no)).toMatch(
      /^(@ana no longer has the right to that|The person who asked for that no longer has the right to it), so nothing was done\.$/,
    );
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });
});
