import { describe, expect, it } from 'vitest';
import { instance, worldOf } from '../../sandbox/world.ts';
import { answerTo, play, powerCalls, privateMessage, privateTexts, readAll } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { addNodes, findCard, incidents, looks, reads, setWatch, watch } from './watching.ts';

describe('what nobody asked for here', () => {
  it.each([
    ['stopped', 'web-1 (101) was stopped', 'web-1 (101) is running again'],
    ['error', 'web-1 (101) reports an error', 'web-1 (101) is running again'],
    ['paused', 'web-1 (101) was paused', 'web-1 (101) is running again'],
  ] as const)('is reported once and edited once it is over: %s', async (status, said, over) => {
    const sandbox = await watch('name:web-*');
    sandbox.hosting.changeStatus(101, status);
    expect(await reads(sandbox, said)).toContain('Nobody asked me for that.');
    await looks(sandbox);
    sandbox.hosting.changeStatus(101, 'running');
    const text = await reads(sandbox, over);
    expect(text).toMatch(/after \d+ s/);
    expect(text).not.toContain("I'm on it");
    await looks(sandbox);
    expect(incidents(sandbox)).toHaveLength(1);
  });

  it('reports an instance that is unhealthy for a while, and not one that is for a moment', async () => {
    const sandbox = await watch('name:web-*', { timings: { unhealthyAfterMs: 1_500 } });
    sandbox.hosting.changeHealth(102, 'unhealthy');
    await looks(sandbox, 2);
    sandbox.hosting.changeHealth(102, 'healthy');
    sandbox.hosting.changeHealth(101, 'unhealthy');
    await reads(sandbox, 'web-1 (101) has been unhealthy');
    sandbox.hosting.changeHealth(101, 'healthy');
    await reads(sandbox, 'web-1 (101) is healthy again');
    expect(incidents(sandbox)).toHaveLength(1);
  });

  it('does not report what was so before, nor what is renamed into view', async () => {
    const sandbox = await play();
    sandbox.hosting.changeStatus(102, 'stopped');
    await setWatch(sandbox, 'name:web-*');
    sandbox.hosting.renameInstance(103, 'web-103');
    await looks(sandbox);
    sandbox.hosting.renameInstance(103, 'worker-1');
    await looks(sandbox);
    expect(incidents(sandbox)).toEqual([]);
  });
});

describe('what was asked for here', () => {
  it('is not reported: stop, start, restart, delete, and several at once', async () => {
    const sandbox = await watch('name:*');
    const { slack } = sandbox;
    for (const line of ['stop web-1', 'start web-1', 'restart web-2']) {
      await slack.person('ana').types('#ops', `/instances ${line}`);
      await sandbox.settled();
    }
    await slack.person('admin').types('#ops', '/instances stop web-1 web-2');
    await slack.person('admin').presses(await privateMessage(sandbox, 'admin', 'Stop 2'), 'Stop 2');
    await sandbox.settled();
    await looks(sandbox, 6);
    expect(powerCalls(sandbox)).toBe(5);
    expect(incidents(sandbox)).toEqual([]);
    sandbox.hosting.changeStatus(103, 'stopped');
    await reads(sandbox, 'worker-1 (103) was stopped');
    expect(incidents(sandbox)).toHaveLength(1);
  });

  it('is not reported where its own card says how it failed', async () => {
    const sandbox = await watch('name:breaks');
    await sandbox.slack.person('ana').types('#ops', '/instances restart breaks');
    await sandbox.settled();
    await looks(sandbox, 4);
    expect(incidents(sandbox)).toEqual([]);
  });

  it('does not hide what happens to the same instance after it', async () => {
    const sandbox = await watch('name:web-1', { timings: { listMayLagMs: 50 } });
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.settled();
    await looks(sandbox, 4);
    sandbox.hosting.changeStatus(101, 'stopped');
    await reads(sandbox, 'web-1 (101) was stopped');
  });
});

describe('a card of a watch', () => {
  it('calls who is on it in its thread also where Slack has not answered yet that it stands', async () => {
    const sandbox = await watch('name:web-*', { timings: { slackTimeoutMs: 20_000 } });
    const { slack } = sandbox;
    const held = slack.hold('chat.postMessage', { when: 'after' });
    sandbox.hosting.changeStatus(101, 'error');
    await held.arrived;
    await slack.person('ana').presses(await findCard(sandbox, 'web-1 (101) reports an error'), "I'm on it");
    await until(() => privateTexts(sandbox, 'ana').some((text) => text.includes("You're on it")));
    sandbox.hosting.changeStatus(101, 'running');
    await looks(sandbox, 4);
    held.release();
    const call = await findCard(sandbox, '@ana ✅ web-1 (101) is running again');
    expect(call.thread_ts).toBe((await findCard(sandbox, 'Watch: ')).ts);
  });

  it('says who is on it, and calls them once in its thread when it is over', async () => {
    const sandbox = await watch('name:web-*');
    const { slack } = sandbox;
    sandbox.hosting.changeStatus(101, 'error');
    const card = await findCard(sandbox, 'web-1 (101) reports an error');
    await slack.until(() => slack.read(card).includes("[ I'm on it ]"));
    await slack.person('ana').presses(card, "I'm on it");
    await reads(sandbox, '@ana is on it');
    sandbox.hosting.changeStatus(101, 'running');
    await reads(sandbox, 'web-1 (101) is running again');
    const thread = (): string[] =>
      readAll(sandbox).filter((text) => text.startsWith('@ana') || text.includes('@ana ✅'));
    await slack.until(() => thread().length > 0);
    await looks(sandbox);
    expect(thread()).toHaveLength(1);
    expect(incidents(sandbox)).toHaveLength(1);
  });

  it('starts what was stopped the way any start goes, by the rights of the person who presses', async () => {
    const sandbox = await watch('name:web-*');
    const { slack } = sandbox;
    sandbox.hosting.changeStatus(101, 'stopped');
    const card = await findCard(sandbox, /web-1 \(101\) was stopped[\s\S]*\[ Start \]/);
    await slack.person('guest').presses(card, 'Start');
    await slack.until(() => privateTexts(sandbox, 'guest').length > 0);
    expect(powerCalls(sandbox)).toBe(0);
    await slack.person('ana').presses(card, 'Start');
    await reads(sandbox, 'Started web-1 (101)');
    await reads(sandbox, 'web-1 (101) is running again');
    expect(powerCalls(sandbox, 'start')).toBe(1);
    expect(incidents(sandbox)).toHaveLength(1);
  });

  it('that is snoozed keeps quiet about its instance, and not about others', async () => {
    const sandbox = await watch('name:web-*', { timings: { watchCalmMs: 0 } });
    const { slack } = sandbox;
    sandbox.hosting.changeStatus(101, 'error');
    const card = await findCard(sandbox, 'web-1 (101) reports an error');
    await slack.person('ana').presses(card, 'Snooze for four hours');
    await reads(sandbox, 'Snoozed by @ana');
    sandbox.hosting.changeStatus(101, 'running');
    await reads(sandbox, 'web-1 (101) is running again');
    sandbox.hosting.changeStatus(101, 'stopped');
    sandbox.hosting.changeStatus(102, 'stopped');
    await reads(sandbox, 'web-2 (102) was stopped');
    await looks(sandbox);
    expect(readAll(sandbox).some((text) => text.includes('web-1 (101) was stopped'))).toBe(false);
  });

  it('of an instance that comes and goes is one, however often', async () => {
    const sandbox = await watch('name:web-*');
    for (let times = 0; times < 5; times += 1) {
      sandbox.hosting.changeStatus(101, 'error');
      await looks(sandbox);
      sandbox.hosting.changeStatus(101, 'running');
      await looks(sandbox);
    }
    await reads(sandbox, 'It came and went 5 times');
    expect(incidents(sandbox)).toHaveLength(1);
  });

  it('is one for forty that change at once, and says when all are back', async () => {
    const sandbox = await play();
    const ids = Array.from({ length: 40 }, (_, index) => 1_000 + index);
    addNodes(sandbox, ids);
    await setWatch(sandbox, 'name:node-*');
    for (const id of ids) sandbox.hosting.changeStatus(id, id % 2 ? 'stopped' : 'error');
    await reads(sandbox, '40 instances changed: 20 in error, 20 stopped');
    await looks(sandbox);
    expect(incidents(sandbox)).toHaveLength(1);
    for (const id of ids) sandbox.hosting.changeStatus(id, 'running');
    await reads(sandbox, 'All 40 are running again');
    expect(incidents(sandbox)).toHaveLength(1);
  });
});

describe('who may watch what', () => {
  it('a watch shows what its setter may see, and rests while they may see nothing', async () => {
    const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    const { slack } = sandbox;
    const admin = slack.person('admin');
    await setWatch(sandbox, 'name:none-*');
    await admin.types('#ops', '/lamplighter access grant operator @ana on web-*');
    await slack.until(() => privateTexts(sandbox, 'admin').some((text) => text.includes('operator')));
    await setWatch(sandbox, 'name:*', 'ana');
    sandbox.hosting.changeStatus(103, 'stopped');
    sandbox.hosting.changeStatus(101, 'stopped');
    await reads(sandbox, 'web-1 (101) was stopped');
    await looks(sandbox);
    expect(readAll(sandbox).join('\n')).not.toContain('worker-1');
    await admin.types('#ops', '/lamplighter access revoke operator @ana on web-*');
    await reads(sandbox, 'Watching name:* is paused: @ana');
    sandbox.hosting.changeStatus(102, 'stopped');
    await looks(sandbox);
    expect(readAll(sandbox).join('\n')).not.toContain('web-2');
    await admin.types('#ops', '/lamplighter access grant operator @ana on web-*');
    await reads(sandbox, 'Watching name:* again');
  });

  it('a watch is ended by its words or by Unwatch, and says so', async () => {
    const sandbox = await watch('name:web-*');
    const { slack } = sandbox;
    await setWatch(sandbox, 'db-1');
    expect(await answerTo(sandbox, 'ana', '/instances watch name:WEB-*')).toContain('watched here already');
    await slack.person('ana').types('#ops', '/instances unwatch db-1');
    await reads(sandbox, '@ana stopped watching db-1 here');
    await slack.person('ana').types('#ops', '/instances watches');
    await slack.person('ana').presses(await privateMessage(sandbox, 'ana', '1 watch:'), 'Unwatch');
    await reads(sandbox, '@ana stopped watching name:web-* here');
    const before = sandbox.hosting.calls.length;
    sandbox.hosting.changeStatus(101, 'stopped');
    expect(await answerTo(sandbox, 'bob', '/instances watches')).toContain('Nothing is watched');
    expect(sandbox.hosting.calls.length - before).toBeLessThan(3);
    expect(incidents(sandbox)).toEqual([]);
  });

  it('the person who set it hears that the bot can not post in its channel any more', async () => {
    const sandbox = await watch('name:web-*', { isRefused: true });
    sandbox.slack.channel('#ops').archive();
    sandbox.hosting.changeStatus(101, 'stopped');
    const said = (): string[] =>
      sandbox.slack.person('admin').dms.map((message) => sandbox.slack.read(message));
    await sandbox.slack.until(() => said().some((text) => text.includes('I stopped watching name:web-*')));
    // Written down before the watch ends, it may come after that is said.
    await sandbox.said();
    // What the channel could not read is not lost.
    const incident = said().filter((text) => text.includes('was stopped'));
    expect(incident).toEqual([expect.stringContaining("I couldn't post this in")]);
  });

  it.each(['channel_is_limited_access', 'external_channel_migrating', 'no_such_code_today'])(
    'an incident that its channel refuses as %s is told to the person who set it',
    async (error) => {
      const sandbox = await watch('name:web-*', { isRefused: true });
      const { slack } = sandbox;
      const ops = slack.channel('#ops').id;
      // Also in each plainer form that is tried.
      for (let times = 0; times < 6; times++)
        slack.failNext(({ method, args }) => method === 'chat.postMessage' && args['channel'] === ops, {
          error,
        });
      sandbox.hosting.changeStatus(101, 'stopped');
      const said = (): string[] => slack.person('admin').dms.map((message) => slack.read(message));
      await slack.until(() => said().some((text) => text.includes('I stopped watching name:web-*')));
      await sandbox.said();
      expect(said().filter((text) => /web-1 \(101\) was stopped/.test(text))).toHaveLength(1);
    },
  );

  it('goes on where somebody deleted one of its cards', async () => {
    const sandbox = await watch('name:web-*', { isRefused: true });
    const { slack, hosting } = sandbox;
    hosting.changeStatus(101, 'stopped');
    const card = await findCard(sandbox, 'web-1 (101) was stopped');
    const isEdit = ({ method, args }: { method: string; args: Readonly<Record<string, unknown>> }): boolean =>
      method === 'chat.update' && args['ts'] === card.ts;
    for (let times = 0; times < 12; times++) slack.failNext(isEdit, { error: 'message_not_found' });
    // Whoever is on it is to be called in its thread once it is over.
    await slack.person('ana').presses(card, "I'm on it");
    await slack.until(() => slack.calls.some(isEdit));
    hosting.changeStatus(101, 'running');
    await looks(sandbox);
    await sandbox.settled();
    hosting.changeStatus(102, 'stopped');
    await reads(sandbox, 'web-2 (102) was stopped');
    await sandbox.settled();
    const said = slack.person('admin').dms.map((message) => slack.read(message));
    expect(said.join('\n')).not.toContain('I stopped watching');
  });
});

describe('a list that can not be relied on', () => {
  it('that is incomplete says of nothing that it was deleted', async () => {
    const instances = Array.from({ length: 12 }, (_, index) => instance(1_001 + index, `web-${index + 1}`));
    const sandbox = await watch('name:web-*', {
      hosting: {
        world: worldOf(instances, { balanceCredits: 1_000 }),
        variant: { paging: { style: 'total alone', size: 10 } },
      },
    });
    // How many there are, nobody knows.
    expect(await reads(sandbox, 'Watching name:web-*')).toContain('Watching name:web-* here. ');
    sandbox.hosting.removeInstance(1_001);
    sandbox.hosting.changeStatus(1_002, 'stopped');
    await reads(sandbox, 'web-2 (1002) was stopped');
    await looks(sandbox);
    expect(incidents(sandbox)).toHaveLength(1);
  });

  it('that fails reports nothing, and what changed meanwhile is reported once it is read again', async () => {
    const sandbox = await watch('name:web-*');
    const end = sandbox.hosting.failNext({ method: 'GET', path: /\/instances(\?.*)?$/ }, 500, 1_000);
    sandbox.hosting.changeStatus(101, 'stopped');
    await looks(sandbox, 4);
    expect(incidents(sandbox)).toEqual([]);
    end();
    await reads(sandbox, 'web-1 (101) was stopped');
  });
});
