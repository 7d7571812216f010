import { describe, expect, onTestFinished, test } from 'vitest';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import { createSessions, type Sessions, createSessionStore } from '../../src/platform/hosting/sessions.ts';
import { connectBlocking, connectFailFast } from '../../src/platform/redis/connection.ts';
import { dumpOf } from '../support/redis-dump.ts';
import { until } from '../support/until.ts';
import { takeDatabase } from '../support/shared-redis.ts';

const KEY = 'an-id-of-ours:a-secret-of-ours';
const MINUTE_MS = 60_000;

/** A login at which tokens last an hour, and processes that share a Redis. */
async function openLogin() {
  const database = await takeDatabase();
  onTestFinished(() => database.release());
  const login = {
    at: Date.UTC(2026, 0, 5),
    opened: 0,
    asked: 0,
    fault: undefined as HostingError | undefined,
    url: database.url,
    process: (service = 'a service'): Sessions => {
      const redis = connectBlocking({ url: database.url }, () => undefined);
      onTestFinished(() => redis.disconnect());
      return createSessions({
        store: createSessionStore(redis, service),
        now: () => login.at,
        open: async () => {
          login.asked += 1;
          if (login.fault) throw login.fault;
          login.opened += 1;
          await new Promise((done) => {
            setTimeout(done, 20);
          });
          return { token: `token-${login.opened}-of-a-login`, lastsMs: 60 * MINUTE_MS };
        },
      });
    },
  };
  return login;
}

const down = new HostingError('exchanging', {
  fault: 'unavailable',
  outcome: 'not-done',
  retryable: true,
  status: 503,
});

describe('a key that is exchanged for a token', () => {
  test('is exchanged once, however many processes and calls want one at once', async () => {
    const login = await openLogin();
    const processes = [login.process(), login.process(), login.process()];
    const held = await Promise.all([...processes, ...processes].map((one) => one.get(KEY, 'reading')));
    expect(new Set(held.map(({ token }) => token))).toEqual(new Set(['token-1-of-a-login']));
    expect(login.opened).toBe(1);
  });

  test('is exchanged anew before the token ends, and again once for all', async () => {
    const login = await openLogin();
    const [one, other] = [login.process(), login.process()];
    await one.get(KEY, 'reading');
    login.at += 58 * MINUTE_MS;
    expect((await one.get(KEY, 'reading')).token).toBe('token-1-of-a-login');
    login.at += 1.5 * MINUTE_MS;
    // Nobody waits for the next one as long as this one counts.
    expect((await one.get(KEY, 'reading')).token).toBe('token-1-of-a-login');
    await until(async () => (await one.get(KEY, 'reading')).token === 'token-2-of-a-login');
    expect((await other.get(KEY, 'reading')).token).toBe('token-2-of-a-login');
    expect(login.opened).toBe(2);
  });

  test('is not exchanged again and again while the login is down or refuses it', async () => {
    const login = await openLogin();
    const one = login.process();
    login.fault = down;
    const ask = (): Promise<unknown> => one.get(KEY, 'reading').catch((error: unknown) => error);
    for (let nth = 0; nth < 20; nth += 1) expect(await ask()).toBe(down);
    expect(login.asked).toBe(1);
    login.at += 1_500;
    await ask();
    await ask();
    expect(login.asked).toBe(2);
    login.fault = undefined;
    expect(await ask()).toBe(down);
    login.at += 3_000;
    expect(await ask()).toMatchObject({ token: 'token-1-of-a-login' });
    // Another key is another matter.
    login.fault = down;
    await expect(one.get('another:key-of-ours', 'reading')).rejects.toBe(down);
    expect(login.asked).toBe(4);
  });

  test('is used on while the login is down, as long as its token counts', async () => {
    const login = await openLogin();
    const one = login.process();
    await one.get(KEY, 'reading');
    login.fault = down;
    login.at += 59.5 * MINUTE_MS;
    expect((await one.get(KEY, 'reading')).token).toBe('token-1-of-a-login');
    login.at += MINUTE_MS;
    await expect(one.get(KEY, 'reading')).rejects.toBe(down);
  });

  test('is exchanged once more where the service refuses the token, and not where it was given just now', async () => {
    const login = await openLogin();
    const [one, other] = [login.process(), login.process()];
    const held = await one.get(KEY, 'reading');
    expect(one.refused(held)).toBe(false);
    login.at += MINUTE_MS;
    expect(one.refused(held)).toBe(true);
    expect((await one.get(KEY, 'reading')).token).toBe('token-2-of-a-login');
    // The other hears of it where it is refused the first as well, and takes what is there by now.
    expect(other.refused(held)).toBe(true);
    expect((await other.get(KEY, 'reading')).token).toBe('token-2-of-a-login');
    expect(login.opened).toBe(2);
  });

  test('stands in Redis only as nobody can read it who has another key', async () => {
    const login = await openLogin();
    await login.process().get(KEY, 'reading');
    const dump = await dumpOf(login.url, /./);
    expect(dump).toContain('session:');
    expect(dump).not.toContain('of-a-login');
    expect(dump).not.toContain('of-ours');
    expect((await login.process().get('another-id:another-secret', 'reading')).token).toBe(
      'token-2-of-a-login',
    );
  });

  test('is no token of another service with the same key', async () => {
    const login = await openLogin();
    const [one, other] = [login.process('staging'), login.process('production')];
    const tokens = [(await one.get(KEY, 'reading')).token, (await other.get(KEY, 'reading')).token];
    expect(tokens).toEqual(['token-1-of-a-login', 'token-2-of-a-login']);
  });

  test('works on without Redis', async () => {
    const sessions = createSessions({
      store: createSessionStore(deadRedis(), 'a service'),
      now: Date.now,
      open: async () => ({ token: 'token-without-redis' }),
    });
    expect((await sessions.get(KEY, 'reading')).token).toBe('token-without-redis');
  });

  test('and the token is taken out of what a service echoes', async () => {
    const login = await openLogin();
    const one = login.process();
    await one.get(KEY, 'reading');
    expect(one.redact('you sent token-1-of-a-login')).toBe('you sent …');
  });
});

function deadRedis() {
  const redis = connectFailFast({ url: 'redis://127.0.0.1:1' }, () => undefined);
  onTestFinished(() => redis.disconnect());
  return redis;
}
