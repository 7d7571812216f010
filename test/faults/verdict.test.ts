import type { Entry } from '../../src/core/audit/entry.ts';
import { describe, expect, it } from 'vitest';
import type { Books } from '../../faults/books.ts';
import { KINDS } from '../../faults/kinds.ts';
import { faultsOf } from '../../faults/report.ts';
import { judge } from '../../faults/verdict.ts';
import type { Operation, Outcome } from '../../src/core/operations/operation.ts';
import { NOW, operation } from '../operations/operation.ts';

const restart = KINDS.find(({ kind }) => kind === 'instances.restart')!;
const call = { instanceId: '42', kind: restart, hadEffect: true };

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
const entries: readonly Entry[] = (['asked', 'ended'] as const).map((what) => ({
  what,
  at: 0,
  requestId: ended('done').id,
  route: 'instances.restart',
}));
const GOOD: Books = {
  asked: [asked],
  batches: [],
  operations: [ended('done')],
  looked: [],
  written: [call],
  shown,
  openRequests: 0,
  audit: { entries, fault: undefined },
};

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
  });

  it.each<[string, Partial<Books>, RegExp]>([
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
      { operations: [ended('canceled')], shown: [{ mark: 'op-1-card', text: '⚪' }, shown[1]!] },
      /^false: .*1 were done/,
    ],
    [
      '"nothing was done" of what was begun',
      { asked: [{ ...asked, answers: ['nothing was done'] }] },
      /^false: ask: begun/,
    ],
    [
      'an operation that the audit does not know',
      { audit: { entries: [], fault: undefined } },
      /^misrecorded: .*0 times recorded as asked/,
    ],
    [
      'an end that stands twice',
      { audit: { entries: [...entries, entries[1]!], fault: undefined } },
      /^misrecorded: .*2 times as ended/,
    ],
    [
      'an invented entry',
      { audit: { entries: [...entries, { ...entries[0]!, requestId: 'other' }], fault: undefined } },
      /^misrecorded: other/,
    ],
    [
      'an audit that was touched',
      { audit: { entries, fault: { seq: 3, id: undefined, what: 'cut off' } } },
      /^misrecorded: the audit is cut off at entry 3/,
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
