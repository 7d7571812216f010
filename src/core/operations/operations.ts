import type { Entry } from '../audit/entry.ts';
import type { WorkQueue } from '../../platform/queue/queue.ts';
import type { Timings } from '../timings.ts';
import { type Commit, together } from '../records/commit.ts';
import { type Durations, historyOf } from './past.ts';
import type { Actor } from '../../platform/slack/ids.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Posted } from '../../platform/slack/messenger.ts';
import { messageLink, type Phrase, say } from '../../platform/slack/phrase.ts';
import { canceled, takenBack } from './execution.ts';
import { sendDeadline, mayLeave, tookOf, waitsSince } from './cancel-window.ts';
import type { PollTimes } from './poll-times.ts';
import { spansOf } from './spans.ts';
import type { OperationKind } from './kind.ts';
import { endedCard, noticeMessage, deadLetteredCard, reply } from './messages.ts';
import { cannotBeShown, noticeAt, type NoticeKind } from './asker-notice.ts';
import { followed, newOperation, type NewOperation, type Operation } from './operation.ts';
import { type Change, createChange, type Step } from './change.ts';
import type { Beside, OperationStore } from './operation-store.ts';
import type { Begun, Pressed } from './write-begin.ts';
import { buttonUsed, nextMessageAt, wayBackMoved } from './message-order.ts';
import type { WayBack } from './way-back.ts';
import { contentKey } from './content-key.ts';
import type { Parts } from '../parts/parts.ts';

export const OPERATION_JOB = 'operation';
/** The poll of the hosting account, which is one for all operations. */
export const POLL_JOB = 'poll';
export const POLL_ID = 'account';
export const BATCH_JOB = 'batch';
/** The job of a schedule, which an operation's way back is. */
export const SCHEDULE_JOB = 'schedule';

/** Has an operation's job run soon, among those of its channel. */
export function wakeOperation(
  queue: Pick<WorkQueue, 'wake'>,
  { id, place }: Pick<Operation, 'id' | 'place'>,
): Promise<void> {
  return queue.wake(OPERATION_JOB, id, place.channelId);
}

/** The only door to operations: begin one, move one, hear of one. */
export interface Operations {
  readonly change: Change;
  /** Takes the subject, writes the operation down with the entry that records it, and wakes its job. */
  begin(
    begin: Omit<NewOperation, 'usuallyMs' | 'longMs'>,
    pressed: Pressed,
    entry: Entry,
  ): Promise<Begun | { result: 'late' }>;
  /** The part of a commit that moves one by a step that doesn't end it, and wakes its job; undefined where the step did not apply. */
  moving(operationId: string, step: Step): Promise<Commit<'moved'> | undefined>;
  find(operationId: string): Promise<Operation | undefined>;
  /** As this process last saw it: somebody else may have moved it since, which a change finds out. */
  findLatest(operationId: string): Promise<Operation | undefined>;
  /** The operation in flight for what only one may be about. */
  findHolder(lock: string): Promise<Operation | undefined>;
  /** The same for what a person only reads: it fails rather than waits. */
  findHolderFailFast(lock: string): Promise<Operation | undefined>;
  listOpen(): Promise<Operation[]>;
  /** The same as this process last saw them, which may be older than their records. */
  listOpenLatest(): Promise<Operation[]>;
  /** Those that Redis had lost and that were put back. `isSearch`: searches for them; else those that were found on the way. */
  takeLost(isSearch: boolean): Promise<readonly Operation[]>;
  /** Has a person mentioned at the end. Gives the operation; undefined when it is over, or too many follow it. */
  follow(operationId: string, userId: string): Promise<Operation | undefined>;
  /** Cancels an operation that has asked nothing of the service yet. Gives it, or undefined when it is too late. `using`: what it uses up. */
  cancel(operationId: string, actor: Actor, using: Beside['using']): Promise<Operation | undefined>;
  /** Ends an operation of a batch for which no call has left yet. Gives it, or undefined when it is too late. */
  takeBack(operationId: string, by: string | undefined): Promise<Operation | undefined>;
  /** When the operation's job has something to do next, in Redis' time; infinity when it waits for a poll. */
  dueAt(operation: Operation): number;
  kindOf(operation: Pick<Operation, 'id' | 'kind'>): OperationKind;
  /** Whether this version knows the operation's kind. */
  knows(operation: Pick<Operation, 'kind'>): boolean;
  /** The card whose button asked for `operation` says so from now on, without that button. */
  markUsedButton(operation: Operation): Promise<void>;
  /** The card of an operation shows its way back as it is now. */
  showWayBack(operationId: string, wayBack: WayBack): Promise<void>;
  /** A link to its card, as a sentence to append; empty where everybody can't see it or its address isn't known. */
  linkTo(operation: Operation): Phrase;
  /** A link to any message, under these words; nothing where the workspace's address isn't known. */
  linkAt(at: Posted, words: string): Phrase;
  /** Its one message as it stands now. */
  cardOf(operation: Operation): Message;
  /** The one reply that tells the end; `mentioned`: to whom. */
  replyOf(operation: Operation, mentioned: readonly string[]): Message;
  /** What its asker reads alone while no card stands. */
  noticeOf(operation: Operation, kind: NoticeKind): Message;
}

export interface OperationsDeps extends Pick<
  Parts,
  'clock' | 'queue' | 'timings' | 'log' | 'metrics' | 'traces' | 'writeQueue' | 'storyRoute'
> {
  readonly store: OperationStore;
  /** The same records over a connection that fails rather than waits, for what a person waits for. */
  readonly failFastStore: OperationStore;
  readonly durations: Durations;
  readonly pollTimes: PollTimes;
  readonly kinds: readonly OperationKind[];
  /** The address of the workspace, as Slack tells it, once it is known. */
  readonly workspaceUrl: () => string | undefined;
}

export function createOperations(deps: OperationsDeps): Operations {
  const { store, queue, clock, timings } = deps;
  const linkAt = createLinkAt(deps);
  const kinds = new Map(deps.kinds.map((kind) => [kind.kind, kind]));

  const kindOf = (operation: Pick<Operation, 'id' | 'kind'>): OperationKind => {
    const kind = kinds.get(operation.kind);
    if (!kind) throw new Error(`operation ${operation.id}: no kind ${operation.kind}`);
    return kind;
  };

  const cardOf = (operation: Operation): Message => {
    const { outcome, deadLetteredAt } = operation;
    if (deadLetteredAt !== undefined) return deadLetteredCard(operation, kinds.get(operation.kind));
    const kind = kindOf(operation);
    return outcome ? endedCard(operation, outcome, kind, deps.storyRoute) : kind.card(operation);
  };

  const dueAt = (operation: Operation): number => {
    return Math.min(
      nextMessageAt(operation, contentKey(operation), timings),
      effectAt(operation, timings),
      noticeAt(operation, timings),
      operation.usesButtonOf === undefined ? Number.POSITIVE_INFINITY : operation.requestedAt,
    );
  };

  const change = createChange({
    store,
    dueAt,
    historyOf: (operation) => historyOf(operation, deps.pollTimes),
    ...createEnds(deps),
  });

  return {
    change,
    moving: createMoving(deps, dueAt),
    begin: createBegin(deps),
    find: store.find,
    findLatest: store.findLatest,
    findHolder: store.findHolder,
    findHolderFailFast: deps.failFastStore.findHolder,
    listOpen: deps.failFastStore.listOpen,
    listOpenLatest: deps.failFastStore.listOpenLatest,
    takeLost: deps.failFastStore.takeLost,
    follow: (operationId, userId) => change(operationId, (operation) => followed(operation, userId)),
    cancel: async (operationId, actor, using) => {
      const step: Step = (operation) => canceled(operation, actor, clock.now());
      const after = await change(operationId, step, { using });
      if (after) await wakeOperation(queue, after);
      return after;
    },
    takeBack: async (operationId, by) => {
      const after = await change(operationId, (operation) => takenBack(operation, by, clock.now()));
      if (after) await wakeOperation(queue, after);
      return after;
    },
    ...createLater(change, queue),
    linkAt,
    linkTo: createLinkTo(linkAt),
    dueAt,
    kindOf,
    knows: (operation) => kinds.has(operation.kind),
    cardOf,
    replyOf: (operation, mentioned) =>
      reply(operation, operation.deadLetteredAt === undefined ? kindOf(operation) : undefined, mentioned),
    noticeOf: (operation, kind) => noticeMessage(cardOf(operation), kind),
  };
}

/** What an operation's card says later of what came of it. */
function createLater(change: Change, queue: WorkQueue): Pick<Operations, 'markUsedButton' | 'showWayBack'> {
  const changeAndWake = async (operationId: string, step: Step): Promise<void> => {
    const after = await change(operationId, step);
    if (after) await wakeOperation(queue, after);
  };
  return {
    markUsedButton: async ({ id, kind, actor, requestedAt, usesButtonOf }) => {
      if (usesButtonOf === undefined) return;
      const next = { kind, userId: actor.userId, at: requestedAt };
      await changeAndWake(usesButtonOf, (used) => buttonUsed(used, next));
      await change(id, ({ usesButtonOf: isLeft, ...rest }) => (isLeft === undefined ? undefined : rest));
    },
    showWayBack: (operationId, wayBack) =>
      changeAndWake(operationId, (operation) => wayBackMoved(operation, wayBack)),
  };
}

function createLinkAt({ workspaceUrl }: OperationsDeps): Operations['linkAt'] {
  return (at, words) => {
    const link = messageLink(workspaceUrl(), at, words);
    return link === undefined ? say`` : say` ${link}.`;
  };
}

function createMoving({ store, queue }: OperationsDeps, dueAt: Operations['dueAt']): Operations['moving'] {
  return async (operationId, step) => {
    const part = await store.moving(operationId, step, dueAt);
    const stands = part && (await store.find(operationId));
    return part && stands && together<'moved'>(part, { wake: () => wakeOperation(queue, stands) });
  };
}

function createLinkTo(linkAt: Operations['linkAt']): Operations['linkTo'] {
  return ({ card, place }) => {
    const { state, channelId, ts, fallback } = card;
    if (state !== 'sent' || channelId === undefined || ts === undefined || fallback !== undefined)
      return say``;
    const { threadTs } = place;
    const at = { channelId, ts, threadTs };
    return linkAt(at, 'See its card');
  };
}

/** Takes the subject, writes the operation down and wakes its job. */
function createBegin({ store, queue, clock, durations, timings, log }: OperationsDeps): Operations['begin'] {
  return async (begin, pressed, entry) => {
    // Reading may have taken its time: what was asked too long ago is not begun any more.
    if (clock.now() - waitsSince(begin) > timings.acceptWithinMs) return { result: 'late' };
    const usual = await durations.usual(begin.kind, begin.subject.id);
    const operation = newOperation({ ...begin, ...usual }, clock.now());
    const begun = await store.begin(operation, pressed, entry);
    if (begun.result === 'begun') {
      const { id, kind, actor, subject } = operation;
      log.info({ operation: id, kind, instance: subject.id, by: actor.userId }, 'operation begun');
      // Where this fails, the sweep wakes it.
      await wakeOperation(queue, operation).catch((error: unknown) =>
        log.warn({ error }, 'waking an operation'),
      );
    }
    return begun;
  };
}

/** Counts what has ended, and lets those know who wait for it; tells the trace of what is closed. */
function createEnds({
  writeQueue,
  queue,
  metrics,
  traces,
  log,
}: OperationsDeps): Pick<Parameters<typeof createChange>[0], 'ended' | 'closed'> {
  const ended: Parameters<typeof createChange>[0]['ended'] = async (operation, { result, code, at }) => {
    const { id, kind, subject, batchId, wayBack } = operation;
    if (operation.queued) await writeQueue.leave(id);
    const tookMs = tookOf(operation, at);
    metrics.operationEnded(kind, result, tookMs);
    log.info({ operation: id, kind, instance: subject.id, result, code, tookMs }, 'operation ended');
    // What could not be woken is found by the sweep.
    if (batchId !== undefined) await queue.wake(BATCH_JOB, batchId).catch(() => undefined);
    // There may be nothing to turn around.
    if (wayBack) await queue.wake(SCHEDULE_JOB, wayBack.scheduleId).catch(() => undefined);
  };
  return { ended, closed: (operation) => traces.add(spansOf(operation)) };
}

/** Longer than a call that left at the last moment, and its answer on its way from the one process to the other. */
const ANSWER_SLACK_MS = 1_000;

/** A call written down so long ago (ms) without an answer has lost it. Pure. */
export function recoverAfterMs({ apiTimeoutMs }: Pick<Timings, 'apiTimeoutMs'>): number {
  return apiTimeoutMs + ANSWER_SLACK_MS;
}

/** When the execution has its next step in the operation's own job. */
export function effectAt(operation: Operation, timings: Timings): number {
  const { execution } = operation;
  if (execution.state === 'requested') {
    if (mayLeave(operation)) return execution.nextAt;
    // What nobody can see is not done: given up when that has lasted too long, or can't change any more.
    return cannotBeShown(operation) ? 0 : sendDeadline(operation, timings) + 1;
  }
  if (execution.state === 'sending') return (execution.sentAt ?? 0) + recoverAfterMs(timings);
  return Number.POSITIVE_INFINITY;
}

/** The bot as what begins operations and carries them out has it. */
export interface Operating extends Parts {
  readonly operations: Operations;
}
