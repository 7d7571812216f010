import { describe, expect, it } from 'vitest';
import { beginApproved } from '../../src/core/changes/approve-change.ts';
import { examine } from '../../src/core/changes/examine.ts';
import { type AccessRecord, usedUpBy } from '../../src/core/policy/access-record.ts';
import type { Decision, AccessRule } from '../../src/core/policy/decide.ts';
import type { Grant } from '../../src/core/policy/grant.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { answerRequest } from '../../src/features/access/answer-access.ts';
import { askThem } from '../../src/features/access/ask-them.ts';
import { cancelRoute } from '../../src/features/lamplighter/cancel.ts';
import { stopRestRoute } from '../../src/features/lamplighter/stop-rest.ts';
import { answerRoutes } from '../../src/features/watches/answer.ts';
import { toText } from '../../src/platform/slack/phrase.ts';
import { allowing } from '../support/allowing.ts';
import { anAsk } from '../support/an-ask.ts';

/** A part of which only what is given is used. */
function only(given: object): never {
  return given as never;
}

const ASK = anAsk({ value: 'v1', askedAt: 1_000 });
const NO: Decision = { allowed: false, reason: 'other instances' };
const refusing = {
  ...allowing(async () => NO),
  require: () => Promise.reject(new Refusal('no-right', [])),
  which: async () => () => false,
};

async function codeOf(trying: Promise<unknown>): Promise<string> {
  const error: unknown = await trying.catch((one: unknown) => one);
  return error instanceof Refusal ? error.code : `not refused: ${String(error)}`;
}

describe('what is guarded by nothing else:', () => {
  it('what is allowed once is not used by two', () => {
    const once = { permission: 'instances:power', usedBy: 'one' } as const;
    const grant: Grant = { id: 'g', role: 'operator', to: { userId: 'U1' }, by: 'U9', at: 0, once };
    const record: AccessRecord = { grants: [grant], freezes: [] };
    const rule: AccessRule = { by: 'grant', grant };
    expect(() => usedUpBy('other', [rule], record)).toThrow(Refusal);
    expect(usedUpBy('one', [rule], record)).toEqual(record);
  });

  it('nobody asks for what somebody else was refused', async () => {
    const accessRequests = { find: async () => ({ id: 'v1', userId: 'U2' }) };
    expect(await codeOf(askThem(only({ accessRequests }), ASK))).toBe('gone');
  });

  it.each([
    ['is kept in a file', { rolesFile: 'policy.yaml' }, 'instances:power', 'kept-in-file'],
    ['can not be allowed for hours', {}, 'access:grant', 'not-allowable'],
  ])('an answer gives no role that %s', async (_why, more, permission, code) => {
    const request = { id: 'v1', userId: 'U2', permission, route: 'r', words: [], channelId: 'C1', at: 0 };
    const access = { ...allowing(), policy: async () => ({ ...(await allowing().policy()), ...more }) };
    const deps = only({
      access,
      clock: { now: () => 1_000 },
      accessRequests: {
        find: async () => request,
        change: async (_id: string, step: (one: object) => unknown) => step(request),
      },
    });
    expect(await codeOf(answerRequest(deps, ASK, 'for 8 h'))).toBe(code);
  });

  it('what is about an instance is canceled by who may cancel that', async () => {
    let isCanceled = false;
    const operations = {
      find: async () => ({ subject: { id: '1', name: 'web-1' } }),
      cancel: async () => (isCanceled = true),
    };
    const route = cancelRoute(only(operations), refusing);
    expect(await codeOf(route.handle(ASK, () => undefined))).toBe('no-right');
    expect(isCanceled).toBe(false);
  });

  it('the rest of several is stopped by who may cancel each of it', async () => {
    let isStopped = false;
    const batches = {
      find: async () => ({
        id: 'b',
        items: [{ state: 'waiting', subject: { id: '1', name: 'web-1' } }],
      }),
      stop: async () => (isStopped = true),
    };
    const route = stopRestRoute(only({ batches, access: refusing, clock: { now: () => 1 } }));
    expect(await codeOf(route.handle(ASK, () => undefined))).toBe('no-right');
    expect(isStopped).toBe(false);
  });

  it.each([
    ['is allowed once', { once: { permission: 'instances:power' } }, [], 'once'],
    ['needs an approval', {}, [{ on: ['web-*'] }], 'approval'],
  ] as const)('of several, what %s is left out', async (_what, more, approvalRules, why) => {
    const grant = { id: 'g', role: 'operator', to: { userId: 'U1' }, by: 'U9', at: 0, ...more };
    const decision = { allowed: true, rule: { by: 'grant', grant } };
    const access = { ...allowing(), decisions: async () => () => decision };
    const operations = { findHolder: async () => undefined };
    const { chosen, skipped } = await examine(
      only({
        verb: 'restart',
        permission: 'instances:power',
        id: 'instances.restart',
      }),
      only({ access, approvalRules: () => approvalRules, operations }),
      ASK,
      [only({ id: '1', name: 'web-1', status: 'running' })],
      undefined,
    );
    expect(chosen).toEqual([]);
    expect(skipped.map((one) => toText(one.why)).join()).toContain(why);
  });

  it.each([
    ['another name', { id: '1', name: 'other', status: 'running', createdAt: 'x' }],
    ['created again', { id: '1', name: 'web-1', status: 'running', createdAt: 'y' }],
    ['stopped meanwhile', { id: '1', name: 'web-1', status: 'stopped', createdAt: 'x' }],
  ])('an approval is for the instance as it was: %s', async (_what, now) => {
    const decided: unknown[] = [];
    const deps = only({
      hosting: { findInstance: async () => now },
      approvals: {
        decide: async (_id: string, how: unknown) => decided.push(how),
        find: async () => undefined,
      },
      clock: { now: () => 1 },
      access: allowing(),
    });
    const declared = only({ args: { parse: () => ({}) } });
    const instance = { id: '1', name: 'web-1', status: 'running', createdAt: 'x' };
    const approval = only({ id: 'p', instance, actor: {}, args: {}, place: ASK.place });
    expect(await codeOf(beginApproved(declared, deps, ASK, approval, () => undefined))).toBe('changed');
    expect(decided).toEqual([expect.objectContaining({ how: 'void' })]);
  });

  it('a card of a watch is answered in its own channel alone', async () => {
    const steps: unknown[] = [];
    const watch = { id: 'w', channelId: 'C2', cards: [{ id: 'c', members: [] }] };
    const deps = only({
      access: allowing(),
      clock: { now: () => 1 },
      queue: { wake: async () => undefined },
      watches: {
        find: async () => watch,
        change: async (_id: string, step: (one: object) => unknown) => {
          steps.push(step(watch));
          return steps.at(-1);
        },
      },
    });
    for (const route of answerRoutes(deps))
      expect(await codeOf(route.handle({ ...ASK, value: 'w/c' }, () => undefined))).toBe('no-incident');
    expect(steps).toEqual([undefined, undefined, undefined]);
  });
});
