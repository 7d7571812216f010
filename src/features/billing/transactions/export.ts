import type { Ask } from '../../../core/ask/ask.ts';
import { nameOn, openDirect, sendFile, type SendFileDeps } from '../../../core/lists/send-file.ts';
import { Refusal } from '../../../core/refusal.ts';
import { idOf } from '../../../platform/id.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { busyWords, failedMessage, readingMessage, sentMessage, underWayWords } from './export-messages.ts';
import type { Filters } from './filters.ts';
import { writeTransactions } from './write-transactions.ts';
import type { Bot } from '../../../core/bot/bot.ts';

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
