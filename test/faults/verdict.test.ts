import type { Entry } from '../../src/core/audit/entry.ts';
import { describe, expect, it } from 'vitest';
import type { Approval } from '../../src/core/approvals/approval.ts';
import type { Books, Decided } from '../../faults/books.ts';
import { KINDS } from '../../faults/kinds.ts';
import { faultsOf } from '../../faults/report.ts';
import { judge } from '../../faults/verdict.ts';
import type { Operation, Outcome } from '../../src/core/operations/operation.ts';
import { NOW, operation } from '../operations/operation.ts';

const restart = KINDS.find(({ kind }) => kind === 'instances.restart')!;
const call = { instanceId: '42', kind: restart, hadEffect: true, at: 1_500 };

function ended(result: Outcome['result'], code: Outcome['code'] = 'done'): Operation {
  return { ...operation({}), because: 'ask', outcome: { result, code, at: NOW }, closedAt: NOW };
}
const asked = {
  token: 'ask',
  instanceId: '42',
  name: 'm-42',
  kind: restart,
  userId: 'U1',
  acknowledged: true,
  saidAgain: false,
  answers: [],
};
const shown = [
  { mark: 'op-1-card', text: '✅ Restarted' },
  { mark: 'op-1-reply', text: '@ana Restarted' },
];
/** The audit of one operation with its end; each entry a second after the one before. */
const entriesOf = (result: Outcome['result']): readonly Entry[] =>
  (['asked', 'ended'] as const).map((what) => ({
    what,
    at: 0,
    requestId: ended('done').id,
    route: 'instances.restart',
    ...(what === 'ended' ? { result } : {}),
  }));
const entries = entriesOf('done');
const auditOf = (all: readonly Entry[], fault?: Books['audit']['fault']): Books['audit'] => ({
  recorded: all.map((entry, index) => ({ seq: index + 1, entry, writtenAt: 1_000 * (index + 1) })),
  fault,
  unmissed: [],
});
const GOOD: Books = {
  asked: [asked],
  batches: [],
  approvals: [],
  decided: [],
  operations: [ended('done')],
  looked: [],
  written: [call],
  shown,
  openRequests: 0,
  audit: auditOf(entries),
};

/** Two restarts of one instance, one after the other, whose messages stand in this order. */
function inTurn(marks: readonly string[]): Partial<Books> {
  const first = { ...ended('done'), execution: { ...ended('done').execution, sends: 1 } };
  const [card, reply] = [
    { ...first.card, key: 'op-2-card' },
    { ...first.reply, key: 'op-2-reply' },
  ];
  const later = entries.map((entry) => ({ ...entry, requestId: 'op-2' }));
  return {
    asked: [asked, { ...asked, token: 'later' }],
    operations: [first, { ...first, id: 'op-2', because: 'later', card, reply }],
    written: [call, { ...call, at: 3_500 }],
    shown: marks.map((mark) => ({ mark, text: '✅ Restarted' })),
    audit: auditOf([...entries, ...later]),
  };
}

const faults = (over: Partial<Books>): string =>
  faultsOf({ ...judge({ ...GOOD, ...over }), crashes: [] }).join('\n');

describe('the verdict over a run', () => {
  it('takes a no to a press for an answer where it names the command, and a no to something else for none', () => {
    const several = KINDS.find(({ isSeveral }) => isSeveral)!;
    const no = (text: string, kind = asked.kind): string =>
      faults({
        asked: [{ ...asked, kind, isPressed: true, answers: [text] }],
        operations: [],
        written: [],
        shown: [],
      });
    const words = 'The hosting service does not answer right now, so nothing was done.';
    expect(no(`Instances restart: ${words}`)).not.toContain('lost');
    expect(no(`Addons remove: ${words}`)).toMatch(/^lost: ask, /);
    // Its button is no command that can be typed.
    expect(no(`Restart: ${words}`, several)).not.toContain('lost');
    expect(no(`Stop: ${words}`, several)).toMatch(/^lost: ask, /);
  });

  it('finds nothing wrong where everything went as planned', () => {
    expect(faults({})).toBe('');
    expect(faults(inTurn(['op-1-card', 'op-1-reply', 'op-2-card', 'op-2-reply']))).toBe('');
  });

  it.each<[string, Partial<Books>, RegExp]>([
    [
      'a Redis that was taken for older than it was',
      {
        audit: auditOf([
          ...entries,
          { what: 'set', at: 0, requestId: 'older', route: 'redis.older', words: 'Redis is older' },
        ]),
      },
      /^false: at entry 3 of the audit everything was frozen: Redis is older$/,
    ],
    ['a request nobody heard of again', { operations: [], written: [], shown: [] }, /^lost: ask/],
    [
      'a request whose asker read only of something else',
      { asked: [{ ...asked, answers: ['I could not check that'] }], operations: [], written: [], shown: [] },
      /^lost: ask, U1, instances.restart, asked to the end: .*answered "I could not check that"/,
    ],
    [
      'a look that nobody answered',
      { looked: [{ token: 'look', name: 'm-42', userId: 'U2', acknowledged: true, answers: [] }] },
      /^lost: look/,
    ],
    ['a request that still stands', { openRequests: 1 }, /^lost: 1 requests/],
    [
      'an operation without an end',
      { operations: [{ ...ended('done'), closedAt: undefined }] },
      /^lost: .*never ended/,
    ],
    ['no card', { shown: shown.slice(1) }, /^lost: .*no card/],
    ['no reply', { shown: shown.slice(0, 1) }, /^lost: .*no reply/],
    [
      'a card without the end',
      { shown: [{ mark: 'op-1-card', text: '⏳' }, shown[1]!] },
      /^lost: .*the card says "⏳"/,
    ],
    ['two cards', { shown: [...shown, shown[0]!] }, /^doubled: /],
    ['two replies', { shown: [...shown, shown[1]!] }, /^doubled: /],
    [
      '"done" that was not',
      { written: [{ ...call, hadEffect: false }] },
      /^false: .*1 reported as done, 0 were/,
    ],
    [
      '"nothing was done" that was',
      {
        operations: [ended('canceled')],
        shown: [{ mark: 'op-1-card', text: '⚪' }, shown[1]!],
        audit: auditOf(entriesOf('canceled')),
      },
      /^false: .*1 were done/,
    ],
    [
      '"nothing was done" of what was begun',
      { asked: [{ ...asked, answers: ['nothing was done'] }] },
      /^false: ask: begun/,
    ],
    [
      'an operation that the audit does not know',
      { audit: auditOf([]) },
      /^misrecorded: .*0 times recorded as asked/,
    ],
    [
      'an end that stands twice',
      { audit: auditOf([...entries, entries[1]!]) },
      /^misrecorded: .*2 times as ended/,
    ],
    [
      'an invented entry',
      { audit: auditOf([...entries, { ...entries[0]!, requestId: 'other' }]) },
      /^misrecorded: other/,
    ],
    [
      'an audit that was touched',
      { audit: auditOf(entries, { seq: 3, id: undefined, what: 'cut off' }) },
      /^misrecorded: the audit is cut off at entry 3/,
    ],
    [
      'an entry that nobody would miss',
      { audit: { ...auditOf(entries), unmissed: [2] } },
      /^misrecorded: nobody would notice that entry 2 of the audit was taken out/,
    ],
    [
      'a story from which an entry was taken',
      {
        audit: { ...auditOf(entries), recorded: auditOf([entries[0]!, ...entries]).recorded.toSpliced(1, 1) },
      },
      /^misrecorded: the story lacks what stands between entries 1 and 3/,
    ],
    [
      'a story that tells another end than the card',
      {
        operations: [{ ...ended('done'), execution: { ...ended('done').execution, sends: 1 } }],
        audit: auditOf(entriesOf('failed')),
      },
      /^misrecorded: ask: told 1 times as asked, and as ended "failed", not "done"\n.*shows no ❌/,
    ],
    [
      'a story that tells of an end before its call came',
      { written: [{ ...call, at: 5_000 }] },
      /^misrecorded: ask: told as done, with no such call of the host's log in between/,
    ],
    [
      'cards of one instance in another order than the story tells',
      inTurn(['op-2-card', 'op-2-reply', 'op-1-card', 'op-1-reply']),
      /^misrecorded: later: its card stands before that of what the story tells first$/,
    ],
    ['a restart sent twice', { written: [call, { ...call, hadEffect: false }] }, /^sent twice: /],
  ])('sees %s', (_name, over, fault) => {
    expect(faults(over)).toMatch(fault);
  });

  it('holds a no against what was begun, unless it is about the asking of what was confirmed after', () => {
    const add = KINDS.find(({ kind }) => kind === 'addons.add')!;
    const no = (text: string): string => faults({ asked: [{ ...asked, kind: add, answers: [text] }] });
    expect(no('Add backup m-42: I could not check your role, so nothing was done.')).not.toContain(
      'begun, and answered',
    );
    expect(no('Add m-42 (42): I could not check your role, so nothing was done.')).toContain(
      'begun, and answered',
    );
  });

  it('holds nothing against an unknown end, whatever happened', () => {
    const unknown = {
      operations: [ended('unknown', 'no-answer')],
      shown: [{ mark: 'op-1-card', text: '❔' }, shown[1]!],
      audit: auditOf(entriesOf('unknown')),
    };
    expect(faults(unknown)).toBe('');
    expect(faults({ ...unknown, written: [] })).toBe('');
  });
});

describe('the verdict over a board', () => {
  const id = ended('done').subject.id;
  const onBoard = { ...ended('done'), boardId: 'b' };
  const board = { mark: 'board-b', text: `1 operation: all done.\n• ✅ Restarted m-42 (${id})` };
  const reply = { mark: 'board-b-reply-1', text: `@ana Restarted m-42 (${id})` };
  const books = (...all: Books['shown']): Partial<Books> => ({ operations: [onBoard], shown: all });

  it('finds nothing wrong where its line and its reply stand once', () => {
    expect(faults(books(board, reply))).toBe('');
  });

  it.each<[string, Partial<Books>, RegExp]>([
    ['no line', books(reply), /^lost: .*not on its board/],
    [
      'a line without the end',
      books({ ...board, text: `⏳ m-42 (${id})` }, reply),
      /^lost: .*not on its board/,
    ],
    ['no reply', books(board), /^lost: .*not in the replies/],
    [
      'two replies',
      books(board, reply, { ...reply, mark: 'board-b-reply-2' }),
      /^doubled: .*2 replies for 1/,
    ],
    ['two boards', books(board, board, reply), /^doubled: board-b: 2 times/],
  ])('finds %s', (_what, over, expected) => {
    expect(faults(over)).toMatch(expected);
  });
});

describe('the verdict over what a second person must approve', () => {
  const id = ended('done').id;
  const subject = { ...ended('done').subject, name: 'a-42' };
  const begun = { ...ended('done'), subject, approvedBy: 'U2' };
  const approval: Approval = {
    id: 'yes',
    kind: 'instances.restart',
    verb: 'restart',
    what: [],
    actor: { userId: 'U1' },
    place: { channelId: 'C1' },
    instance: { id: subject.id, name: 'a-42', status: 'running' },
    args: {},
    because: 'ask',
    askedAt: NOW,
    expiresAt: NOW + 1,
    decided: { how: 'approved', by: 'U2', at: NOW, operationId: id },
  };
  const pressed: Decided = {
    userId: 'U2',
    mark: 'approval-yes',
    deed: 'approve',
    acknowledged: true,
    saidAgain: false,
    answers: [],
  };
  const message = { mark: 'approval-yes', text: '🔐 @ana asks to restart a-42. ✅ Approved by @bob.' };
  const end = { mark: 'approval-end-yes', text: '@ana, you asked to restart a-42.' };
  const approvedEntry = { what: 'approved', at: 0, requestId: id, route: 'approval.approve' } as const;
  const books = (over: Partial<Books> = {}): Partial<Books> => ({
    operations: [begun],
    approvals: [approval],
    decided: [pressed],
    shown: [...shown, message, end],
    audit: auditOf([...entries, approvedEntry]),
    ...over,
  });
  const refused: Approval = { ...approval, decided: { how: 'refused', by: 'U2', at: NOW } };
  const refusal = { ...message, text: '🔐 @ana asks to restart a-42. ⛔ Refused by @bob.' };

  it('finds nothing wrong where it was approved once and begun once, or refused and not begun', () => {
    expect(faults(books())).toBe('');
    const notBegun = {
      operations: [],
      written: [],
      shown: [refusal, end],
      audit: auditOf([]),
    };
    expect(
      faults(books({ ...notBegun, approvals: [refused], decided: [{ ...pressed, deed: 'refuse' }] })),
    ).toBe('');
  });

  it('takes a request that waits with another for heard of', () => {
    const joined = { ...approval, id: 'too', because: 'other', decided: undefined, joined: 'yes' };
    const other = { ...asked, token: 'other' };
    expect(faults(books({ asked: [asked, other], approvals: [approval, joined] }))).toBe('');
  });

  it.each<[string, Partial<Books>, RegExp]>([
    [
      'what was never decided',
      { approvals: [{ ...approval, decided: undefined }] },
      /^lost: ask .*never decided/,
    ],
    [
      'a message that does not say so',
      { shown: [...shown, refusal, end] },
      /^lost: .*approved: its message says/,
    ],
    ['an asker who was not told', { shown: [...shown, message] }, /^lost: .*its asker was not told/],
    ['an approval of which nothing came', { operations: [], written: [] }, /^lost: .*nothing was begun/],
    [
      'a press that nobody heard of again',
      { decided: [pressed, { ...pressed, userId: 'U3' }] },
      /^lost: approval-yes, U3: approve, acknowledged/,
    ],
    ['two requests', { shown: [...shown, message, message, end] }, /^doubled: .*2 times the same message/],
    ['what began without an approval', { approvals: [] }, /false: .*begun by 0 approvals/],
    [
      'what began although it was refused',
      { approvals: [refused], shown: [...shown, refusal, end] },
      /false: .*begun by 0/,
    ],
    [
      'what began by two approvals',
      { approvals: [approval, { ...approval, id: 'no' }] },
      /false: .*begun by 2 approvals/,
    ],
    [
      'a yes that nobody pressed',
      { decided: [{ ...pressed, deed: 'refuse' }] },
      /false: .*who didn't press that/,
    ],
    [
      'a yes that came too late',
      { decided: [{ ...pressed, deed: 'approve late' }] },
      /false: .*who didn't press that/,
    ],
    [
      'a yes to what one asked for oneself',
      { approvals: [{ ...approval, actor: { userId: 'U2' } }] },
      /false: .*who didn't press that/,
    ],
    [
      'a yes that was answered with a no',
      { decided: [{ ...pressed, answers: ['so nothing was done'] }] },
      /false: approval-yes: approved by U2, who read/,
    ],
    [
      'a yes that the audit does not know',
      { audit: auditOf(entries) },
      /misrecorded: .*0 times recorded as approved/,
    ],
  ])('sees %s', (_what, over, fault) => {
    expect(faults(books(over))).toMatch(fault);
  });
});
