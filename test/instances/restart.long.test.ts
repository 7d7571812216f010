import { describe, expect, it } from 'vitest';
import { botMessages, play, powerCalls, readAll, runToEnd } from '../support/sandbox.ts';

describe('/instances restart web-1', () => {
  it('says no more than it knows where the service shows the final status at once', async () => {
    const sandbox = await play({ hosting: { style: 'documented' } });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const [card, reply, ...more] = readAll(sandbox);
    expect(card).toContain(
      "📨 Asked web-1 (101) to restart. It is running, and the service doesn't show whether it restarted.",
    );
    expect(card).not.toMatch(/Restarted|✅/);
    expect(reply).toContain('@ana');
    expect(more).toEqual([]);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('says how long it usually takes once it has seen a few', async () => {
    const sandbox = await play();
    for (const name of ['web-1', 'web-2', 'db-1', 'worker-1']) {
      await runToEnd(sandbox, 'ana', `/instances restart ${name}`);
    }
    const last = botMessages(sandbox).at(-2);
    expect(sandbox.slack.read(last!, 0)).toMatch(/usually \d+ s/);
  });
});

describe('an answer that got lost', () => {
  it('is not asked again for a stop that took', async () => {
    const sandbox = await play();
    await runToEnd(sandbox, 'ana', '/instances stop loses-answers');
    expect(powerCalls(sandbox, 'stop')).toBe(1);
    expect(readAll(sandbox)[0]).toContain('Stopped loses-answers (203)');
  });

  it('ends a stop that was never answered as unknown, since what was asked may still be done', async () => {
    const sandbox = await play({ timings: { settleMs: 300 } });
    await runToEnd(sandbox, 'ana', '/instances stop loses-requests');
    expect(powerCalls(sandbox, 'stop')).toBe(3);
    const [card] = readAll(sandbox);
    expect(card).toContain('loses-requests (204): unknown whether it stopped');
    expect(card).toContain('Running now. Asked 3 times.');
  });
});

describe('a start that lost its answer', () => {
  it('says what was seen to change where something was', async () => {
    const sandbox = await play();
    sandbox.hosting.setBehavior(104, {
      powerMs: 0,
      fault: { on: ['start'], times: 1, answer: 'reset', done: true },
    });
    await runToEnd(sandbox, 'ana', '/instances start staging');
    expect(readAll(sandbox)[0]).toMatch(
      /✅ Started staging \(104\): it went from stopped (through starting )?to running, though the service's answer was lost/,
    );
  });

  it('is not called done by more than the service said where it runs as before', async () => {
    const sandbox = await play();
    sandbox.hosting.setBehavior(221, { takesAnything: true });
    await runToEnd(sandbox, 'ana', '/instances start takes-anything');
    expect(readAll(sandbox)[0]).toContain(
      "Asked takes-anything (221) to start. It is running, and the service doesn't show whether it started.",
    );
  });
});

describe('a power action that is not possible', () => {
  it('does not hammer a service that says 429 without a wait, and gives up in words', async () => {
    const sandbox = await play({ timings: { acceptWithinMs: 5_000 } });
    const fault = {
      on: ['restart'],
      answer: 429,
      done: false,
      retryAfterSeconds: 0,
      times: Infinity,
    } as const;
    sandbox.hosting.setBehavior(101, { fault });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(powerCalls(sandbox)).toBeLessThan(8);
    expect(readAll(sandbox)[0]).toContain("isn't taking more requests right now. Nothing was done");
  });

  it('does not call an instance broken that only shows its old state a moment longer', async () => {
    const sandbox = await play();
    sandbox.hosting.changeStatus(101, 'error');
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
  });
});
