import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/core/operations/operation.ts';
import { POWERS, type Power, STATUSES } from '../../src/platform/hosting/service.ts';
import {
  judgePower,
  judgeRefusedPower,
  nextPower,
  type PowerRefusal,
  refuseForce,
  refusePower,
} from '../../src/features/instances/power-rules.ts';
import { instance, NOW, operation, observed, timings } from '../operations/operation.ts';
import { runs } from '../support/runs.ts';

/** Whether each is possible in a status, by hand: may start, stop, restart. */
const TABLE: Readonly<Record<(typeof STATUSES)[number] | 'unknown', readonly [boolean, boolean, boolean]>> = {
  provisioning: [false, false, false],
  deploying: [false, false, false],
  pending_configuration: [false, false, false],
  running: [false, true, true],
  stopped: [true, false, false],
  resizing: [false, false, false],
  migrating: [false, false, false],
  rebuilding: [false, false, false],
  paused: [false, false, false],
  error: [false, false, false],
  deploy_failed: [false, false, false],
  starting: [false, false, false],
  stopping: [false, false, false],
  restarting: [false, false, false],
  deleting: [false, false, false],
  deleted: [false, false, false],
  unknown: [false, false, false],
};
const ALL = [...STATUSES, 'unknown'] as const;
const cells = ALL.flatMap((status) =>
  POWERS.map((power, index) => [power, status, TABLE[status][index] ?? false] as const),
);

describe('where the service does not say what is possible, our table does:', () => {
  test.each(cells)('%s of an instance that is %s: %s', (power, status, may) => {
    expect(refusePower(power, instance(status)) === undefined).toBe(may);
  });
});

describe('what the service says is possible wins over our table:', () => {
  test.each(cells)('%s of an instance that is %s', (power, status) => {
    expect(refusePower(power, instance(status, { [power]: true }))).toBeUndefined();
    expect(refusePower(power, instance(status, { [power]: false }))).toBeDefined();
    const others = Object.fromEntries(POWERS.filter((one) => one !== power).map((one) => [one, true]));
    expect(refusePower(power, instance(status, others))).toBe(refusePower(power, instance(status)));
  });
});

test.each<[Power, (typeof ALL)[number], PowerRefusal]>([
  ['start', 'running', 'already'],
  ['stop', 'stopped', 'already'],
  ['restart', 'stopped', 'not-possible'],
  ['start', 'paused', 'paused'],
  ['stop', 'paused', 'paused'],
  ['restart', 'paused', 'paused'],
  ['start', 'pending_configuration', 'needs-owner'],
  ['stop', 'deleting', 'deleting'],
  ['start', 'starting', 'on-the-way'],
  ['restart', 'restarting', 'on-the-way'],
  ['stop', 'provisioning', 'on-the-way'],
  ['restart', 'resizing', 'on-the-way'],
  ['stop', 'migrating', 'on-the-way'],
  ['start', 'rebuilding', 'on-the-way'],
  ['start', 'error', 'broken'],
  ['restart', 'deploy_failed', 'broken'],
  ['stop', 'unknown', 'unknown-status'],
])('%s of an instance that is %s is refused as %s', (power, status, why) => {
  expect(refusePower(power, instance(status))).toBe(why);
});

const LOCKED = { can: { start: false, stop: false, restart: false }, isLocked: true } as const;

test.each<[Power, (typeof ALL)[number], PowerRefusal]>([
  ['restart', 'running', 'locked'],
  ['restart', 'stopped', 'locked'],
  ['start', 'stopped', 'locked'],
  ['stop', 'unknown', 'locked'],
  ['start', 'running', 'already'],
  ['stop', 'migrating', 'on-the-way'],
  ['stop', 'deleting', 'deleting'],
  ['start', 'paused', 'paused'],
])('%s of an instance that is %s and locked is refused as %s', (power, status, why) => {
  expect(refusePower(power, { ...instance(status), ...LOCKED })).toBe(why);
  expect(refusePower(power, { ...instance(status, { [power]: true }), isLocked: true })).toBeUndefined();
});

test.each(ALL)(
  'what is %s can be forced to stop only where it runs, or starts or stops and may hang',
  (status) => {
    const may = ['running', 'starting', 'stopping', 'restarting'].includes(status);
    expect(refuseForce('stop', instance(status)) === undefined).toBe(may);
    expect(refuseForce('stop', { ...instance(status), ...LOCKED })).toBeDefined();
  },
);

/** What each action finds, as a rule. */
const BEFORE = { start: 'stopped', stop: 'running', restart: 'running' } as const;
const sentAt = NOW - 1_000;
const accepted = { state: 'accepted', sentAt, acceptedAt: sentAt, sends: 1 } as const;
const unknown = { state: 'unknown', sentAt, sends: 1 } as const;
const end = (result: string, code: string): object => ({ next: 'end', outcome: { result, code } });
const END_LOST = end('unknown', 'no-answer');
const DONE = end('done', 'done');
const stale = { acceptedAt: NOW - timings.staleMs };

test.each(['resizing', 'migrating', 'rebuilding'] as const)(
  'a stop without an answer is not asked again while the instance is %s',
  (status) => {
    const stop = operation({ execution: { ...unknown, sentAt: NOW - 10 * timings.settleMs } });
    expect(judgePower('stop', stop, observed(status), NOW, timings)).toMatchObject({ next: 'poll' });
    expect(judgePower('stop', stop, observed('running'), NOW, timings)).toEqual({ next: 'send' });
  },
);

describe('of an accepted action, a look means', () => {
  test.each([
    ['start', observed('running'), {}, DONE],
    ['start', observed('starting'), {}, { next: 'poll' }],
    ['start', observed('stopped'), {}, { next: 'poll' }],
    ['start', observed('unknown'), {}, { next: 'poll' }],
    ['start', observed('pending_configuration'), {}, { next: 'poll' }],
    ['stop', observed('stopped'), {}, DONE],
    ['stop', observed('running'), {}, { next: 'poll' }],
    ['stop', observed('gone'), {}, end('failed', 'gone')],
    ['stop', observed('deleting'), {}, end('failed', 'gone')],
    ['start', observed('paused'), {}, end('failed', 'paused')],
    ['start', observed('error'), {}, end('failed', 'broken')],
    ['start', observed('deploy_failed'), {}, end('failed', 'broken')],
    ['restart', observed('running'), { polls: 1 }, { next: 'poll' }],
    ['restart', observed('restarting'), {}, { next: 'poll' }],
    ['restart', observed('running'), { hasProgressed: true, polls: 2 }, DONE],
    ['restart', observed('running'), { hasProgressed: true, polls: 1 }, { next: 'poll' }],
    ['restart', observed('running', { health: 'unhealthy' }), { hasProgressed: true }, { next: 'poll' }],
    ['restart', observed('running', { health: 'healthy' }), { hasProgressed: true, polls: 2 }, DONE],
    ['restart', observed('running'), { ...stale, polls: 2 }, end('asked', 'accepted')],
    ['restart', observed('running'), { ...stale, polls: 1 }, { next: 'poll' }],
    ['restart', observed('error'), {}, end('failed', 'broken')],
  ] as const)('%s, %o, %o: %o', (power, state, execution, judgment) => {
    const judged = judgePower(
      power,
      operation({ power, status: BEFORE[power], execution: { ...accepted, ...execution } }),
      state,
      NOW,
      timings,
    );
    expect(judged).toMatchObject(judgment);
  });
});

describe('of an action whose answer is lost, a look means', () => {
  const late = { sentAt: NOW - timings.settleMs };
  test.each([
    ['start', observed('running'), {}, end('done', 'found-done')],
    ['stop', observed('stopped'), {}, end('done', 'found-done')],
    ['start', observed('starting'), late, { next: 'poll' }],
    ['start', observed('stopped'), {}, { next: 'poll' }],
    ['start', observed('stopped'), late, { next: 'send' }],
    ['start', observed('stopped'), { ...late, sends: 3 }, END_LOST],
    ['start', observed('stopped'), { ...late, sends: 3, answerStatus: 503 }, END_LOST],
    [
      'start',
      observed('stopped'),
      { sentAt: NOW - timings.settleMs + 1, answerStatus: 503 },
      { next: 'poll' },
    ],
    ['start', observed('stopped'), { ...late, answerStatus: 503 }, { next: 'send' }],
    ['stop', observed('running'), late, { next: 'send' }],
    ['restart', observed('running'), {}, { next: 'poll' }],
    ['restart', observed('running'), late, END_LOST],
    ['restart', observed('running'), { hasProgressed: true, polls: 2 }, end('done', 'found-done')],
    ['restart', observed('restarting'), late, { next: 'poll' }],
    ['stop', observed('gone'), late, end('failed', 'gone')],
  ] as const)('%s, %o, %o: %o', (power, state, execution, judgment) => {
    const judged = judgePower(
      power,
      operation({ power, status: BEFORE[power], execution: { ...unknown, ...execution } }),
      state,
      NOW,
      timings,
    );
    expect(judged).toMatchObject(judgment);
  });

  test('nothing new where it was broken before, so a start is asked for again and a restart never', () => {
    const before = (power: Power) =>
      operation({ power, status: 'error', execution: { ...unknown, ...late } });
    expect(judgePower('start', before('start'), observed('error'), NOW, timings)).toEqual({ next: 'send' });
    expect(judgePower('restart', before('restart'), observed('error'), NOW, timings)).toEqual(END_LOST);
  });
});

describe('of an action on what is already as it asks, a poll', () => {
  const late = { sentAt: NOW - timings.settleMs };
  const before = (power: 'start' | 'stop', execution: Partial<ReturnType<typeof operation>['execution']>) =>
    operation({ power, status: power === 'start' ? 'running' : 'stopped', execution });
  test.each([
    ['start', 'running'],
    ['stop', 'stopped'],
  ] as const)('proves nothing of a %s whose answer is lost, however long it is %s', (power, status) => {
    const state = observed(status);
    expect(judgePower(power, before(power, unknown), state, NOW, timings)).toEqual({ next: 'poll' });
    expect(judgePower(power, before(power, { ...unknown, ...late }), state, NOW, timings)).toEqual(
      end('unknown', 'as-before'),
    );
    expect(judgePower(power, before(power, accepted), state, NOW, timings)).toEqual(end('asked', 'accepted'));
    expect(judgeRefusedPower(power, before(power, { sends: 2 }), state, undefined)).toEqual({
      result: 'unknown',
      code: 'as-before',
    });
  });

  test('proves it where it was on its way meanwhile', () => {
    const execution = { ...unknown, hasProgressed: true, progressWord: 'starting' };
    expect(judgePower('start', before('start', execution), observed('running'), NOW, timings)).toEqual(
      end('done', 'found-done'),
    );
    const again = before('start', { ...execution, sends: 2 });
    expect(judgeRefusedPower('start', again, observed('running'), undefined)).toEqual({
      result: 'done',
      code: 'found-done',
    });
  });
});

describe('after an end that failed or is unknown', () => {
  const outcome = (code: Outcome['code']) => ({ result: 'failed', code, at: NOW }) as const;
  test.each([
    ['start', 'error', 'broken', 'start'],
    ['stop', 'running', 'unavailable', 'stop'],
    ['restart', 'running', 'no-answer', 'restart'],
    ['restart', 'stopped', 'wrong-state', 'start'],
    ['start', 'starting', 'no-end', undefined],
    ['restart', 'gone', 'gone', undefined],
    ['stop', 'deleting', 'gone', undefined],
  ] as const)('a %s of what is %s (%s) is offered as %s', (power, status, code, next) => {
    expect(
      nextPower(power, operation({ power, execution: { lastState: observed(status) } }), outcome(code)),
    ).toBe(next);
  });
  test('the same is offered where nothing was seen', () => {
    expect(nextPower('start', operation({ power: 'start' }), outcome('unreachable'))).toBe('start');
  });
});

const anyCase = fc.record({
  power: fc.constantFrom(...POWERS),
  before: fc.constantFrom(...ALL),
  status: fc.constantFrom(...ALL, 'gone' as const),
  health: fc.constantFrom(undefined, 'healthy', 'unhealthy', 'odd'),
  state: fc.constantFrom('accepted' as const, 'unknown' as const),
  age: fc.integer({ min: 0, max: 2 * timings.patienceMs }),
  sends: fc.integer({ min: 1, max: 5 }),
  polls: fc.nat(100),
  hasProgressed: fc.boolean(),
});

function judge(one: typeof anyCase extends fc.Arbitrary<infer T> ? T : never) {
  const at = NOW - one.age;
  const execution = {
    state: one.state,
    sends: one.sends,
    polls: one.polls,
    hasProgressed: one.hasProgressed,
    sentAt: at,
    ...(one.state === 'accepted' ? { acceptedAt: at } : {}),
  };
  const state = observed(one.status, one.health === undefined ? {} : { health: one.health });
  return judgePower(
    one.power,
    operation({ power: one.power, status: one.before, execution }),
    state,
    NOW,
    timings,
  );
}

test('an unknown status is never a success, and never settles anything but patience', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const judgment = judge({ ...one, status: 'unknown' });
      if (judgment.next !== 'end') return true;
      return judgment.outcome.result !== 'done' && one.age >= timings.staleMs;
    }),
    { numRuns: runs(20_000) },
  );
});

test('a restart is never asked for again, and nothing that was accepted is', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const judgment = judge(one);
      return (
        judgment.next !== 'send' || (one.power !== 'restart' && one.state === 'unknown' && one.sends < 3)
      );
    }),
    { numRuns: runs(20_000) },
  );
});

test('done is said only of an instance that is as was asked', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const judgment = judge(one);
      if (judgment.next !== 'end' || judgment.outcome.result !== 'done') return true;
      return one.status === (one.power === 'stop' ? 'stopped' : 'running');
    }),
    { numRuns: runs(20_000) },
  );
});

test('what was as asked before is called done only where something was seen to change', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const target = one.power === 'stop' ? 'stopped' : 'running';
      const judgment = judge({ ...one, before: target, status: target });
      if (judgment.next !== 'end' || judgment.outcome.result !== 'done') return true;
      return one.hasProgressed;
    }),
    { numRuns: runs(20_000) },
  );
});

test('every operation ends once patience has run out, whatever is seen', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const judgment = judge({ ...one, age: timings.patienceMs + 1, sends: 3, polls: 50 });
      return judgment.next === 'end' || (one.status === 'running' && judgment.next === 'poll');
    }),
    { numRuns: runs(10_000) },
  );
});

describe('an answer "wrong state", once the instance has been looked at, means', () => {
  test.each([
    ['start', 'running', 1, 'done', 'already'],
    ['start', 'running', 2, 'done', 'found-done'],
    ['stop', 'stopped', 1, 'done', 'already'],
    ['stop', 'running', 1, 'failed', 'wrong-state'],
    ['start', 'paused', 1, 'failed', 'paused'],
    ['restart', 'running', 1, 'failed', 'wrong-state'],
    ['restart', 'stopped', 1, 'failed', 'wrong-state'],
    ['stop', 'gone', 1, 'failed', 'gone'],
    ['stop', 'unknown', 1, 'failed', 'wrong-state'],
  ] as const)('for %s and %s after %i sends: %s, %s', (power, status, sends, result, code) => {
    expect(
      judgeRefusedPower(
        power,
        operation({ power, status: BEFORE[power], execution: { sends } }),
        observed(status),
        undefined,
      ),
    ).toEqual({ result, code });
  });

  test('with the words of the service, where it said any', () => {
    expect(judgeRefusedPower('stop', operation({ power: 'stop' }), observed('running'), 'no')).toEqual({
      result: 'failed',
      code: 'wrong-state',
      said: 'no',
    });
  });
});
