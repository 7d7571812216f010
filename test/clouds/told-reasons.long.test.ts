import { describe, expect, it } from 'vitest';
import type { CloudKind } from '../../sandbox/clouds/cloud.ts';
import type { Fault } from '../../sandbox/clouds/faults.ts';
import type { Timings } from '../../src/core/timings.ts';
import { answerTo, deletes, readAll, runToEnd } from '../support/sandbox.ts';
import { CLOUDS, playOn, writesTo } from './play-on.ts';

type Verb = 'restart' | 'stop' | 'delete';

/** What a change ends in whose call is answered like this, each time, and how many calls were sent. */
async function told(
  kind: CloudKind,
  verb: Verb,
  fault: Fault,
  timings: Partial<Timings> = {},
): Promise<[card: string, sent: number]> {
  const { sandbox, cloud } = await playOn(kind, {}, { timings });
  cloud.failNext({ method: verb === 'delete' ? 'DELETE' : 'POST' }, fault, 100);
  if (verb === 'delete') {
    await deletes(sandbox);
    await sandbox.settled();
  } else await runToEnd(sandbox, 'ana', `/instances ${verb} web-1`);
  expect(cloud.effects()).toEqual([]);
  return [readAll(sandbox)[0]?.split('\n')[0] ?? '', writesTo(cloud).length];
}

const answered = (status: number, message: string, code?: string): Fault => ({
  kind: 'status',
  status,
  message,
  ...(code === undefined ? {} : { code }),
});

const PENDING = answered(422, 'Droplet already has a pending event.');
const LOCKED = answered(423, 'the server is locked by another action', 'locked');
const PROTECTED = answered(423, 'server deletion is protected', 'protected');
const IN_WORDS = answered(500, 'Unable to remove VM: Server is currently locked');

describe('what each cloud answers of a machine that is locked meanwhile is told with its own words', () => {
  it.each<[CloudKind, Verb, Fault, string, number]>([
    [
      'digitalocean',
      'restart',
      PENDING,
      '❌ Could not restart web-1 (412000001): the service refused. It is running now. The service said: "Droplet already has a pending event."',
      1,
    ],
    [
      'digitalocean',
      'stop',
      PENDING,
      '❌ Could not stop web-1 (412000001): the service refused. It is running now. The service said: "Droplet already has a pending event."',
      1,
    ],
    [
      'digitalocean',
      'delete',
      PENDING,
      '❌ Could not delete web-1 (412000001): the service refused. It reports running. The service said: "Droplet already has a pending event."',
      1,
    ],
    [
      'hetzner',
      'delete',
      PROTECTED,
      '❌ Could not delete web-1 (51230001): the hosting service protects it against that. Lift the protection there first. The service said: "server deletion is protected".',
      1,
    ],
    [
      'vultr',
      'restart',
      IN_WORDS,
      'unknown whether it restarted, because the service answered with an error (500): "Unable to remove VM: Server is currently locked". Running now. Not retried.',
      1,
    ],
    // It names its end, so that it is asked again once nothing shows that it was done.
    [
      'vultr',
      'delete',
      IN_WORDS,
      'unknown whether it will be deleted, because the service answered with an error (500): "Unable to remove VM: Server is currently locked". It reports running. Asked 3 times.',
      3,
    ],
  ])('at %s, a %s', async (kind, verb, fault, words, sent) => {
    const [card, calls] = await told(kind, verb, fault);
    expect(card).toContain(words);
    expect(calls).toBe(sent);
  });

  it.each(['restart', 'stop', 'delete'] as const)(
    'at Hetzner Cloud, a %s that is answered 423 locked is asked again for as long as it may begin, and then not begun',
    async (verb) => {
      const [card, calls] = await told('hetzner', verb, LOCKED, { acceptWithinMs: 2_500 });
      expect(card).toContain(
        `❌ Could not ${verb} web-1 (51230001): the hosting service is doing something else with it.`,
      );
      expect(card).toContain(
        'The service said: "the server is locked by another action". Nothing was done; try again in a minute.',
      );
      expect(calls).toBeGreaterThan(1);
    },
  );
});

describe.each(CLOUDS)('the reason that %s gives', (kind) => {
  it.each([
    // One server of a service may not know a key: that nothing was done is certain, and it is asked once more.
    [401, "the hosting service refused the bot's API key", 2],
    [403, "the hosting service does not allow that with the bot's API key", 1],
  ])('with a %i is told, and its calls are counted', async (status, words, times) => {
    const [card, calls] = await told(kind, 'restart', answered(status, 'Unauthorized IP address'));
    expect(card).toContain(`❌ Could not restart web-1`);
    expect(card).toContain(
      `${words}. The service said: "Unauthorized IP address". The person who runs the bot must check it.`,
    );
    expect(calls).toBe(times);
  });

  it('with a 401 for a reading is told, and nothing is sent', async () => {
    const { sandbox, cloud } = await playOn(kind);
    cloud.failNext({ method: 'GET' }, answered(401, 'Unauthorized IP address'), 1_000);
    for (const line of ['/instances', '/instances show web-1', '/instances restart web-1'])
      expect(await answerTo(sandbox, 'ana', line)).toContain(
        'The service said: "Unauthorized IP address". The person who runs the bot must check it.',
      );
    expect(writesTo(cloud)).toEqual([]);
  });

  it('is not told with the key, where the answer repeats that', async () => {
    const { sandbox, cloud } = await playOn(kind, { token: 'a-key-that-no-word-is-like-7f3a' });
    cloud.failNext({ method: 'POST' }, answered(401, `The key ${cloud.token} is not allowed here`), 9);
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    const said = readAll(sandbox).join('\n');
    expect(said).toContain('is not allowed here');
    expect(said + sandbox.logs.join('')).not.toContain(cloud.token);
  });
});
