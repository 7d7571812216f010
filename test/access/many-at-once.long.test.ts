import { describe, expect, it } from 'vitest';
import { PEOPLE, type PersonRecord, TEAM } from '../../sandbox/people.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { FailNext } from '../../sandbox/slack/api/faults.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import type { Timings } from '../../src/core/timings.ts';
import { answerTo, play, powerCalls } from '../support/sandbox.ts';

const MANY = 100;
/** One of them. */
const GUEST = 50;
/** Slack allows about a hundred such calls a minute. */
const FEW_CALLS = 10;

const everyone = Array.from({ length: MANY }, (_, index) => index);
const handleOf = (index: number): string => `p${index}`;
const crowd = everyone.map((index): PersonRecord => ({
  id: `U0P${String(index).padStart(8, '0')}`,
  handle: handleOf(index),
  name: `Person ${index}`,
  teamId: TEAM.id,
  isRestricted: index === GUEST,
}));

function withCrowd(timings: Partial<Timings> = {}): Promise<Sandbox> {
  return play({
    timings: { slackTimeoutMs: 30_000, apiTimeoutMs: 30_000, writeDownWithinMs: 30_000, ...timings },
    slack: { people: [...PEOPLE, ...crowd] },
    hosting: { world: worldOf(everyone.map((index) => instance(1_000 + index, `box-${index}`))) },
  });
}

/** Each asks about another instance, at the same moment; what each reads. */
function allAsk(sandbox: Sandbox): Promise<string[]> {
  return Promise.all(
    everyone.map((index) => answerTo(sandbox, handleOf(index), `/instances restart box-${index} --dry-run`)),
  );
}

/** How often Slack was asked by a method. */
function callsOf({ slack }: Sandbox, method: string): number {
  return slack.calls.filter((call) => call.method === method).length;
}

/** That the guest alone was refused, and nobody else. */
function expectByRights(answers: readonly string[]): void {
  const refused = everyone.filter((index) => answers[index]?.includes('You need to be a full member'));
  const served = everyone.filter((index) => answers[index]?.includes('Would restart'));
  expect([refused, served.length]).toEqual([[GUEST], MANY - 1]);
}

describe('when many ask at once', () => {
  it('all of a hundred restart but the guest among them, and Slack is asked a few times who they are', async () => {
    const sandbox = await withCrowd();
    await Promise.all(
      everyone.map((index) =>
        sandbox.slack.person(handleOf(index)).types('#ops', `/instances restart box-${index}`),
      ),
    );
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(MANY - 1);
    expect(sandbox.hosting.countCalls('POST', new RegExp(`/${1_000 + GUEST}/`))).toBe(0);
    expect(callsOf(sandbox, 'users.info') + callsOf(sandbox, 'users.list')).toBeLessThanOrEqual(FEW_CALLS);
  });

  it('who is not in the list is asked about alone, and may do what they may', async () => {
    const sandbox = await withCrowd();
    sandbox.slack.failNext('users.list', { body: { ok: true, members: [] } });
    expectByRights(await allAsk(sandbox));
    expect([callsOf(sandbox, 'users.info'), callsOf(sandbox, 'users.list')]).toEqual([MANY, 1]);
  });

  const FAULTS: readonly (readonly [string, FailNext])[] = [
    ['is refused', { error: 'missing_scope' }],
    ['is a method that Slack does not know', { error: 'unknown_method' }],
    ['is not there', { status: 503 }],
    ['can not be read', { body: { ok: true, members: 'all' } }],
  ];
  it.each(FAULTS)('all are answered by their rights where the list %s', async (_what, fault) => {
    const sandbox = await withCrowd();
    sandbox.slack.failNext('users.list', fault);
    expectByRights(await allAsk(sandbox));
    expect([callsOf(sandbox, 'users.info'), callsOf(sandbox, 'users.list')]).toEqual([MANY, 1]);
  });

  it('all are answered by their rights where Slack says that the list was asked for too often', async () => {
    const sandbox = await withCrowd();
    sandbox.slack.rateLimitNext('users.list', { retryAfter: 30 });
    expectByRights(await allAsk(sandbox));
    expect(callsOf(sandbox, 'users.list')).toBe(1);
  });

  it('all are answered by their rights where the list never comes', async () => {
    const sandbox = await withCrowd({ slackTimeoutMs: 700 });
    sandbox.slack.hold('users.list');
    expectByRights(await allAsk(sandbox));
    expect(callsOf(sandbox, 'users.list')).toBe(1);
  });
});
