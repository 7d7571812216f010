import { judgeApprovals } from './approvals.ts';
import { judgeBatches } from './batches.ts';
import { judgeBoards } from './boards.ts';
import { group } from './group.ts';
import { ICONS } from './icons.ts';
import type { Operation } from '../src/core/operations/operation.ts';
import type { FaultedKind } from './kinds.ts';
import { type Asked, type Books, type Looked, ofOperations, type Shown, type Written } from './books.ts';
import { judgeStory } from './story.ts';

/** What is wrong after a run; every list must be empty. Each entry is a sentence. */
export interface Verdict {
  readonly lostFinals: readonly string[];
  readonly doubledFinals: readonly string[];
  readonly falseFinals: readonly string[];
  readonly sentTwice: readonly string[];
  /** Where the audit isn't whole, or says something else than the records, or the story tells it in another order than it happened. */
  readonly misrecorded: readonly string[];
  readonly operations: number;
  /** Requests that a second person approved. */
  readonly approved: number;
  readonly unknown: number;
  /** Requests that were answered at once that nothing was done, or that somebody else is on it. */
  readonly answers: number;
  readonly notAcknowledged: number;
}

/** Judges a run by what everybody can see: pure. */
export function judge(books: Books): Verdict {
  const { asked, operations } = books;
  const byToken = new Map(operations.map((operation) => [operation.because, operation]));
  const byMark = group(books.shown, (one) => one.mark);
  const boards = judgeBoards(operations, books.shown);
  const batches = judgeBatches(books.batches, books.shown);
  const approvals = judgeApprovals(books);
  const begun = new Set([...books.batches, ...books.approvals].map(({ because }) => because));
  const isBegun = ({ token }: Asked): boolean => byToken.has(token) || begun.has(token);
  const lost = [...asked.filter((one) => !isBegun(one)), ...books.looked].filter(
    (one) => one.acknowledged && !isHeardOf(one),
  );
  return {
    lostFinals: [
      ...lost.map(
        (one) =>
          `${one.token}, ${one.userId}${wayOf(one)}: acknowledged, and never heard of again; answered "${one.answers.join(' / ')}"`,
      ),
      ...operations.flatMap((operation) => lostFinals(operation, byMark)),
      ...boards.lostFinals,
      ...batches.lostFinals,
      ...approvals.lostFinals,
      ...(books.openRequests > 0 ? [`${books.openRequests} requests still stand unanswered`] : []),
    ],
    doubledFinals: [
      ...operations.flatMap((operation) => doubledFinals(operation, byMark)),
      ...boards.doubledFinals,
      ...batches.doubledFinals,
      ...approvals.doubledFinals,
    ],
    falseFinals: [
      ...falseFinals(operations, books.written),
      ...contradictions(books, byToken),
      ...approvals.falseFinals,
      ...heldBack(books.audit),
    ],
    sentTwice: sentTwice(operations, books.written),
    misrecorded: [...misrecorded(operations, books.audit), ...approvals.misrecorded, ...judgeStory(books)],
    operations: operations.length,
    approved: books.approvals.filter(({ decided }) => decided?.how === 'approved').length,
    unknown: operations.filter((operation) => operation.outcome?.result === 'unknown').length,
    answers: asked.filter((one) => !byToken.has(one.token) && one.answers.length > 0).length,
    notAcknowledged: asked.filter((one) => !one.acknowledged).length,
  };
}

/** How far a request had come with its asker: what the bots logged of it stands under the person's id. */
function wayOf(one: Asked | Looked): string {
  if (!('kind' in one)) return '';
  return `, ${one.kind.kind}, ${one.leftAt === undefined ? 'asked to the end' : `left before ${one.leftAt}`}`;
}

/**
 * Whether a person read anything about what they asked for: a word that names it, as far as that could be known. A no to a
 * press names the command where Redis was away, or too slow, as the name was looked up.
 */
function isHeardOf({ answers, name, isPressed, kind }: Looked & Partial<Pick<Asked, 'kind'>>): boolean {
  const command = kind && `${commandOf(kind)}: `;
  const isNoToCommand = (text: string): boolean =>
    command !== undefined && text.toLowerCase().startsWith(command) && text.includes('nothing was done');
  return answers.some(
    (text) => text.includes(name) || (isPressed && (text.includes('my database') || isNoToCommand(text))),
  );
}

/** How the bot names a command without its words: the button of several is no command that can be typed, and has its verb alone. */
function commandOf({ kind, asksBy }: FaultedKind): string {
  const [noun = '', verb = ''] = kind.split('.');
  return asksBy === undefined ? `${noun} ${verb}` : verb;
}

function lostFinals(operation: Operation, byMark: ReadonlyMap<string, readonly Shown[]>): string[] {
  const { outcome, boardId } = operation;
  if (!outcome || operation.closedAt === undefined) return [`${nameOf(operation)}: never ended`];
  if (boardId !== undefined) return [];
  const card = byMark.get(operation.card.key)?.[0];
  const faults: string[] = [];
  if (!card) faults.push('no card');
  else if (!card.text.includes(ICONS[outcome.result])) faults.push(`the card says "${card.text}"`);
  if (!byMark.has(operation.reply.key)) faults.push('no reply');
  return faults.map((fault) => `${nameOf(operation)}, ${outcome.result}: ${fault}`);
}

function doubledFinals(operation: Operation, byMark: ReadonlyMap<string, readonly Shown[]>): string[] {
  return [operation.card.key, operation.reply.key]
    .map((mark) => byMark.get(mark)?.length ?? 0)
    .filter((count) => count > 1)
    .map((count) => `${nameOf(operation)}: ${count} times the same message`);
}

/** Nobody reads that it was done when it wasn't, nor that it wasn't when it was: by instance and kind. */
function falseFinals(operations: readonly Operation[], written: readonly Written[]): string[] {
  return [...group(operations, groupOf)].flatMap(([name, all]) => {
    const executions = written.filter((one) => groupOf(one) === name && one.hadEffect).length;
    const count = (result: string): number =>
      all.filter((one) => one.outcome?.result === result && one.outcome.code !== 'already').length;
    const done = count('done');
    if (done > executions) return [`${name}: ${done} reported as done, ${executions} were`];
    if (executions > done + count('asked') + count('unknown'))
      return [
        `${name}: ${executions} were done, reported: ${all.map((one) => `${one.outcome?.result} ${one.outcome?.code}`).join(', ')}`,
      ];
    return [];
  });
}

/** Nothing may happen for a request whose asker read that nothing was done. */
function contradictions(
  { asked, decided }: Pick<Books, 'asked' | 'decided'>,
  byToken: ReadonlyMap<string | undefined, Operation>,
): string[] {
  // What somebody reads who cancels what they asked for is about that.
  const pressed = new Set(decided.map(({ userId }) => userId));
  return asked
    .filter(
      (one) =>
        !one.saidAgain &&
        !pressed.has(one.userId) &&
        byToken.has(one.token) &&
        one.answers.some((text) => text.includes('nothing was done') && !isAboutAsking(one, text)),
    )
    .map((one) => `${one.token}: begun, and answered "${one.answers.join(' / ')}"`);
}

/**
 * Whether an answer is about the asking of what is confirmed afterwards: it names the words that were typed. Two deliveries
 * of one mention may be answered with a question and with a no, and what is begun is begun by the yes to the question.
 */
function isAboutAsking({ kind, name }: Pick<Asked, 'kind' | 'name'>, text: string): boolean {
  return kind.confirms !== undefined && text.toLowerCase().startsWith(`${kind.words(name)}:`);
}

/** Calls that must not come twice, against the operations that may have made one each. */
function sentTwice(operations: readonly Operation[], written: readonly Written[]): string[] {
  const once = written.filter((one) => !one.kind.repeats);
  return [...group(once, groupOf)].flatMap(([name, calls]) => {
    const begun = operations.filter((operation) => groupOf(operation) === name).length;
    return calls.length > begun ? [`${name}: ${calls.length} calls for ${begun} operations`] : [];
  });
}

/** Redis has all that it answered, so that nothing may be frozen because it were older than it was. */
function heldBack({ recorded }: Books['audit']): string[] {
  return recorded.flatMap(({ seq, entry }) =>
    entry.route === 'redis.older'
      ? [`at entry ${seq} of the audit everything was frozen: ${entry.words}`]
      : [],
  );
}

/** Each operation stands in the audit with its beginning and its end, each once, and no other does. */
function misrecorded(
  operations: readonly Operation[],
  { recorded, fault, unmissed }: Books['audit'],
): string[] {
  const entries = ofOperations(recorded);
  const known = new Set(operations.map(({ id }) => id));
  const count = group(entries, ({ what, requestId }) => `${what} ${requestId}`);
  const often = (what: string, id: string): number => count.get(`${what} ${id}`)?.length ?? 0;
  return [
    ...(fault ? [`the audit is ${fault.what} at entry ${fault.seq}`] : []),
    ...unmissed.map((seq) => `nobody would notice that entry ${seq} of the audit was taken out`),
    ...operations.flatMap((operation) => {
      const [asked, ended] = [often('asked', operation.id), often('ended', operation.id)];
      const wanted = operation.outcome ? 1 : 0;
      return asked === 1 && ended === wanted
        ? []
        : [`${nameOf(operation)}: ${asked} times recorded as asked, ${ended} times as ended`];
    }),
    ...entries.flatMap(({ what, requestId, route }) =>
      known.has(requestId)
        ? []
        : [`${requestId}: recorded as ${what} (${route}), and there is no such operation`],
    ),
  ];
}

function groupOf(one: Operation | Written): string {
  return 'subject' in one ? `${one.kind} of ${one.subject.id}` : `${one.kind.kind} of ${one.instanceId}`;
}

function nameOf(operation: Operation): string {
  return `${operation.because ?? operation.id} (${operation.kind} of ${operation.subject.id})`;
}
