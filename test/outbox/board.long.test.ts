import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import {
  beginReply,
  type BoardView,
  endReply,
  newBoard,
  nextBoardSteps,
} from '../../src/core/boards/board.ts';
import type { RowState, Member } from '../../src/core/boards/row.ts';
import { leftBoard, notShown, reportedOn, shownOn } from '../../src/core/boards/board-job.ts';
import { boardMessage } from '../../src/core/boards/messages.ts';
import { rowSet } from '../../src/core/operations/message-order.ts';
import { TIMINGS } from '../../src/core/timings.ts';
import { person, say } from '../../src/platform/slack/phrase.ts';
import { render } from '../../src/platform/slack/render.ts';
import { operation } from '../operations/operation.ts';
import {
  botMessages,
  play,
  type PlayOptions,
  powerCalls,
  privateMessage,
  readAll,
} from '../support/sandbox.ts';

/** A channel in which every second operation at the same time shares a board. */
function playWithBoards(count: number, options: PlayOptions = {}): Promise<Sandbox> {
  const instances = Array.from({ length: count }, (_, index) => instance(1_000 + index, `m-${index}`));
  return play({
    ...options,
    hosting: { world: worldOf(instances), ...options.hosting },
    // So many at once may take long on a busy machine.
    timings: { ownCards: 1, acceptWithinMs: 20_000, apiTimeoutMs: 20_000, ...options.timings },
  });
}

/** Has several people in turn restart m-0, m-1 and so on, all at once. */
async function restarts(sandbox: Sandbox, count: number, people: readonly string[] = ['ana']): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      sandbox.slack
        .person(people[index % people.length] ?? 'ana')
        .types('#ops', `/instances restart m-${index}`),
    ),
  );
}

const boardOf = (sandbox: Sandbox): string =>
  readAll(sandbox).find((text) => /^\d+ operations?: /.test(text)) ?? '';

/** Every line of the replies that tell the ends of a board. */
const repliedLines = (sandbox: Sandbox): string[] =>
  readAll(sandbox)
    .filter((text) => !/^\d+ operations?: /.test(text))
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.includes('@') && !line.startsWith('asked by'));

describe('several restarts at once in one channel', () => {
  it('share one board, and each asker is mentioned at the end in replies that tell many', async () => {
    const sandbox = await playWithBoards(12);
    await restarts(sandbox, 12, ['ana', 'bob']);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(12);
    const board = boardOf(sandbox);
    expect(board).toContain('11 operations: all done.');
    const replies = repliedLines(sandbox);
    expect(replies).toHaveLength(12);
    for (let index = 0; index < 12; index++) {
      const who = index % 2 === 0 ? '@ana' : '@bob';
      const own = readAll(sandbox).some((text) => text.startsWith(`✅ Restarted m-${index} `));
      if (!own) expect(board).toMatch(new RegExp(`✅ Restarted m-${index} \\(.*${who}`));
      expect(replies.filter((line) => line.includes(`m-${index} `))).toEqual([
        expect.stringContaining(`${who} Restarted m-${index} (${1_000 + index})`),
      ]);
    }
    // One card, one board and their replies, in place of a card and a reply each.
    expect(botMessages(sandbox).length).toBeLessThan(12);
  });

  it('stand on the board with trouble first, and what can be done next in its menu', async () => {
    const sandbox = await playWithBoards(4, { timings: { ownCards: 0 } });
    sandbox.hosting.setBehavior(1_002, { endings: { restart: 'error' } });
    await restarts(sandbox, 4);
    await sandbox.settled();
    const [, first] = boardOf(sandbox).split('\n');
    expect(boardOf(sandbox)).toContain('4 operations: 1 failed, 3 done.');
    expect(first).toContain('m-2 (1002)');
    expect(first).toMatch(/^• ❌/u);
    expect(boardOf(sandbox)).toContain('[ Try again: m-2 ]');
  });

  it('of one that shares a thread stand in that thread', async () => {
    const sandbox = await playWithBoards(3, { timings: { ownCards: 0 } });
    const { message: thread } = await sandbox.slack.person('ana').types('#ops', 'Deploying now');
    // A board whose operations are all over is soon left alone, and the next begins another.
    const held = sandbox.hosting.hold({ path: /\/1000\/restart$/ });
    await Promise.all(
      [0, 1].map((index) =>
        sandbox.slack.person('ana').mentions('#ops', `restart m-${index}`, { thread: thread!.ts }),
      ),
    );
    await sandbox.slack.until(() => /m-0[^]*m-1|m-1[^]*m-0/.test(boardOf(sandbox)));
    held.release();
    await sandbox.settled();
    expect(botMessages(sandbox).map(({ thread_ts: threadTs }) => threadTs)).toEqual(
      botMessages(sandbox).map(() => thread!.ts),
    );
    expect(boardOf(sandbox)).toContain('2 operations: all done.');
  });
});

describe('a board of more lines than a message takes', () => {
  it('names all that are done, and shows every line page by page to who asks', async () => {
    const sandbox = await playWithBoards(60, { timings: { ownCards: 0 } });
    await restarts(sandbox, 60);
    await sandbox.settled();
    const board = boardOf(sandbox);
    expect(board).toContain('60 operations: all done.');
    for (let index = 0; index < 60; index++) expect(board).toMatch(new RegExp(`\\bm-${index}\\b`));
    const message = botMessages(sandbox).find((one) => sandbox.slack.read(one) === board)!;
    await sandbox.slack.person('bob').presses(message, 'Show all');
    const page = await privateMessage(sandbox, 'bob', '60 operations: all done. 1 to 40:');
    await sandbox.slack.person('bob').presses(page, 'Next');
    const rest = await privateMessage(sandbox, 'bob', '41 to 60:');
    expect(sandbox.slack.read(rest).match(/✅/gu)).toHaveLength(20);
    expect(repliedLines(sandbox)).toHaveLength(60);
  });
});

describe('ends that two processes read at the same time', () => {
  it('are reported in one reply, also by the one that comes to it after the other is through', () => {
    const read = newBoard('b-1', { channelId: 'C0OPS000001' }, 1);
    const begun = beginReply(read, read, ['o-1'], 2);
    const through = begun && endReply(begun, begun.reply?.message.key ?? '', 3, TIMINGS);
    expect(through?.reply).toBeUndefined();
    expect(beginReply(through!, read, ['o-1'], 4)).toBeUndefined();
    expect(beginReply(through!, through!, ['o-2'], 4)?.reply?.operationIds).toEqual(['o-2']);
  });
});

describe('a board of a crowd', () => {
  it('has room for the name of each of 500 whose end it shows', () => {
    const members = Array.from({ length: 500 }, (_, index) => ({
      operationId: `o-${index}`,
      state: 'done' as const,
      name: `worker-${index}`,
      says: say`Restarted ${`worker-${index}`} (${index}): it is running again, after 12 s. · ${person('U0ANA000001')}`,
      steps: [],
      at: index,
    }));
    const { blocks } = render(boardMessage('b-1', members, 'lamplighter.board'));
    const words = JSON.stringify(blocks);
    for (const { name } of members) expect(words).toMatch(new RegExp(`${name}\\b`));
  });
});

describe('a board whose edits wait for those of the workspace', () => {
  it('has its ends reported in its thread, also those whose lines are not to be seen yet', async () => {
    const sandbox = await playWithBoards(6, {
      timings: { ownCards: 0, editEveryMs: 60_000, noticeAfterMs: 10, boardEveryMs: 500 },
    });
    for (let index = 0; index < 6; index++) {
      await sandbox.slack.person('ana').types('#ops', `/instances restart m-${index}`);
      await sandbox.slack.until(() => repliedLines(sandbox).length === index + 1);
    }
    expect(boardOf(sandbox)).not.toContain('m-5');
    expect(powerCalls(sandbox)).toBe(6);
  });
});

describe('a board that Slack refuses', () => {
  it('leaves each operation to tell its asker alone, and none is lost', async () => {
    const sandbox = await playWithBoards(3, { timings: { ownCards: 0 }, isRefused: true });
    await Promise.all(
      ['ana', 'bob', 'ana'].map((who, index) =>
        sandbox.slack.person(who).types('#random', `/instances restart m-${index}`),
      ),
    );
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(3);
    const said = ['ana', 'bob'].flatMap((who) =>
      sandbox.slack.person(who).dms.map((message) => sandbox.slack.read(message)),
    );
    for (let index = 0; index < 3; index++)
      expect(said.filter((text) => text.includes(`Restarted m-${index} `))).not.toEqual([]);
  });

  it('because it takes no more for now stands later, and its askers are answered alone meanwhile', async () => {
    const sandbox = await playWithBoards(2, { timings: { ownCards: 0 } });
    sandbox.slack.failNext('chat.postMessage', { status: 503 });
    sandbox.slack.failNext('chat.postMessage', { status: 503 });
    await restarts(sandbox, 2);
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(2);
    expect(boardOf(sandbox)).toContain('2 operations: all done.');
    expect(repliedLines(sandbox)).toHaveLength(2);
  });

  it('loses its answer is looked up, and neither board nor reply stands twice', async () => {
    const sandbox = await playWithBoards(2, { timings: { ownCards: 0 } });
    sandbox.slack.loseAnswerOfNext('chat.postMessage');
    await restarts(sandbox, 2);
    await sandbox.slack.until(() => boardOf(sandbox) !== '');
    sandbox.slack.loseAnswerOfNext('chat.postMessage');
    await sandbox.settled();
    expect(readAll(sandbox).filter((text) => /^\d+ operations?: /.test(text))).toHaveLength(1);
    expect(repliedLines(sandbox)).toHaveLength(2);
  });
});

describe('a row that stands before its operation knows that it joined the board', () => {
  const one = operation({ card: { state: 'waiting', tries: 0 } });
  const at = { channelId: 'C1', ts: '1.1' };

  it('is heard of all the same: that it is shown, refused, reported or given back', () => {
    expect(shownOn(one, 'b', at)).toMatchObject({ boardId: 'b', card: { state: 'sent', ...at } });
    expect(notShown(one, 'b', 'is_archived')).toMatchObject({ boardId: 'b', card: { fault: 'is_archived' } });
    expect(reportedOn(one, 'b', 1, TIMINGS)).toMatchObject({ boardId: 'b', reply: { state: 'sent' } });
    expect(leftBoard(one, 'b', 1)).toMatchObject({ card: { state: 'waiting', tries: 1 } });
    expect(rowSet(shownOn(one, 'b', at)!, 'b', 'key')).toMatchObject({
      card: { state: 'sent', shown: 'key' },
    });
  });

  it('says nothing of an operation with a card of its own, on another board, or that is closed', () => {
    const alone = operation({ card: { state: 'posting' } });
    const elsewhere = { ...one, boardId: 'other' };
    const closed = { ...one, boardId: 'b', closedAt: 1 };
    for (const other of [alone, elsewhere, closed]) {
      expect(shownOn(other, 'b', at)).toBeUndefined();
      expect(notShown(other, 'b', 'is_archived')).toBeUndefined();
      expect(reportedOn(other, 'b', 1, TIMINGS)).toBeUndefined();
      expect(leftBoard(other, 'b', 1)).toBeUndefined();
      expect(rowSet(other, 'b', 'key')).toBeUndefined();
    }
  });
});

describe('the card of a batch', () => {
  const END = 1_000_000;
  const place = { teamId: 'T1', channelId: 'C1' };
  const board = newBoard('b', place, 0, 'U1');
  const member = (operationId: string, state: RowState, at: number): Member => ({
    operationId,
    state,
    at,
    rev: 3,
    marks: new Set(['reported']),
    name: operationId,
    says: say`${operationId}`,
    steps: [],
    ...(operationId === 'header'
      ? { header: { lines: [], note: say``, buttons: [] } }
      : { ofBatch: 'child' }),
  });
  /** When the card is edited next, which shows what was put before. */
  const editedAt = (members: readonly Member[]): number | undefined => {
    const message = { ...board.message, state: 'sent', shown: '2', nextAt: END } as const;
    const counts = { rev: 3, awaitedRev: 3, joined: 0, joinedAt: 0, isUnread: false };
    const view: BoardView = { board: { ...board, message }, members, ...counts };
    return nextBoardSteps(view, TIMINGS).find(({ step }) => step.do === 'card')?.dueAt;
  };

  it('waits a moment for what its header says of the end, once all rows have ended', () => {
    const lines = [member('one', 'done', END - 10), member('two', 'failed', END)];
    expect(editedAt([member('header', 'running', 0), ...lines])).toBe(END + 5_000);
  });

  it('is not edited sooner to put a late edit right', () => {
    const lines = [member('one', 'done', END - 10), member('two', 'failed', END)];
    const message = { ...board.message, state: 'sent', shown: '2', nextAt: END, repeatAt: END } as const;
    const counts = { rev: 3, awaitedRev: 3, joined: 0, joinedAt: 0, isUnread: false };
    const members = [member('header', 'running', 0), ...lines];
    const view: BoardView = { board: { ...board, message }, members, ...counts };
    const edits = nextBoardSteps(view, TIMINGS).filter(({ step }) => step.do === 'card');
    expect(edits.map(({ dueAt }) => dueAt)).toEqual([END + 5_000, END + 5_000]);
  });

  it('is edited at once where a row has not ended, or the header says the end', () => {
    const ended = member('one', 'done', END);
    expect(editedAt([member('header', 'running', 0), ended, member('two', 'running', END)])).toBe(END);
    expect(editedAt([member('header', 'done', 0), ended])).toBe(END);
    expect(editedAt([ended])).toBe(END);
  });
});
