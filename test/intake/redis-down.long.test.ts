import { describe, expect, it } from 'vitest';
import {
  answeredWith,
  deleteCalls,
  opensModal,
  play,
  powerCalls,
  privateTexts,
  readAll,
  ready,
  runToEnd,
} from '../support/sandbox.ts';

const NOTHING_DONE =
  "I can't reach my database right now, so nothing was done, and nothing will happen later";
const UNSURE =
  "I don't know whether it will be done. If no card appears here within two minutes, it wasn't taken";

describe('while Redis is down', () => {
  it('tells every way of asking for a change that nothing was done, and does nothing later', async () => {
    const sandbox = await play({ ownRedis: true });
    const ana = sandbox.slack.person('ana');
    const card = await answeredWith(sandbox, 'ana', '/instances web-1');
    await sandbox.redis!.kill();

    const typed = await ana.types('#ops', '/instances restart web-1');
    expect(typed.error).toBeUndefined();
    expect(typed.body).toContain(`Restart web-1: ${NOTHING_DONE}`);
    await ana.mentions('#ops', 'restart web-2');
    await ana.presses(card, 'Restart');
    await sandbox.slack.until(
      () => privateTexts(sandbox, 'ana').filter((text) => text.includes(NOTHING_DONE)).length === 2,
    );
    // Slack may deliver a mention again, so of that nobody can be sure.
    await sandbox.slack.until(() =>
      privateTexts(sandbox, 'ana').some(
        (text) => text.startsWith('Restart web-2: ') && text.includes(UNSURE),
      ),
    );

    await sandbox.redis!.restart();
    await ready(sandbox);
    await runToEnd(sandbox, 'ana', '/instances stop db-1');
    expect(powerCalls(sandbox, 'restart')).toBe(0);
    expect(powerCalls(sandbox, 'stop')).toBe(1);
    expect(readAll(sandbox)[0]).toContain('Stopped db-1');
  });

  it('keeps a modal open and says so in it, and takes it again once Redis is back', async () => {
    const sandbox = await play({ ownRedis: true });
    const admin = sandbox.slack.person('admin');
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    await sandbox.settled();
    await sandbox.redis!.kill();
    const interaction = await admin.submits(modal, { typed: 'web-1' });
    expect(interaction.error).toBeUndefined();
    expect(JSON.stringify(interaction.errors)).toContain(
      "I can't reach my database right now, so nothing was done",
    );
    expect(modal.isOpen).toBe(true);
    await sandbox.redis!.restart();
    await ready(sandbox);
    await admin.submits(modal, { typed: 'web-1' });
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Deleted web-1 (101)');
    expect(deleteCalls(sandbox)).toBe(1);
  });

  it('acknowledges no mention that it could neither take nor tell of, so that Slack delivers it again', async () => {
    const sandbox = await play({ ownRedis: true });
    await sandbox.redis!.kill();
    const held = sandbox.slack.hold('chat.postEphemeral');
    const interaction = await sandbox.slack.person('ana').mentions('#ops', 'restart web-1');
    expect(interaction.status).toBe(500);
    held.drop();
    await sandbox.redis!.restart();
    await ready(sandbox);
    expect((await sandbox.slack.retry(interaction.requestId!, 1)).status).toBe(200);
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('goes on by itself with what it was watching', async () => {
    const sandbox = await play({ ownRedis: true, hosting: { powerMs: 1_200 } });
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('It reports restarting'));
    await sandbox.redis!.kill();
    await sandbox.redis!.restart();
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
    expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101): it is running again');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('records the answer of a call that came while Redis was away', async () => {
    const sandbox = await play({ ownRedis: true });
    const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
    await sandbox.slack.person('ana').types('#ops', '/instances stop web-1');
    await held.arrived;
    await sandbox.redis!.kill();
    held.release();
    await sandbox.redis!.restart();
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(1);
    expect(readAll(sandbox)[0]).toContain('Stopped web-1 (101)');
    expect(readAll(sandbox)).toHaveLength(2);
  });
});
