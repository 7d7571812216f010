import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { faultOfRedisUrl } from '../../src/app/config/addresses.ts';
import { optionsOf, passwordsIn, hostsIn, shownAddress } from '../../src/platform/redis/address.ts';

describe('the address of Sentinels', () => {
  it('names them, the primary, its database, and who asks each of them', () => {
    const { options } = optionsOf({
      url: 'redis+sentinel://bot:p%40ss@one:26380,two,[::1]:5/mymaster/3?sentinelUsername=w&sentinelPassword=s%2Fs',
    });
    expect(options).toMatchObject({
      sentinels: [
        { host: 'one', port: 26_380 },
        { host: 'two', port: 26_379 },
        { host: '::1', port: 5 },
      ],
      name: 'mymaster',
      db: 3,
      username: 'bot',
      password: 'p@ss',
      sentinelUsername: 'w',
      sentinelPassword: 's/s',
    });
    expect(options.tls).toBeUndefined();
  });

  it('with TLS has it to all of them, with the certificate of the bot', () => {
    const certificate = { cert: 'CERT', key: 'KEY' };
    const { options } = optionsOf({ url: 'rediss+sentinel://one/m', certificate });
    expect(options).toMatchObject({
      tls: certificate,
      sentinelTLS: certificate,
      enableTLSForSentinelMode: true,
    });
  });

  it.each([
    'redis+sentinel://',
    'redis+sentinel://one',
    'redis+sentinel://one/',
    'redis+sentinel:///m',
    'redis+sentinel://one:x/m',
    'redis+sentinel://one/m/x',
    'redis+sentinel://one,/m',
  ])('that is none is refused, and not quoted: %s', (url) => {
    expect(faultOfRedisUrl(url)).toBe(
      'must name the Sentinels and what they call the primary, as in redis+sentinel://one:26379,two:26379/mymaster',
    );
  });

  it('gives back any password that was encoded, and shows none', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8 }), fc.string({ minLength: 8 }), (one, other) => {
        const url = `redis+sentinel://u:${encodeURIComponent(one)}@h/m?sentinelPassword=${encodeURIComponent(other)}`;
        expect(faultOfRedisUrl(url)).toBeUndefined();
        expect(hostsIn(url)).toMatchObject({
          login: { password: one },
          sentinelLogin: { sentinelPassword: other },
        });
        expect(passwordsIn(url)).toEqual(expect.arrayContaining([one, other]));
        expect(shownAddress(url)).toBe('redis+sentinel://h/m');
      }),
    );
  });
});

it.each([
  ['valkey://h:1/2', 'redis://h:1/2'],
  ['valkeys://h', 'rediss://h'],
  ['/run/valkey.sock', '/run/valkey.sock'],
])('a Valkey is reached as a Redis: %s', (url, asked) => {
  expect(faultOfRedisUrl(url)).toBeUndefined();
  expect(optionsOf({ url }).url).toBe(asked);
});
