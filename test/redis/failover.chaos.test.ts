import { describe, expect, it, onTestFinished } from 'vitest';
import { type RedisGroupOptions, startRedisGroup } from '../../sandbox/redis-group.ts';
import type { RedisGroup } from '../../sandbox/redis-nodes.ts';
import type { Timings } from '../../src/core/timings.ts';
import {
  answerTo,
  deletes,
  play,
  powerCalls,
  privateTexts,
  readAll,
  ready,
  urlOf,
} from '../support/sandbox.ts';
import { until } from '../support/until.ts';

// Each starts a primary, two replicas and three Sentinels, which take a second and a half to see that the primary is gone: that is
// what the tests are about.

async function playWithReplicas(
  env: Record<string, string> = {},
  options: RedisGroupOptions = {},
  timings: Partial<Timings> = {},
) {
  let group: RedisGroup | undefined;
  const sandbox = await play({
    ownRedis: true,
    startRedis: async () => (group = await startRedisGroup(options)),
    env: { REDIS_REPLICAS: '1', ...env },
    timings,
  });
  if (!group) throw new Error('no group');
  onTestFinished(() => group?.stop());
  return { sandbox, group };
}

describe('where Sentinel has a replica take over from Redis', () => {
  it('a restart under way ends once, and the next command is taken', async () => {
    const { sandbox, group } = await playWithReplicas({}, {}, { patienceMs: 60_000 });
    const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await held.arrived;
    await group.kill();
    held.release();
    await ready(sandbox);
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('Restarted web-1'));
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-2');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-2')));
    expect(powerCalls(sandbox)).toBe(2);
    expect(readAll(sandbox).filter((text) => text.includes('web-1')).length).toBeLessThanOrEqual(2);
  });

  it('the primary that stood still meanwhile takes nothing more, and what was pressed ends once', async () => {
    const { sandbox, group } = await playWithReplicas();
    const paused = group.pause(4_000);
    await until(async () => (await fetch(urlOf(sandbox, '/readyz'))).status === 503);
    await ready(sandbox);
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await paused;
    // In the moment in which one replica is the primary and the other still follows the old one, nobody can tell.
    const said = (): string[] => [...readAll(sandbox).slice(0, 1), ...privateTexts(sandbox, 'ana')];
    await sandbox.slack.until(() =>
      /Restarted web-1|unknown whether it|don't know whether it will be done/.test(said().join('\n')),
    );
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBeLessThanOrEqual(1);
    expect(readAll(sandbox).length).toBeLessThanOrEqual(2);
    expect(sandbox.logs.join('')).not.toContain('the data of Redis is lost');
  });
});

describe('where no replica is left', () => {
  it('nothing is taken, begun or sent, and all is again once one is there', async () => {
    const { sandbox, group } = await playWithReplicas();
    await group.endReplicas();
    await until(async () => (await fetch(urlOf(sandbox, '/readyz'))).status === 503);
    expect(await answerTo(sandbox, 'ana', '/instances restart web-1')).toContain('nothing was done');
    expect(readAll(sandbox)).toEqual([]);
    await group.startReplicas();
    await ready(sandbox);
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('Restarted web-1'));
    expect(powerCalls(sandbox)).toBe(1);
  });

  it('a call whose time comes is not sent before one is there, and then once', async () => {
    const { sandbox, group } = await playWithReplicas({}, {}, { cancelWindowMs: 1_500 });
    const deletions = (): number => sandbox.hosting.calls.filter(({ method }) => method === 'DELETE').length;
    await deletes(sandbox);
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('web-1'));
    await group.endReplicas();
    // Said of the call, or of an edit of its card: neither leaves.
    await until(() =>
      sandbox.logs.some((line) => line.includes('writing down what leaves: too few replicas')),
    );
    await new Promise((done) => setTimeout(done, 2_000));
    expect(deletions()).toBe(0);
    await group.startReplicas();
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('Deleted web-1'));
    expect(deletions()).toBe(1);
  });

  it('the bot goes on where its operator allows that, and counts each time', async () => {
    const { sandbox, group } = await playWithReplicas({ LAMPLIGHTER_ALLOW: 'lone-redis' });
    await group.endReplicas();
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => readAll(sandbox)[0]?.includes('Restarted web-1'));
    expect(powerCalls(sandbox)).toBe(1);
    const metrics = await (await fetch(urlOf(sandbox, '/metrics'))).text();
    expect(metrics).toMatch(/lamplighter_redis_not_replicated_total\{result="went on"\} [1-9]/);
    expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toContain(
      'This Redis has 0 of the 1 replicas that REDIS_REPLICAS asks for',
    );
  });
});

it('replicas of which Sentinel prefers one are named at the start and by the doctor', async () => {
  const { sandbox } = await playWithReplicas({}, { priorities: [100, 10] });
  const words =
    /replica that lacks what was acknowledged, because their replica-priority differs \((?:100, 10|10, 100)\)/;
  expect(sandbox.logs.join('')).toMatch(words);
  expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toMatch(words);
});
