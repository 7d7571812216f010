import { describe, expect, it } from 'vitest';
import { byTrouble, type Finding, ok, runChecks } from '../../src/features/doctor/finding.ts';
import { judgeKey, judgeQueue, judgeSpent, judgeStorage } from '../../src/features/doctor/judge-services.ts';
import {
  judgeBlocks,
  judgeChannel,
  judgeToken,
  type NamedChannel,
  SCOPES,
} from '../../src/features/doctor/judge-slack.ts';
import {
  type BillingFacts,
  judgeAlerts,
  judgeBeat,
  judgeHostClock,
  judgeLooks,
  judgeSlackClock,
} from '../../src/features/doctor/judge-times.ts';
import { judgeVersion } from '../../src/features/doctor/examine.ts';
import { doctorMessage } from '../../src/features/doctor/messages.ts';
import type { ConfiguredAccount } from '../../src/app/config/accounts.ts';
import { setAtOf } from '../../src/app/doctor.ts';
import { HostingError, type HostingFault } from '../../src/platform/hosting/hosting-error.ts';
import type { RedisFacts } from '../../src/platform/redis/fitness.ts';
import { SlackError } from '../../src/platform/slack/errors.ts';
import { say, toPlainText } from '../../src/platform/slack/phrase.ts';
import { render } from '../../src/platform/slack/render.ts';

/** "warn: what it is. What to do." */
function words(findings: readonly Finding[]): string[] {
  return findings.map(({ level, what, todo = [] }) =>
    `${level}: ${toPlainText(what)} ${toPlainText(todo)}`.trimEnd(),
  );
}
function levels(findings: readonly Finding[]): string[] {
  return findings.map(({ level }) => level);
}
const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 22, 12);

describe('the token', () => {
  const all = SCOPES.map(({ name }) => name);
  const token = { user: 'lamplighter', team: 'Lantern Works', isOrgWide: false, scopes: all };
  const but = (gone: string): string[] => all.filter((scope) => scope !== gone);

  it.each([
    ['with the scopes of the manifest', {}, ['ok', 'ok']],
    ['of an organization', { isOrgWide: true }, ['fault', 'ok']],
    ['whose scopes are not given', { scopes: undefined }, ['ok', 'warn']],
    ['that may not post', { scopes: but('chat:write') }, ['ok', 'fault']],
    ['that may not read groups', { scopes: but('usergroups:read') }, ['ok', 'warn']],
    ['without an optional one', { scopes: but('files:write') }, ['ok', 'note']],
    ['with a scope too many', { scopes: [...all, 'admin'] }, ['ok', 'warn']],
    ['with one too few and one too many', { scopes: [...but('commands'), 'admin'] }, ['ok', 'fault', 'warn']],
    [
      'without any',
      { scopes: [] },
      ['ok', ...SCOPES.map(({ isVital, isOptional }) => (isVital ? 'fault' : isOptional ? 'note' : 'warn'))],
    ],
  ])('%s', (_which, facts, expected) => {
    expect(levels(judgeToken({ ...token, ...facts }))).toEqual(expected);
  });

  it('with a name that tries to be markup is shown as it is', () => {
    const [finding] = judgeToken({ ...token, team: '<!channel> *x*' });
    expect(finding?.what).toEqual(expect.arrayContaining([{ type: 'text', text: '<!channel> *x*' }]));
  });
});

describe('a channel', () => {
  const place: NamedChannel = { channelId: 'C1', uses: ['alerts', 'digest', 'figures'], from: 'Slack' };
  const fine = { isMember: true, isArchived: false, isShared: false };

  it.each([
    ['that is fine', fine, ['ok']],
    ['that is not seen', undefined, ['fault']],
    ['that is archived, whatever else', { isMember: false, isArchived: true, isShared: true }, ['fault']],
    ['without the bot', { ...fine, isMember: false }, ['warn']],
    ['with outsiders', { ...fine, isShared: true }, ['warn']],
    ['without the bot and with outsiders', { ...fine, isMember: false, isShared: true }, ['warn', 'warn']],
  ])('%s', (_which, facts, expected) => {
    expect(levels(judgeChannel(place, facts))).toEqual(expected);
  });

  it('where the digest may no longer be posted to is reported', () => {
    expect(words(judgeChannel({ ...place, uses: ['digest'] }, fine))).toEqual([
      'warn: The digest is set for <#C1>, where figures may no longer be shown, so it is not posted. In a channel where they may be shown, type /billing digest.',
    ]);
  });

  it('is replaced where it was named', () => {
    expect(words(judgeChannel(place, { ...fine, isArchived: true }))).toEqual([
      'fault: <#C1> (alerts, digest, figures) is archived, so nothing can be posted there. Unarchive it, or say /billing alerts here in another channel, and say /billing digest in another channel.',
    ]);
    expect(
      words(judgeChannel({ ...place, uses: ['figures'], from: 'configuration' }, undefined))[0],
    ).toContain('If it is gone: name another channel in BILLING_CHANNELS and restart me.');
  });
});

it.each([
  [[[], []], ['ok: Slack takes the newest blocks that I use: a, b.']],
  [
    [undefined, undefined],
    ["note: Whether Slack takes a, b can't be checked here: this Slack has no blocks.validate."],
  ],
  [
    [[], ['unsupported type']],
    [expect.stringContaining('warn: Slack refuses the block b: unsupported type.')],
  ],
])('blocks with the faults %j', (faults, expected) => {
  const facts = faults.map((one, index) => ({ type: 'ab'.charAt(index), faults: one }));
  expect(words(judgeBlocks(facts))).toEqual(expected);
});

const VARIABLES = { url: 'HOSTING_API_URL', key: 'HOSTING_API_TOKEN' };

describe('the hosting service', () => {
  const FAULTS: readonly HostingFault[] = [
    'unauthorized',
    'forbidden',
    'unavailable',
    'unreachable',
    'no-answer',
    'unclear',
    'not-found',
  ];
  it.each([
    ['a cloud, at its own address', undefined, undefined, 'HOSTING_API_TOKEN'],
    ['an account of a file', 'acme', 'https://api.example.com', 'key of acme'],
    ['a cloud of a file', 'acme', undefined, 'key of acme'],
  ])('that is %s is told with where it is set up', (_name, name, url, key) => {
    const at = setAtOf({
      account: name === undefined ? undefined : { name },
      config: { hosting: { url } },
    } as ConfiguredAccount); // the parts that it looks at
    const said = FAULTS.flatMap((fault) => {
      const error = new HostingError('reading', {
        fault,
        status: 500,
        outcome: 'not-done',
        retryable: false,
      });
      return words(judgeKey(error, at));
    }).join('\n');
    expect(said).toContain(key);
    expect(said.includes('url of acme')).toBe(url !== undefined);
    expect(said).not.toContain(name === undefined ? 'HOSTING_API_URL' : 'HOSTING_API');
  });

  it.each([
    ['unauthorized', 401, "fault: The hosting service refused the bot's API key (401). Put a valid key"],
    [
      'forbidden',
      403,
      "fault: The hosting service does not allow listing instances with the bot's API key (403). Give the key that right",
    ],
    ['rate-limited', 429, "warn: The key couldn't be tried: its calls are used up for now."],
    ['unavailable', 503, "fault: The hosting service doesn't answer as it should (503)."],
    ['unreachable', undefined, "fault: The hosting service doesn't answer as it should (unreachable)."],
    ['not-found', 404, 'fault: What answers at HOSTING_API_URL gives no list of instances (404).'],
  ] as const)('that says %s', (fault: HostingFault, status, expected) => {
    const error = new HostingError('reading', { fault, status, outcome: 'not-done', retryable: false });
    expect(words(judgeKey(error, VARIABLES))[0]).toContain(expected);
  });

  it.each([
    [0, 0, 'ok'],
    [74, 30_000, 'ok'],
    [75, 30_000, 'warn'],
    [101, 30_000, 'warn'],
    [101, 0, 'ok'],
  ])('of whose 100 calls %i are used and %i ms are left', (used, endsInMs, level) => {
    expect(levels(judgeSpent({ used, endsInMs, limit: { requests: 100, seconds: 60 } }))).toEqual([level]);
  });
});

describe('Redis', () => {
  const fit: RedisFacts = {
    version: '7.0.15',
    isAppendOnly: true,
    appendFsync: 'always',
    evictionPolicy: 'noeviction',
    isReplica: false,
    isCluster: false,
    replicas: 0,
    priorities: undefined,
    memory: { usedBytes: 100, maxBytes: 1_000 },
    skewMs: 0,
  };
  const LOCAL = { url: 'redis://127.0.0.1:6379' };

  it.each([
    ['that is fit', {}, ['ok']],
    ['whose clock is off, which is judged elsewhere', { skewMs: 9_000 }, ['ok']],
    ['that evicts', { evictionPolicy: 'allkeys-lru' }, ['fault']],
    ['that forgets', { isAppendOnly: false }, ['fault']],
    ['that may forget two seconds', { appendFsync: 'everysec' }, ['warn']],
    ['that is too old', { version: '5.0.1' }, ['fault']],
    ['that is nearly full', { memory: { usedBytes: 800, maxBytes: 1_000 } }, ['warn']],
    ['that is full', { memory: { usedBytes: 950, maxBytes: 1_000 } }, ['fault']],
    ['without a limit', { memory: { usedBytes: 950, maxBytes: 0 } }, ['ok']],
  ])('%s', (_which, facts, expected) => {
    expect(levels(judgeStorage({ ...fit, ...facts }, LOCAL, []))).toEqual(expected);
  });

  it('with a risk that is allowed is a warning', () => {
    const facts = { ...fit, evictionPolicy: 'allkeys-lru' };
    expect(levels(judgeStorage(facts, LOCAL, ['evicting-redis']))).toEqual(['warn']);
  });
});

it.each([
  [[], ['ok']],
  [[-MINUTE, 0, 14_999], ['ok']],
  [[15_000], ['warn']],
  [
    [MINUTE, 15_000, 0],
    ['fault', 'warn'],
  ],
])('a queue whose oldest have been due for %j ms', (due, expected) => {
  const oldest = due.map((ms) => ({ kind: 'operation' as const, dueAt: NOW - ms }));
  expect(levels(judgeQueue(oldest, NOW))).toEqual(expected);
});

describe('clocks', () => {
  it.each([
    [0, 'ok'],
    [-2_000, 'ok'],
    [2_001, "warn: This machine's clock is 2 s ahead of Redis'."],
    [-9_000, "warn: This machine's clock is 9 s behind Redis'."],
  ])("this machine's, %i ms ahead of Redis'", (aheadMs, expected) => {
    expect(words(judgeHostClock(aheadMs))[0]).toContain(expected);
  });

  it.each([
    [undefined, 'warn: Slack'],
    [5_000, 'ok'],
    [-6_000, "warn: Redis' clock is 6 s behind Slack's"],
    [4 * MINUTE, "fault: Redis' clock is 240 s ahead of Slack's"],
  ])("Redis', %s ms ahead of Slack's", (aheadMs, expected) => {
    expect(words(judgeSlackClock(aheadMs))[0]).toContain(expected);
  });
});

describe('looks', () => {
  const every = { now: NOW, everyMs: 5 * MINUTE, upMs: 60 * MINUTE };
  const seen = {
    isNotOffered: false,
    checkedAt: NOW - 4 * MINUTE,
    listedAt: NOW - 4 * MINUTE,
    failingSince: undefined,
  };

  it.each([
    ['that come in time', seen, every, ['ok', 'ok']],
    ['without a list', { ...seen, listedAt: undefined }, every, ['ok']],
    ['that are late', { ...seen, checkedAt: NOW - 17 * MINUTE }, every, ['warn']],
    [
      'that are late where no bot runs',
      { ...seen, checkedAt: 1 },
      { ...every, upMs: undefined },
      ['ok', 'ok'],
    ],
    ['with an old list', { ...seen, listedAt: NOW - 60 * MINUTE }, every, ['ok', 'warn']],
    ['that fail', { ...seen, failingSince: NOW - MINUTE }, every, ['warn']],
    ['that were never made', { ...seen, checkedAt: 0 }, every, ['warn']],
    ['that were not made yet', { ...seen, checkedAt: 0 }, { ...every, upMs: MINUTE }, ['note']],
    ['at what is not offered', { ...seen, isNotOffered: true }, every, ['note']],
    ['that nobody wants', { ...seen, checkedAt: 1 }, { ...every, everyMs: Infinity }, ['ok', 'ok']],
  ])('%s', (_which, facts, times, expected) => {
    expect(levels(judgeLooks(facts, times))).toEqual(expected);
  });
});

it.each([
  ['was reached in time', NOW - MINUTE, 60 * MINUTE, 'ok'],
  ['was reached before a break that is just over', NOW - 60 * MINUTE, MINUTE, 'note'],
  ['was not reached yet', undefined, MINUTE, 'note'],
  ['is not reached any more', NOW - 60 * MINUTE, 60 * MINUTE, 'warn'],
  ['was reached before the bot ended', NOW - 60 * MINUTE, undefined, 'warn'],
])('a monitor that %s', (_which, at, upMs, level) => {
  expect(levels(judgeBeat(at, { now: NOW, everyMs: 5 * MINUTE, upMs }))).toEqual([level]);
});

it.each([
  [{}, []],
  [{ isNotOffered: true, hasAlertsTo: false }, []],
  [{ isOff: true }, ['warn']],
  [{ hasAlertsTo: false }, ['fault']],
  [{ alertsToUserId: 'U1' }, ['ok', 'note']],
  [{ isToppedUp: true }, ['note']],
  [{ isToppedUp: true, isOfMonth: true }, ['warn']],
  [{ lostGroups: ['web', 'db'] }, ['warn', 'warn']],
])('alerts with %j', (over, expected) => {
  const facts: BillingFacts = {
    places: [],
    alertsToUserId: undefined,
    hasAlertsTo: true,
    isOff: false,
    isNotOffered: false,
    checkedAt: NOW,
    listedAt: NOW,
    failingSince: undefined,
    lostGroups: [],
  };
  expect(levels(judgeAlerts({ ...facts, ...over }))).toEqual(expected);
});

it.each([
  ['20.18.1', '20.18.1', 'ok'],
  ['22.0.0', '20.18.1', 'ok'],
  ['20.18.0', '20.18.1', 'fault'],
  ['20.9.9', '20.18.1', 'fault'],
  ['20.0.0', undefined, 'ok'],
])('Node %s where at least %s is needed', (node, leastNode, level) => {
  expect(levels(judgeVersion({ version: '0.1.0', node, leastNode }))).toEqual([level]);
});

describe('checks', () => {
  const check = (about: string, look: () => Promise<readonly Finding[]>) => ({
    about: say`${about}`,
    unread: 'warn' as const,
    look,
  });
  const rejecting = (why: Error) => async () => {
    throw why;
  };
  const refused = (code: string): Error => new SlackError(code, { outcome: 'not-done' });

  it('that hang, throw or break are findings, and the others are reported all the same', async () => {
    const bugs: unknown[] = [];
    const bug = new TypeError('no such thing');
    const findings = await runChecks(
      [
        check('A', () => new Promise(() => undefined)),
        check('B', rejecting(refused('token_revoked'))),
        check('C', rejecting(refused('missing_scope'))),
        check('D', rejecting(refused('ratelimited'))),
        check('E', rejecting(refused('team_not_found'))),
        check('F', rejecting(new Error('Redis gave no answer in time'))),
        check('G', rejecting(bug)),
        check('I', rejecting(refused('http_404'))),
        check('H', async () => [ok(say`H is well.`)]),
      ],
      30,
      (error) => bugs.push(error),
    );
    expect(words(findings).map((line) => line.split('. ')[0])).toEqual([
      "warn: A couldn't be checked: there was no answer within 1 s",
      "warn: B couldn't be checked: Slack refuses the token (token_revoked)",
      "warn: C couldn't be checked: the token lacks the scope for it",
      "warn: D couldn't be checked: Slack asks me to wait",
      "warn: E couldn't be checked: Slack says team_not_found",
      "warn: F couldn't be checked: Redis doesn't answer",
      "warn: G couldn't be checked: the check itself broke off",
      "warn: I couldn't be checked: what answers in place of Slack makes no sense (HTTP 404)",
      'ok: H is well.',
    ]);
    expect(bugs).toEqual([bug]);
  });
});

describe('what was found', () => {
  const many = (['ok', 'warn', 'fault'] as const).flatMap((level) =>
    Array.from({ length: 40 }, (_, index): Finding => ({
      level,
      what: say`${level} ${index} ${'x'.repeat(300)}`,
    })),
  );

  it('has the trouble first, in the order of the checks', () => {
    const sorted = byTrouble(many);
    expect(levels(sorted).findIndex((level) => level !== 'fault')).toBe(40);
    expect(toPlainText(sorted[40]!.what)).toMatch(/^warn 0 /);
  });

  it('stays within the size of a message, and says how much is left out', () => {
    const { blocks } = render(doctorMessage(many));
    expect(JSON.stringify(blocks).length).toBeLessThan(10_000);
    expect(JSON.stringify(blocks)).toMatch(/… and \d+ more/);
    expect(JSON.stringify(blocks)).toContain('40 faults and 40 warnings; 40 of 120 checks passed.');
  });
});
