import { describe, expect, it } from 'vitest';
import { isRedisDown, redisNo } from '../../src/platform/redis/faults.ts';
import { judgeRedis, type RedisFacts, RISKS } from '../../src/platform/redis/fitness.ts';

const FIT: RedisFacts = {
  version: '7.0.15',
  isAppendOnly: true,
  appendFsync: 'always',
  evictionPolicy: 'noeviction',
  isReplica: false,
  isCluster: false,
  replicas: 0,
  priorities: undefined,
  memory: { usedBytes: 1_000_000, maxBytes: 0 },
  skewMs: 3,
};
const LOCAL = { url: 'redis://127.0.0.1:6379' };

describe('a Redis', () => {
  it('that is fit is taken without a word', () => {
    expect(judgeRedis(FIT, LOCAL, [])).toEqual({ refusals: [], warnings: [], notes: [] });
  });

  it.each([
    ['5.0.14', 1],
    ['6.0.16', 1],
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
    expect(judgeRedis(FIT, { url }, []).refusals).toHaveLength(times);
  });

  it.each([
    ['volatile-redis', { isAppendOnly: false }, LOCAL],
    ['evicting-redis', { evictionPolicy: 'volatile-lru' }, LOCAL],
    ['open-redis', {}, { url: 'redis://redis.example' }],
  ] as const)(
    'with a risk is refused by the name %s, and by that name allowed with a warning',
    (risk, facts, at) => {
      const refused = judgeRedis(
        { ...FIT, ...facts },
        at,
        RISKS.filter((one) => one !== risk),
      );
      expect(refused.refusals.join()).toContain(`LAMPLIGHTER_ALLOW=${risk}`);
      const allowed = judgeRedis({ ...FIT, ...facts }, at, [risk]);
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

  it('that says little of itself is taken, and what it does not say is named', () => {
    const unsaid = { isAppendOnly: undefined, appendFsync: undefined, evictionPolicy: undefined };
    const nothing = { ...FIT, ...unsaid, version: undefined, isCluster: undefined, replicas: undefined };
    const { notes, ...others } = judgeRedis(nothing, { ...LOCAL, replicas: 1 }, []);
    expect(others).toEqual({ refusals: [], warnings: [] });
    expect(notes).toEqual([
      "Redis doesn't say, so it is not checked: its version, appendonly, appendfsync, maxmemory-policy. See that they are as the bot needs them",
    ]);
  });

  it('that its operator vouches for is taken without a file and with replicas, and that is named', () => {
    const facts = { ...FIT, isAppendOnly: false, appendFsync: 'no', replicas: 2 };
    const { notes, ...others } = judgeRedis(facts, { ...LOCAL, isVouchedFor: true }, []);
    expect(others).toEqual({ refusals: [], warnings: [] });
    expect(notes.join()).toContain('you vouch for it (REDIS_DURABLE=service)');
    const evicting = { ...facts, evictionPolicy: 'volatile-lru' };
    const { refusals } = judgeRedis(evicting, { ...LOCAL, isVouchedFor: true }, []);
    expect(refusals.join()).toContain('at ElastiCache in a parameter group');
  });

  it.each([2_500, -3_600_000])('whose clock is %i ms off is said', (skewMs) => {
    expect(judgeRedis({ ...FIT, skewMs }, LOCAL, []).warnings).toHaveLength(1);
  });
});

it.each([
  ['NOAUTH Authentication required.', 'wants a password'],
  ['WRONGPASS invalid username-password pair', 'refuses the password'],
  ["NOPERM User bot has no permissions to run the 'info' command", "'info'"],
  ['LOADING Redis is loading the dataset in memory', 'still reading its data'],
  ["READONLY You can't write against a read only replica.", 'must name the primary'],
  ['Ready check failed: NOAUTH Authentication required.', 'wants a password'],
  ['connect ECONNREFUSED 127.0.0.1:1', 'reaching Redis at REDIS_URL'],
  ['error:0A00045C:SSL routines::tlsv13 alert certificate required', 'into REDIS_CLIENT_CERT'],
  ['error:0A000418:SSL routines::tlsv1 alert unknown ca', 'into REDIS_CLIENT_CERT'],
  ["OOM command not allowed when used memory > 'maxmemory'. script: 1, on @user_script:1.", 'memory is full'],
  ['MISCONF Redis is configured to save RDB snapshots', 'could not save'],
  ['NOREPLICAS Not enough good replicas to write.', 'replicas'],
  ['BUSY Redis is busy running a script.', 'does not end'],
  ["ERR unknown command 'evalsha', with args beginning with: 'a'", 'does not know EVALSHA'],
  ["ERR The user executing the script can't run this command or subcommand script: 1", 'lacks a permission'],
  ["ERR ACL failure in script: User bot has no permissions to run the 'zadd' command", "'zadd'"],
])('"%s" reads so that somebody can act', (message, words) => {
  expect(redisNo(new Error(message))).toContain(words);
});

function fault(message: string, code?: string): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

describe('a Redis is only down, and waited for, where it', () => {
  it.each([
    ['is not there', fault('connect ECONNREFUSED 127.0.0.1:6379', 'ECONNREFUSED')],
    ['has no socket yet', fault('connect ENOENT /run/redis.sock', 'ENOENT')],
    ['has no name yet', fault('getaddrinfo ENOTFOUND redis', 'ENOTFOUND')],
    ['is behind a resolver that is not there yet', fault('getaddrinfo EAI_AGAIN redis', 'EAI_AGAIN')],
    ['does not answer', fault('connect ETIMEDOUT', 'ETIMEDOUT')],
    ['closes the connection', fault('Connection is closed.')],
    ['answers too late', fault('Redis gave no answer in time')],
    ['reads its data', fault('LOADING Redis is loading the dataset in memory')],
    ['reads its data, says the connection', fault('Ready check failed: LOADING Redis is loading')],
    ['has no connection left', fault('ERR max number of clients reached')],
    ['has no memory left', fault("OOM command not allowed when used memory > 'maxmemory'.")],
    ['lacks its replicas', fault('NOREPLICAS Not enough good replicas to write.')],
  ])('%s', (_name, error) => expect(isRedisDown(error)).toBe(true));
});

describe('waiting mends nothing where Redis', () => {
  it.each([
    ['wants a password', fault('NOAUTH Authentication required.')],
    ['refuses the password', fault('WRONGPASS invalid username-password pair or user is disabled.')],
    ['refuses a permission', fault("NOPERM User bot has no permissions to run the 'info' command")],
    ['is a replica', fault("READONLY You can't write against a read only replica.")],
    ['guards itself', fault('DENIED Redis is running in protected mode')],
    ['has no such database', fault('ERR DB index is out of range')],
    ['does not know a command', fault("ERR unknown command 'EVAL'")],
    ['is something else', fault('Unknown RESP type 72 "H". Please report this.')],
    ['may not be reached by this user', fault('connect EACCES /run/redis.sock', 'EACCES')],
    ['shows a bad certificate', fault('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['speaks no TLS', fault('wrong version number', 'ERR_SSL_WRONG_VERSION_NUMBER')],
  ])('%s', (_name, error) => expect(isRedisDown(error)).toBe(false));
});
