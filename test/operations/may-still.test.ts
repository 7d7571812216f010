import { expect, it } from 'vitest';
import { whyNoMore } from '../../src/core/operations/may-still.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import type { ApprovalRule } from '../../src/core/policy/pattern.ts';
import type { Decision } from '../../src/core/policy/decide.ts';
import { allowing } from '../support/allowing.ts';
import { operation } from './operation.ts';

const ADMIN: Decision = { allowed: true, rule: { by: 'admins' } };
const OPERATOR: Decision = {
  allowed: true,
  rule: { by: 'grant', grant: { id: 'g', role: 'operator', to: { userId: 'U1' }, by: 'U9', at: 0 } },
};
const PROD = { labels: ['env=prod'], region: 'fra1' };
const DEV = { labels: ['env=dev'], region: 'fra1' };
const OF_PROD: ApprovalRule = { on: ['label:env=prod'] };
const OF_ALL: ApprovalRule = { on: ['*'] };

it.each<
  [string, Partial<Operation>, Decision, readonly ApprovalRule[], object | undefined, string | undefined]
>([
  ['what nobody must approve', {}, OPERATOR, [], PROD, undefined],
  ['what somebody must approve by now', {}, OPERATOR, [OF_ALL], PROD, 'needs-approval'],
  ['what must be approved for another verb', {}, OPERATOR, [{ ...OF_ALL, for: ['delete'] }], PROD, undefined],
  ['what was approved', { approvedBy: 'U2' }, OPERATOR, [OF_ALL], PROD, undefined],
  ['what an admin does alone with a reason', { override: 'it hangs' }, ADMIN, [OF_ALL], PROD, undefined],
  ['what an admin does without one', {}, ADMIN, [OF_ALL], PROD, 'needs-approval'],
  ['what another does with a reason', { override: 'it hangs' }, OPERATOR, [OF_ALL], PROD, 'needs-approval'],
  ['what has such a label by now', {}, OPERATOR, [OF_PROD], PROD, 'needs-approval'],
  ['what has another label', {}, OPERATOR, [OF_PROD], DEV, undefined],
  ['what nobody can tell the labels of just now', {}, OPERATOR, [OF_PROD], undefined, 'not-checked'],
])('just before the call, %s', async (_what, more, decision, rules, found, wanted) => {
  const deps = {
    access: allowing(async () => decision),
    operations: { kindOf: () => ({ verb: 'stop', permission: 'instances:power' }) },
    approvalRules: () => rules,
    hosting: { findInstance: async () => found },
  };
  expect(await whyNoMore(deps as never, { ...operation({}), ...more })).toBe(wanted);
});

it('just before the call, what was approved by somebody who may not do it any more', async () => {
  const deps = {
    access: allowing(async ({ userId }) =>
      userId === 'U2' ? { allowed: false, reason: 'no role' } : OPERATOR,
    ),
    operations: { kindOf: () => ({ verb: 'stop', permission: 'instances:power' }) },
  };
  expect(await whyNoMore(deps as never, { ...operation({}), approvedBy: 'U2' })).toBe('approver-no-right');
});
