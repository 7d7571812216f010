import { describe, expect, it } from 'vitest';
import { TEAM } from '../../sandbox/people.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { botMessages, powerCalls, privateMessage, readAll, SOON_FOUND } from '../support/sandbox.ts';
import { batchCard, confirms, playFleet, previewOf } from './fleet.ts';

/** A signed press of a private button that Slack would not send: anybody's, with any value. */
async function forge(sandbox: Sandbox, who: string, routeId: string, value: string): Promise<void> {
  const channel = sandbox.slack.channel('#ops').id;
  const payload = {
    type: 'block_actions',
    user: { id: sandbox.slack.person(who).id, team_id: TEAM.id },
    team: { id: TEAM.id },
    channel: { id: channel },
    container: { channel_id: channel, is_ephemeral: true },
    trigger_id: `made.up.${value}`,
    actions: [{ type: 'button', action_id: routeId, block_id: 'b', value }],
  };
  await sandbox.slack.send({ body: new URLSearchParams({ payload: JSON.stringify(payload) }).toString() });
}

describe('what others press', () => {
  it('of a preview counts for nobody but who was shown it, and leaves it to them', async () => {
    const sandbox = await playFleet(3);
    const preview = await previewOf(sandbox, '/instances stop stg-0 stg-1');
    const value = /"value":"([\w-]{22})"/.exec(JSON.stringify(preview.blocks))?.[1] ?? '';
    await forge(sandbox, 'bob', 'instances.stop-several', value);
    await privateMessage(sandbox, 'bob', 'That was asked of @ana, who can still confirm it.');
    // What a stop was shown for is no restart, and its pages are nobody else's either.
    await forge(sandbox, 'ana', 'instances.restart-several', value);
    await privateMessage(sandbox, 'ana', 'That was asked of @ana');
    await forge(sandbox, 'bob', 'batches.preview', `0/${value}`);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    await confirms(sandbox, preview, 'Stop 2');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(2);
  });

  it('is refused for who has lost the right, and counts once for who has it', async () => {
    const sandbox = await playFleet(3, { env: { LAMPLIGHTER_EVERYONE: 'none' } });
    const admin = sandbox.slack.person('admin');
    for (const who of ['ana', 'bob']) await admin.types('#ops', `/lamplighter access grant operator @${who}`);
    await sandbox.settled();
    sandbox.hosting.failNext({ path: /\/1001\/stop$/ }, 400);
    await confirms(sandbox, await previewOf(sandbox, '/instances stop name:stg-*'), 'Stop 3');
    await sandbox.settled();
    const card = botMessages(sandbox).find((one) => sandbox.slack.read(one).includes('1 failed'))!;
    await admin.types('#ops', '/lamplighter access revoke operator @bob');
    await sandbox.settled();
    await sandbox.slack.person('bob').presses(card, 'Retry failed');
    await privateMessage(sandbox, 'bob', 'role');
    expect(powerCalls(sandbox)).toBe(3);
    const ana = sandbox.slack.person('ana');
    await Promise.all([ana.presses(card, 'Retry failed'), ana.presses(card, 'Retry failed')]);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(4);
    expect(readAll(sandbox).filter((text) => text.includes('1 of 1 stopped.'))).toHaveLength(2);
  });

  it('of a batch that began a week ago is answered in words', async () => {
    const sandbox = await playFleet(1);
    await forge(sandbox, 'ana', 'batches.retry', 'aBcDeFgHiJkLmNoPqRsTuV');
    await privateMessage(sandbox, 'ana', 'I have no record of that any more, so nothing was done.');
    await forge(sandbox, 'ana', 'batches.stop-rest', 'aBcDeFgHiJkLmNoPqRsTuV');
    await privateMessage(sandbox, 'ana', 'I have no record of that any more');
  });
});

describe('several by a mention in a thread', () => {
  it('are shown and reported in that thread', async () => {
    const sandbox = await playFleet(2);
    const ana = sandbox.slack.person('ana');
    const { message: thread } = await ana.types('#ops', 'Night shift');
    await ana.mentions('#ops', 'stop name:stg-*', { thread: thread!.ts });
    const preview = await privateMessage(sandbox, 'ana', 'Stop 2 instances?');
    await confirms(sandbox, preview, 'Stop 2');
    await sandbox.settled();
    expect(botMessages(sandbox).map(({ thread_ts: threadTs }) => threadTs)).toEqual([thread!.ts, thread!.ts]);
    expect(readAll(sandbox)[1]).toBe('@ana Both stopped.');
  });
});

describe('a card that Slack does not take', () => {
  it('in the channel goes to who asked, with its end', async () => {
    const sandbox = await playFleet(3, { isRefused: true });
    const ana = sandbox.slack.person('ana');
    const interaction = await ana.types('#random', '/instances stop name:stg-*');
    const preview = await sandbox.slack.until(() => interaction.ephemeral[0]);
    await confirms(sandbox, preview, 'Stop 3');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(3);
    const said = ana.dms.map((message) => sandbox.slack.read(message));
    expect(said.some((text) => text.includes('3 operations: all done.'))).toBe(true);
    expect(said.some((text) => text === '@ana All 3 stopped.')).toBe(true);
  });

  it('in time is not begun at all', async () => {
    const sandbox = await playFleet(3, { timings: { ...SOON_FOUND, acceptWithinMs: 600 } });
    const preview = await previewOf(sandbox, '/instances stop name:stg-*');
    for (let times = 0; times < 3; times++) sandbox.slack.failNext('chat.postMessage', { status: 503 });
    await confirms(sandbox, preview, 'Stop 3');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
    expect(readAll(sandbox)[1]).toContain("Slack didn't accept a message for it, so nothing was started.");
  });

  it('once, with its answer lost, stands once', async () => {
    const sandbox = await playFleet(3, { timings: SOON_FOUND });
    const preview = await previewOf(sandbox, '/instances stop name:stg-*');
    sandbox.slack.loseAnswerOfNext('chat.postMessage');
    await confirms(sandbox, preview, 'Stop 3');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(3);
    expect(readAll(sandbox)).toHaveLength(2);
    expect(batchCard(sandbox)).toContain('All 3 stopped.');
  });
});

describe('two processes', () => {
  it('of which one takes requests and one works make one batch', async () => {
    const sandbox = await playFleet(6, { bot: false });
    await sandbox.startBot({ LAMPLIGHTER_ROLE: 'worker' });
    await sandbox.startBot({ LAMPLIGHTER_ROLE: 'worker' });
    await sandbox.startBot({ LAMPLIGHTER_ROLE: 'web' });
    const preview = await previewOf(sandbox, '/instances restart name:stg-*');
    await confirms(sandbox, preview, 'Restart 6');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(6);
    expect(readAll(sandbox)).toHaveLength(2);
    expect(readAll(sandbox)[1]).toBe('@ana All 6 restarted.');
  });
});
