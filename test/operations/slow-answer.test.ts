import { expect, it } from 'vitest';
import { deleteCalls, deletes, play, powerCalls, readAll } from '../support/sandbox.ts';

it.each(['stop', 'delete'])(
  'what is seen done before the service has answered is no lost answer: %s',
  async (verb) => {
    const sandbox = await play({
      hosting: { powerMs: 1, deleteMs: 1 },
      // The call is held for as long as a busy machine takes to look three times.
      timings: { apiTimeoutMs: 20_000 },
    });
    const held = sandbox.hosting.hold({ method: verb === 'stop' ? 'POST' : 'DELETE' }, 'after');
    if (verb === 'stop') await sandbox.slack.person('ana').types('#ops', '/instances stop web-1');
    else await deletes(sandbox);
    await held.arrived;
    const polls = (): number => sandbox.hosting.countCalls('GET', /\/instances\/101$/);
    const before = polls();
    await expect.poll(polls, { interval: 10 }).toBeGreaterThan(before + 2);
    held.release();
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toMatch(/(Stopped|Deleted) web-1/);
    expect(readAll(sandbox)[0]).not.toContain('though');
    expect(powerCalls(sandbox) + deleteCalls(sandbox)).toBe(1);
  },
);
