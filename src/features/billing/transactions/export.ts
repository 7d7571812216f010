import type { Ask } from '../../../core/ask/ask.ts';
import { nameOn, openDirect, sendFile, type SendFileDeps } from '../../../core/lists/send-file.ts';
import { Refusal } from '../../../core/refusal.ts';
import { idOf } from '../../../platform/id.ts';
import type { Message } from '../../../platform/slack/message.ts';
import type { Filters } from './filters.ts';
import { writeTransactions, type Written } from './write-transactions.ts';
import type { Bot } from '../../../core/bot/bot.ts';
import { compare, formatAmount, formatCount, ZERO } from '../../../core/money/amount.ts';
import { join, type Phrase, say } from '../../../platform/slack/phrase.ts';
import { addsUp, unreadableWords } from './messages.ts';

/** What the file holds, whether it adds up, and what it leaves out. `isWhole`: no rows in between are left out. */
export function sentMessage(
  written: Written,
  {
    name,
    unit,
    filters,
    isWhole,
  }: { name: string; unit: string; filters: readonly Phrase[]; isWhole: boolean },
): Message {
  const { rows, end } = written;
  const only = filters.length === 0 ? [] : [say`Only those ${join(filters, ', ')} are in it.`];
  const cut = cutWords(written);
  const isIncomplete = end === 'same page again' || end === 'some missing';
  if (rows === 0)
    return {
      lines: [
        isIncomplete || end === 'most time'
          ? say`I found no such transactions, so I sent no file.`
          : say`There are no such transactions, so I sent no file.`,
        ...cut,
      ],
    };
  return {
    lines: [
      say`I sent you ${name} with ${counted(rows)} in our direct messages.`,
      ...(isIncomplete ? cut : []),
      ...(isIncomplete
        ? [say`So I can't tell whether the rows add up.`]
        : isWhole
          ? sumsWords(written, unit)
          : filteredWords(written)),
      ...emptyWords(written),
      ...only,
      ...(isIncomplete ? [] : cut),
    ],
  };
}

/** What the rows come to; with others in between left out there is no balance to check that by. */
function filteredWords({ sums }: Written): Phrase[] {
  if (sums.unreadable > 0) return [unreadableWords(sums)];
  return [say`The rows come to ${formatAmount(sums.credits)} added and ${formatAmount(sums.usage)} used.`];
}

function sumsWords(written: Written, unit: string): Phrase[] {
  const { sums, statement, isInOrder } = written;
  if (sums.unreadable > 0) return [unreadableWords(sums)];
  if (!isInOrder)
    return [
      ...filteredWords(written),
      say`They don't come in the order of their times, so I can't tell whether they add up.`,
    ];
  if (!statement)
    return [say`The hosting service gives no balances, so I can't tell whether the rows add up.`];
  const words = addsUp(statement, unit);
  return compare(statement.gap, ZERO) === 0 ? [join([say`The rows add up`, ...words], ': ')] : words;
}

/** Rows whose amount is empty in the file. */
function emptyWords({ sums: { unreadable } }: Written): Phrase[] {
  if (unreadable === 0) return [];
  return [
    say`${counted(unreadable)} ${unreadable === 1 ? 'has' : 'have'} an empty amount in the file, because it can't be read.`,
  ];
}

function cutWords({ end, rows, total, isInOrder }: Written): Phrase[] {
  const others = isInOrder ? 'older' : 'other';
  switch (end) {
    case 'all':
      return [];
    case 'most rows':
    case 'most pages':
      return [
        say`The file is cut off: it holds at most ${counted(rows)}, and ${others} ones are left out. Ask for less with --last, --type or --instance.`,
      ];
    case 'most bytes':
      return [
        say`The file is cut off: it can only get so large, and ${others} rows are left out. Ask for less with --last, --type or --instance.`,
      ];
    case 'most time':
      return [
        say`The file is cut off: reading took too long, and ${others} rows are left out. Ask for less with --last.`,
      ];
    case 'same page again':
      return [
        say`The file isn't complete: the hosting service ${hasWords(total)}, but gave me the same ones again and again.`,
      ];
    case 'some missing':
      return [
        say`The file isn't complete: the hosting service ${hasWords(total)}, and I found no way to read the rest.`,
      ];
  }
}

function hasWords(total: number | undefined): string {
  return total === undefined ? 'seems to have more' : `has ${formatCount(total)} transactions`;
}

function counted(rows: number): string {
  return `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`;
}

/** A file that takes long is on its way. It stays true where nobody takes this back. */
function readingMessage(): Message {
  return {
    lines: [
      say`⏳ Reading your transactions takes a while. The file comes here, or the answer to your command says why not.`,
    ],
  };
}

/** The reading itself went wrong; why is said where it was asked. */
function failedMessage(): Message {
  return {
    lines: [say`I sent no file: reading your transactions failed. The answer to your command says why.`],
  };
}

/** One file of a person at a time. */
function underWayWords(): Phrase {
  return say`I'm still reading your last file, so I didn't begin another. It comes to our direct messages.`;
}

/** Too many files at once. */
function busyWords(most: number): Phrase {
  return say`I'm reading ${most} such files already, so I didn't begin yours. Ask again in a few minutes.`;
}

type ExportDeps = Pick<Bot, 'outbox' | 'hosting' | 'unit' | 'clock'> & SendFileDeps;

type FileAsk = Pick<Ask, 'id' | 'actor'>;

/** What one file holds at most, which is in memory until Slack has it; what a service sends need not end. */
const MOST = { mostRows: 200_000, mostBytes: 32 * 1024 * 1024 };
/** How many files one process reads at a time, one for each person: they take memory, jobs and calls that others wait for. */
const MAX_AT_ONCE = 3;
const NAMES_FRESH_MS = 60_000;

/**
 * Sends transactions as a CSV file to the direct messages of the person who asked, and says so. Throws a Refusal or a HostingError
 * where nothing was sent. Run again after a crash it sends the file again: twice is a nuisance, never would be a loss.
 */
export function createExport(deps: ExportDeps): (ask: FileAsk, filters: Filters) => Promise<Message> {
  const requests = new Map<string, string>();
  return async (ask, filters) => {
    const { userId } = ask.actor;
    const theirs = requests.get(userId);
    if (theirs !== undefined && theirs !== ask.id) throw new Refusal('export-under-way', underWayWords());
    if (theirs === undefined && requests.size >= MAX_AT_ONCE)
      throw new Refusal('export-busy', busyWords(MAX_AT_ONCE));
    requests.set(userId, ask.id);
    try {
      return await exportTo(deps, ask, filters);
    } finally {
      requests.delete(userId);
    }
  };
}

/** What takes long is announced where the file comes to, in a message that says in the end how it ended. */
async function exportTo(deps: ExportDeps, ask: FileAsk, filters: Filters): Promise<Message> {
  const { userId } = ask.actor;
  // First, so that nobody waits for a file that can't be brought to them.
  await openDirect(deps, userId);
  const id = idOf(`export ${ask.id}`);
  const onLong = (): Promise<void> =>
    deps.outbox.post({ id, to: { userId }, content: readingMessage(), isForPlaceAlone: true });
  try {
    const message = await readAndSend(deps, userId, filters, onLong);
    await deps.outbox.edit(id, message);
    return message;
  } catch (error) {
    await deps.outbox.edit(id, error instanceof Refusal ? error.answer : failedMessage());
    throw error;
  }
}

async function readAndSend(
  deps: ExportDeps,
  userId: string,
  { wanted, words: filters }: Filters,
  onLong: () => Promise<void>,
): Promise<Message> {
  const { hosting, unit, clock } = deps;
  const { instances } = await hosting.listInstances({ freshMs: NAMES_FRESH_MS });
  const names = new Map(instances.map((instance) => [instance.id, instance.name]));
  const name = nameOn('transactions', clock.now());
  const written = await writeTransactions(hosting, { wanted, unit, names, onLong, ...MOST });
  const isWhole = wanted.type === undefined && wanted.instanceId === undefined;
  const { lines } = sentMessage(written, { name, unit, filters, isWhole });
  return written.rows === 0 ? { lines } : sendFile(deps, userId, { name, text: written.parts }, lines);
}
