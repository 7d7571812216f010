import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { workspaceKeys } from '../../src/core/workspaces/installation.ts';
import {
  CLIENT,
  HOUR_MS,
  installs,
  LANTERN,
  NEW_KEY,
  OLD_KEY,
  openScene,
  QUARRY,
  STATE_SECRET,
  STRANGERS,
  TOKENS_LIVE_MS,
} from './scene.ts';

/** Every key of a database with all that it holds, as text; each as Redis itself would dump it as well. */
async function dumpOf(url: string): Promise<{ readonly keys: number; readonly text: string }> {
  const redis = new Redis(url);
  try {
    const names = await redis.keys('*');
    const parts = await Promise.all(
      names.map(async (name) => {
        const kind = await redis.type(name);
        const held = kind === 'hash' ? await redis.hgetall(name) : await redis.get(name);
        return [name, JSON.stringify(held), (await redis.dumpBuffer(name))?.toString('latin1')].join('\n');
      }),
    );
    return { keys: names.length, text: parts.join('\n') };
  } finally {
    redis.disconnect();
  }
}

/** A secret as it may be written: plain, and in base64 and hex; base64 at each of its three offsets. */
function formsOf(secret: string): readonly string[] {
  const offsets = [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(' '.repeat(offset) + secret).toString('base64url');
    // What lies in one group of four letters with other bytes may differ.
    return encoded.slice(offset === 0 ? 0 : 4, -4);
  });
  const inBase64 = offsets.flatMap((one) => [one, one.replaceAll('-', '+').replaceAll('_', '/')]);
  return [secret, ...inBase64, Buffer.from(secret).toString('hex'), secret.split('').toReversed().join('')];
}

it('a dump of the database holds no token, no refresh token and no secret, after whatever happened', async () => {
  const scene = await openScene({ tokensLiveMs: TOKENS_LIVE_MS });
  const { slack } = scene;
  const parts = await scene.process({ keys: `${NEW_KEY},${OLD_KEY}` });
  const secrets = new Set([
    CLIENT.clientSecret,
    STATE_SECRET,
    ...[NEW_KEY, OLD_KEY].map((one) => one.slice(6)),
  ]);
  const dumps: string[] = [];
  const look = async (): Promise<void> => {
    for (const { id } of [LANTERN, QUARRY, STRANGERS])
      for (const { token, refreshToken = '' } of slack.oauth.tokensOf(id))
        secrets.add(token).add(refreshToken);
    const { keys, text } = await dumpOf(scene.redisUrl);
    expect(keys).toBeGreaterThan(0);
    dumps.push(text);
  };
  // Installed under the older key, and again under the newer one.
  await installs(scene, await scene.process({ keys: OLD_KEY }), LANTERN.id);
  await look();
  await installs(scene, parts, QUARRY.id);
  await parts.tokens.of(LANTERN.id);
  await look();
  // One that is refused, and one whose answer is lost.
  await installs(scene, parts, STRANGERS.id);
  slack.loseAnswerOfNext('oauth.v2.access');
  await installs(scene, parts, LANTERN.id);
  await look();
  // While a refresh is under way, after it, and after one that is refused.
  scene.pass(TOKENS_LIVE_MS - HOUR_MS);
  const held = slack.hold('oauth.v2.access', { when: 'after' });
  await parts.tokens.of(QUARRY.id);
  await held.arrived;
  await look();
  held.release();
  await parts.tokens.drain();
  await look();
  scene.pass(TOKENS_LIVE_MS);
  slack.failNext('oauth.v2.access', { error: 'invalid_refresh_token' });
  await expect(parts.tokens.of(QUARRY.id)).rejects.toThrow('token_expired');
  await look();

  expect(secrets.size).toBeGreaterThanOrEqual(4 + 2 * 4);
  const found = [...secrets].flatMap(formsOf).filter((form) => dumps.some((dump) => dump.includes(form)));
  expect(found).toEqual([]);
  for (const line of parts.lines) for (const secret of secrets) expect(line).not.toContain(secret);
  // The search sees what it looks for: the same dump with one token in plain does not pass.
  const token = [...secrets].find((one) => one.startsWith('xoxe.xoxb')) ?? '';
  await parts.redis.hset(workspaceKeys.installations, 'T1', Buffer.from(` ${token}`).toString('base64'));
  const { text } = await dumpOf(scene.redisUrl);
  expect(formsOf(token).some((form) => text.includes(form))).toBe(true);
});
