import { describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { operationKeys } from '../../src/core/operations/keys.ts';
import { startRedisProxy } from '../support/redis-proxy.ts';
import { answerTo, play, type PlayOptions, privateMessage, readAll } from '../support/sandbox.ts';
import { renameChange } from './rename.ts';

/** A bot with one more verb, which is declared in a test and nowhere in the bot. */
function open(options: PlayOptions = {}): Promise<Sandbox> {
  return play({ ...options, more: (deps) => ({ instances: [renameChange(deps)] }) });
}

/** Asks for a new name, and gives the question. */
async function asks(sandbox: Sandbox, line = '/instances rename web-1 frontend'): Promise<PostedMessage> {
  await sandbox.slack.person('ana').types('#ops', line);
  return privateMessage(sandbox, 'ana', 'Rename web-1 to frontend?');
}

const patches = ({ hosting }: Sandbox): number =>
  hosting.calls.filter(({ method }) => method === 'PATCH').length;

describe('a verb with an argument that is declared outside the bot', () => {
  it('shows what it will do, asks, does it once, and says so on its card and in its reply', async () => {
    const sandbox = await open();
    const question = await asks(sandbox, '/instances rename web-1 frontend --because "new team"');
    expect(sandbox.slack.read(question)).toContain('Rename web-1 to frontend?');
    expect(patches(sandbox)).toBe(0);
    await sandbox.slack.person('ana').presses(question, 'Rename');
    await sandbox.settled();
    const [card, reply] = readAll(sandbox);
    expect(card).toContain('✅ Renamed web-1 (101) to frontend in');
    expect(card).toContain('Because: new team');
    expect(reply).toMatch(/@ana Renamed web-1 \(101\) to frontend/);
    expect(patches(sandbox)).toBe(1);
    expect(await answerTo(sandbox, 'ana', '/instances show frontend')).toContain('frontend');
  });

  it('says on a dry run what it would do, and does nothing', async () => {
    const sandbox = await open();
    expect(await answerTo(sandbox, 'ana', '/instances rename web-1 frontend --dry-run')).toContain(
      'Would ask you and then rename web-1 (101) to frontend; web-1 (101) is running. This was a dry run: nothing was done.',
    );
    expect(patches(sandbox)).toBe(0);
  });

  it('keeps its argument, typed, on the record', async () => {
    const sandbox = await open();
    const held = sandbox.hosting.hold({ method: 'PATCH' });
    await sandbox.slack.person('ana').presses(await asks(sandbox), 'Rename');
    await held.arrived;
    const redis = new Redis(sandbox.redisUrl);
    const [id = ''] = await redis.zrange(operationKeys.open, '0', '0');
    const record = JSON.parse((await redis.hget(operationKeys.operation(id), 'record')) ?? '');
    redis.disconnect();
    expect(record).toMatchObject({ kind: 'instances.rename', args: { name: 'frontend' } });
    held.release();
    await sandbox.settled();
  });

  it('lets nobody else change the instance meanwhile, and names who is on it', async () => {
    const sandbox = await open();
    const held = sandbox.hosting.hold({ method: 'PATCH' });
    await sandbox.slack.person('ana').presses(await asks(sandbox), 'Rename');
    await held.arrived;
    expect(await answerTo(sandbox, 'ana', '/instances restart web-1')).toContain(
      'web-1 (101) is being renamed, asked by @ana',
    );
    held.release();
    await sandbox.settled();
  });

  it('is looked up where the answer is lost, and reported as done by what is seen', async () => {
    const sandbox = await open();
    const held = sandbox.hosting.hold({ method: 'PATCH' }, 'after');
    await sandbox.slack.person('ana').presses(await asks(sandbox), 'Rename');
    await held.arrived;
    held.drop();
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain(
      '✅ Renamed web-1 (101) to frontend: I can see the change since my call',
    );
    expect(patches(sandbox)).toBe(1);
  });

  it('is brought to its end by the next process where the first dies with the call under way', async () => {
    const sandbox = await open({ bot: false });
    const proxy = await startRedisProxy(sandbox.redisUrl);
    await sandbox.startBot({ REDIS_URL: proxy.url });
    const held = sandbox.hosting.hold({ method: 'PATCH' }, 'after');
    await sandbox.slack.person('ana').presses(await asks(sandbox), 'Rename');
    await held.arrived;
    proxy.cut();
    held.drop();
    await sandbox.startBot();
    await sandbox.settled();
    expect(readAll(sandbox)).toHaveLength(2);
    expect(readAll(sandbox)[0]).toContain('✅ Renamed web-1 (101) to frontend');
    expect(patches(sandbox)).toBe(1);
    await proxy.stop();
  });

  it.each([
    [
      '/instances rename web-1',
      'I need an instance and name, so nothing was done. Example: rename web-1 frontend.',
    ],
    ['/instances rename web-1 UPPER', "I can't take that name: use a-z, 0-9 and -. Nothing was done."],
    ['/instances rename wbe-1 frontend', 'No instance has exactly the name or id "wbe-1"'],
  ])('%s is refused in a sentence', async (line, sentence) => {
    const sandbox = await open();
    expect(await answerTo(sandbox, 'ana', line)).toContain(sentence);
    expect(patches(sandbox)).toBe(0);
  });

  it('is in the help of its noun', async () => {
    const sandbox = await open();
    expect(await answerTo(sandbox, 'ana', '/instances help')).toContain('rename <name or id> <new name>');
  });
});
