import { describe, expect, it } from 'vitest';
import { setDays, watch } from '../billing/watching.ts';
import { startProcess } from '../support/process.ts';
import { hasPromtool, scrape, valueOf } from '../support/prometheus.ts';
import { play, readAll, runToEnd } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { firing } from './firing.ts';

describe.runIf(hasPromtool)('what Prometheus makes of a bot', () => {
  it('that reaches nobody with a message is that', async () => {
    const sandbox = await watch({ isRefused: true, env: { BILLING_CHANNELS: '' } });
    const before = await scrape(sandbox);
    for (let times = 0; times < 40; times++)
      sandbox.slack.failNext('conversations.open', { error: 'user_disabled' });
    setDays(sandbox, 4);
    await until(
      async () => (valueOf(await scrape(sandbox), 'lamplighter_messages_dead_lettered_total') ?? 0) > 0,
    );
    expect(firing({ bot: [before, await scrape(sandbox)] })).toEqual(['LamplighterMessageLost']);
  });

  it('whose only worker was killed is that, while what is due grows old', async () => {
    const sandbox = await play({ bot: false });
    await sandbox.startBot({ LAMPLIGHTER_ROLE: 'web' });
    const worker = await startProcess(sandbox, { env: { LAMPLIGHTER_ROLE: 'worker' }, listens: false });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const before = {
      web: await scrape(sandbox),
      worker: await scrape(sandbox, `http://127.0.0.1:${worker.port}/metrics`),
    };
    expect(readAll(sandbox)[0]).toContain('Restarted web-1');
    await worker.end('SIGKILL');
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-2');
    const due = async (): Promise<number> =>
      valueOf(await scrape(sandbox), 'lamplighter_oldest_due_seconds', 'kind="request"') ?? 0;
    await until(async () => (await due()) > 0.5);
    const after = await scrape(sandbox);
    expect(
      firing({ web: [before.web, after, after], worker: [before.worker, undefined, undefined] }),
    ).toEqual(['LamplighterNoWorker']);
  });

  it('whose Redis is away is that', async () => {
    const sandbox = await play({ ownRedis: true });
    const before = await scrape(sandbox);
    await sandbox.redis!.kill();
    const away = await scrape(sandbox);
    expect(firing({ bot: [before, away, away] })).toEqual(['LamplighterRedisRefuses']);
    await sandbox.redis!.restart();
  });
});
