import type { Approval } from '../src/core/approvals/approval.ts';
import type { Operation } from '../src/core/operations/operation.ts';
import { type Books, type Decided, ofOperations, type Shown } from './books.ts';
import { APPROVED } from './kinds.ts';
import { group } from './group.ts';

/** What is wrong with the approvals of a run. Each entry is a sentence. */
interface ApprovalsVerdict {
  readonly lostFinals: readonly string[];
  readonly doubledFinals: readonly string[];
  readonly falseFinals: readonly string[];
  readonly misrecorded: readonly string[];
}

/** What its message says once it is decided. */
const SAYS: Readonly<Record<NonNullable<Approval['decided']>['how'], string>> = {
  approved: 'Approved by',
  refused: 'Refused by',
  withdrawn: 'Canceled by',
  expired: 'Nobody approved it in time',
  void: 'The instance has changed',
  'asker-no-right': 'no longer has the right',
  thawed: 'The freeze is over',
};

/**
 * Each request is decided once, which its one message says and its asker reads; what must be approved begins by an approval that
 * somebody pressed, and each of those begins one operation. Pure.
 */
export function judgeApprovals(books: Books): ApprovalsVerdict {
  const { approvals, decided, operations, shown, audit } = books;
  const asked = approvals.filter(({ joined }) => joined === undefined);
  const given = asked.filter((one) => one.decided?.how === 'approved');
  const byOperation = group(given, (one) => one.decided?.operationId ?? '');
  return {
    lostFinals: [
      ...asked.flatMap((approval) => lostOf(approval, shown)),
      ...given
        .filter((one) => !operations.some(({ id }) => id === one.decided?.operationId))
        .map((one) => `${nameOf(one)}: approved, and nothing was begun`),
      ...decided
        .filter((one) => isUnheard(one, asked))
        .map((one) => `${one.mark}, ${one.userId}: ${one.deed}, acknowledged, and never heard of again`),
    ],
    doubledFinals: asked.flatMap((approval) =>
      [messageOf(approval), endOf(approval)].flatMap((mark) => {
        const { length } = shown.filter((one) => one.mark === mark);
        return length > 1 ? [`${nameOf(approval)}: ${length} times the same message ${mark}`] : [];
      }),
    ),
    falseFinals: [
      ...operations
        .filter(({ subject }) => APPROVED.test(subject.name))
        .flatMap((operation) => withoutApproval(operation, byOperation.get(operation.id) ?? [], decided)),
      ...decided
        .filter((one) => isDenied(one, given))
        .map((one) => `${one.mark}: approved by ${one.userId}, who read "${one.answers.join(' / ')}"`),
    ],
    misrecorded: given.flatMap((approval) => {
      const { length } = ofOperations(audit.recorded).filter(
        ({ what, requestId }) => what === 'approved' && requestId === approval.decided?.operationId,
      );
      return length === 1 ? [] : [`${nameOf(approval)}: ${length} times recorded as approved`];
    }),
  };
}

function lostOf(approval: Approval, shown: readonly Shown[]): string[] {
  const { decided } = approval;
  if (!decided) return [`${nameOf(approval)}: never decided`];
  const message = shown.find(({ mark }) => mark === messageOf(approval));
  return [
    ...(message?.text.includes(SAYS[decided.how])
      ? []
      : [`${nameOf(approval)}, ${decided.how}: its message says "${message?.text ?? ''}"`]),
    // Who cancels it knows.
    ...(decided.how === 'withdrawn' || shown.some(({ mark }) => mark === endOf(approval))
      ? []
      : [`${nameOf(approval)}, ${decided.how}: its asker was not told`]),
  ];
}

/** It begins by exactly one approval, which somebody pressed who is not its asker. */
function withoutApproval(
  operation: Operation,
  approvals: readonly Approval[],
  decided: readonly Decided[],
): string[] {
  const name = `${operation.because ?? operation.id} (${operation.kind} of ${operation.subject.id})`;
  const [approval, second] = approvals;
  if (!approval || second) return [`${name}: begun by ${approvals.length} approvals`];
  const { by } = approval.decided ?? {};
  const isPressed = decided.some(
    ({ userId, mark, deed }) => userId === by && mark === messageOf(approval) && deed === 'approve',
  );
  return isPressed && by !== approval.actor.userId && operation.approvedBy === by
    ? []
    : [`${name}: approved by ${by}, who didn't press that`];
}

/** Whether a press was acknowledged of which nothing came and nothing was read. */
function isUnheard({ mark, userId, acknowledged, answers }: Decided, asked: readonly Approval[]): boolean {
  const approval = asked.find((one) => messageOf(one) === mark);
  return acknowledged && answers.length === 0 && approval?.decided?.by !== userId;
}

/** Whether an approval was given by the one press of somebody who read that nothing was done. */
function isDenied({ mark, userId, saidAgain, answers }: Decided, given: readonly Approval[]): boolean {
  const isTheirs = given.some((one) => messageOf(one) === mark && one.decided?.by === userId);
  return isTheirs && !saidAgain && answers.some((text) => text.includes('nothing was done'));
}

function messageOf({ id }: Approval): string {
  return `approval-${id}`;
}

function endOf({ id }: Approval): string {
  return `approval-end-${id}`;
}

function nameOf({ id, because, kind, instance }: Approval): string {
  return `${because ?? id} (approval of ${kind} of ${instance.id})`;
}
