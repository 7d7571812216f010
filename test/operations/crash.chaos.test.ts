import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { BotProcess } from '../../sandbox/start-bot.ts';
import { startProcess } from '../support/process.ts';
import { play, powerCalls, readAll } from '../support/sandbox.ts';
import { crashAt, expectToldOnce } from './crashing.ts';

describe('killed', () => {
  it('right after the acknowledgement, a request is carried out by the next process', async () => {
    const moment = async ({ hosting }: Sandbox): Promise<void> => {
      const held = hosting.hold({ method: 'GET' });
      await held.arrived;
      // Longer than a request is waited for before it is acknowledged.
      setTimeout(() => held.drop(), 2_000);
    };
    const { sandbox, texts } = await crashAt(moment, 'restart web-1', true);
    expectToldOnce(texts);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('after the service did the work and before its answer, a restart is not asked again', async () => {
    const { sandbox, texts } = await crashAt(async ({ hosting }) => {
      const held = hosting.hold({ method: 'POST' }, 'after');
      await held.arrived;
      setTimeout(() => held.drop(), 100);
    });
    expectToldOnce(texts);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('after the service did the work, what the next process sees of the restart is reported', async () => {
    const { sandbox, texts } = await crashAt(async ({ hosting }) => {
      // Longer than the next process takes to start, on a slow machine too.
      hosting.setBehavior(101, { powerMs: 12_000 });
      const held = hosting.hold({ method: 'POST' }, 'after');
      await held.arrived;
      setTimeout(() => held.drop(), 100);
    });
    expectToldOnce(texts);
    expect(texts[0]).toContain(
      'Restarted web-1 (101): it went from running through restarting to running, though',
    );
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('while a stop is on its way, it is looked up and ends stopped', async () => {
    const { sandbox, texts } = await crashAt(async ({ hosting }) => {
      const held = hosting.hold({ method: 'POST' });
      await held.arrived;
      setTimeout(() => held.drop(), 100);
    }, 'stop web-1');
    expectToldOnce(texts);
    expect(texts[0]).toContain('Stopped web-1 (101)');
    expect(sandbox.hosting.statusOf(101)).toBe('stopped');
  });

  it('while it watches, the next process watches on', async () => {
    const { sandbox, texts } = await crashAt(async ({ slack, hosting }) => {
      hosting.setBehavior(101, { powerMs: 4_000 });
      await slack.until(() =>
        slack.channel('#ops').messages.some((one) => slack.read(one).includes('It reports')),
      );
    });
    expectToldOnce(texts);
    expect(texts[0]).toContain('Restarted web-1 (101): it is running again');
    expect(powerCalls(sandbox)).toBe(1);
  });

  it.each([
    ['before Slack has the card', 1, 'before'],
    ['after Slack has the card', 1, 'after'],
    ['before Slack has the reply', 2, 'before'],
    ['after Slack has the reply', 2, 'after'],
  ] as const)('while posting, %s, it is reported exactly once', async (_name, which, when) => {
    const { sandbox, texts } = await crashAt(async ({ slack }) => {
      if (which === 2)
        await slack.until(() => slack.calls.some((call) => call.method === 'chat.postMessage' && call.ok));
      const held = slack.hold('chat.postMessage', { when });
      await held.arrived;
      setTimeout(() => held.drop(), 50);
    });
    expectToldOnce(texts);
    // Written down and killed before it left, a restart is unknown too: never asked twice is the promise.
    expect(powerCalls(sandbox)).toBeLessThanOrEqual(1);
  });

  it('again and again while it works, the operation still ends and is reported once', async () => {
    const sandbox = await play({ bot: false });
    sandbox.hosting.setBehavior(101, { powerMs: 6_000 });
    let bot: BotProcess = await startProcess(sandbox);
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    for (let times = 0; times < 4; times++) {
      await bot.end('SIGKILL');
      bot = await startProcess(sandbox);
    }
    await sandbox.settled();
    expectToldOnce(readAll(sandbox));
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('one of two workers, the other takes over what it left', async () => {
    const sandbox = await play({ bot: false });
    sandbox.hosting.setBehavior(101, { powerMs: 2_500 });
    await startProcess(sandbox, { env: { LAMPLIGHTER_ROLE: 'web' } });
    const worker = { env: { LAMPLIGHTER_ROLE: 'worker' }, listens: false };
    const workers = await Promise.all([startProcess(sandbox, worker), startProcess(sandbox, worker)]);
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('It reports restarting'));
    const busy = workers.find((one) => one.output().includes('operation begun')) ?? workers[0];
    await busy.end('SIGKILL');
    await sandbox.settled();
    expectToldOnce(readAll(sandbox));
    expect(powerCalls(sandbox)).toBe(1);
  });
});
