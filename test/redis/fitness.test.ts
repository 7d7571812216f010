import { describe, expect, it } from 'vitest';
import { judgeRedis, type RedisFacts, redisNo, RISKS } from '../../src/redis/fitness.ts';

const FIT: RedisFacts = {
  version: '7.0.15',
  isAppendOnly: true,
  appendFsync: 'always',
  evictionPolicy: 'noeviction',
  isReplica: false,
  isCluster: false,
  skewMs: 3,
};
const LOCAL = 'redis://127.0.0.1:6379';

describe('a Redis', () => {
  it('that is fit is taken without a word', () => {
    expect(judgeRedis(FIT, LOCAL, [])).toEqual({ refusals: [], warnings: [] });
  });

  it.each([
    ['5.0.14', 1],
    ['6.0.16', 1],
    ['', 1],
    ['6.2.0', 0],
    ['7.4.1', 0],
    ['8.0.0', 0],
  ])('of version %j is refused %i times', (version, times) => {
    expect(judgeRedis({ ...FIT, version }, LOCAL, []).refusals).toHaveLength(times);
  });

  it.each([
    ['redis://redis.example:6379', 1],
    ['redis://user:secret@redis.example:6379', 0],
    ['rediss://redis.example', 1],
    ['redis://localhost', 0],
    ['redis://[::1]:6379', 0],
    ['/run/redis.sock', 0],
  ])('at %s without a password is refused %i times', (url, times) => {
    expect(judgeRedis(FIT, url, []).refusals).toHaveLength(times);
  });

  it.each([
    ['volatile-redis', { isAppendOnly: false }, LOCAL],
    ['evicting-redis', { evictionPolicy: 'volatile-lru' }, LOCAL],
    ['open-redis', {}, 'redis://redis.example'],
  ] as const)(
    'with a risk is refused by the name %s, and by that name allowed with a warning',
    (risk, facts, url) => {
      const refused = judgeRedis(
        { ...FIT, ...facts },
        url,
        RISKS.filter((one) => one !== risk),
      );
      expect(refused.refusals.join()).toContain(`LAMPLIGHTER_ALLOW=${risk}`);
      const allowed = judgeRedis({ ...FIT, ...facts }, url, [risk]);
      expect(allowed.refusals).toEqual([]);
      expect(allowed.warnings).toHaveLength(1);
    },
  );

  it.each([
    [{ isReplica: true }, 'replica'],
    [{ isCluster: true }, 'cluster'],
  ])('that is %j is refused, whatever is allowed', (facts, word) => {
    expect(judgeRedis({ ...FIT, ...facts }, LOCAL, RISKS).refusals.join()).toContain(word);
  });

  it.each([2_500, -3_600_000])('whose clock is %i ms off is said', (skewMs) => {
    expect(judgeRedis({ ...FIT, skewMs }, LOCAL, []).warnings).toHaveLength(1);
  });
});

it.each([
  ['NOAUTH Authentication required.', 'wants a password'],
  ['WRONGPASS invalid username-password pair', 'refuses the password'],
  ["NOPERM User bot has no permissions to run the 'info' command", "'info'"],
  ['LOADING Redis is loading the dataset in memory', 'try again in a moment'],
  ['connect ECONNREFUSED 127.0.0.1:1', 'reaching Redis at REDIS_URL'],
])('"%s" is told so that somebody can act', (message, words) => {
  expect(redisNo(new Error(message))).toContain(words);
});
