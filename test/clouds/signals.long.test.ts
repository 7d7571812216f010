import { describe, expect, it } from 'vitest';
import { answerTo, privateTexts, readAll, runToEnd } from '../support/sandbox.ts';
import { playOn, writesTo } from './play-on.ts';

const DEAF = [{ name: 'web-1', ignoresSignals: true }, { name: 'web-2' }];
const UNSEEN = "It is running, and the service doesn't show whether it restarted.";

describe.each(['digitalocean', 'hetzner'] as const)('a restart that %s only signals', (kind) => {
  it('is not said to be done, and can be forced from its card', async () => {
    const { cloud, sandbox } = await playOn(kind, { machines: DEAF });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const [card, reply] = sandbox.slack.channel('#ops').messages;
    const { id } = cloud.machine('web-1');
    expect(sandbox.slack.read(card!)).toContain(`📨 Asked web-1 (${id}) to restart. ${UNSEEN}`);
    expect(sandbox.slack.read(card!)).toContain('[ Force restart… ]');
    expect(sandbox.slack.read(reply!)).toContain(`Asked web-1 (${id}) to restart. ${UNSEEN}`);
    expect(cloud.effects().map(({ outcome }) => outcome)).toEqual(['without effect']);
    await sandbox.slack.person('ana').presses(card!, 'Force restart…');
    await sandbox.settled();
    const question = sandbox.slack.channel('#ops').ephemeralFor('ana').at(-1);
    expect(writesTo(cloud)).toHaveLength(1);
    await sandbox.slack.person('ana').presses(question!, 'Force restart');
    await sandbox.settled();
    expect(cloud.effects().map(({ effect, outcome }) => [effect, outcome])).toEqual([
      ['reboot', 'without effect'],
      ['reset', 'done'],
    ]);
    // The service does that one by itself, and says when it has.
    expect(readAll(sandbox).join('\n')).toMatch(/✅ Restarted web-1 .*: it is running again/);
  });

  it('is called asked in its history and in the audit', async () => {
    const { sandbox } = await playOn(kind, { machines: DEAF });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const asked = "asked: the service doesn't show whether it was done";
    expect(await answerTo(sandbox, 'ana', '/instances history web-1')).toContain(`restart: ${asked}, after`);
    expect(await answerTo(sandbox, 'admin', '/lamplighter audit')).toContain(`: ${asked}`);
    await runToEnd(sandbox, 'bob', '/instances restart web-1');
    expect(privateTexts(sandbox, 'bob').join('\n')).toContain('@ana asked it to restart');
  });

  it('is not counted as done among several', async () => {
    const { cloud, sandbox } = await playOn(kind, {
      machines: [...DEAF, { name: 'web-3' }, { name: 'web-4' }],
    });
    await runToEnd(sandbox, 'ana', '/instances restart name:web-*');
    const [preview] = sandbox.slack.channel('#ops').ephemeralFor('ana');
    await sandbox.slack.person('ana').presses(preview!, 'Restart 4');
    await sandbox.settled();
    const said = readAll(sandbox).join('\n');
    expect(said).toContain("📨 All 4 were asked to restart. The service doesn't show whether they did.");
    expect(said).toContain('4 operations: all asked.');
    expect(said).not.toMatch(/\d done|✅/);
    expect(writesTo(cloud)).toHaveLength(4);
  });
});
