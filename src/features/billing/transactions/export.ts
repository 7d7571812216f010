import { Refusal } from '../../../core/refusal.ts';
import type { Ask } from '../../../core/ask/ask.ts';
import { SlackError, slackErrorOf } from '../../../platform/slack/errors.ts';
import type { Message } from '../../../platform/slack/message.ts';
import type { Messenger } from '../../../platform/slack/messenger.ts';
import type { Uploads } from '../../../platform/slack/upload.ts';
import type { BillingDeps } from '../balance/balance.ts';
import {
  busyWords,
  failedMessage,
  noDirectMessagesWords,
  noFileWords,
  noRoomWords,
  sentMessage,
  unsureMessage,
} from './export-messages.ts';
import { beginProgress, type ExportProgressDeps } from './export-progress.ts';
import { DiskError, withTemporaryFile } from './temporary-file.ts';
import type { Filters } from './filters.ts';
import { writeTransactions } from './write-transactions.ts';

export interface ExportDeps extends BillingDeps, ExportProgressDeps {
  readonly now: () => number;
  readonly messenger: Pick<Messenger, 'directChannel'>;
  readonly uploads: Uploads;
}

/** What one file holds at most: a disk and a reader's spreadsheet are finite, and what a service sends need not be. */
const MOST = { mostRows: 200_000, mostBytes: 64 * 1024 * 1024 };
/** How many files one process writes at a time: they hold room on its disk, and jobs that others wait for. */
const MAX_AT_ONCE = 3;
const NAMES_FRESH_MS = 60_000;

/**
 * Sends transactions as a CSV file to the direct messages of the person who asked, and says so. Throws a Refusal or a HostingError
 * where nothing was sent. Run again after a crash it sends the file again: twice is a nuisance, never would be a loss.
 */
export function createExport(
  deps: ExportDeps,
): (ask: Pick<Ask, 'id' | 'actor'>, filters: Filters) => Promise<Message> {
  let underWay = 0;
  return async (ask, filters) => {
    if (underWay >= MAX_AT_ONCE) throw new Refusal('export-busy', busyWords(MAX_AT_ONCE));
    underWay++;
    try {
      return await exportTo(deps, ask, filters);
    } finally {
      underWay--;
    }
  };
}

async function exportTo(
  deps: ExportDeps,
  ask: Pick<Ask, 'id' | 'actor'>,
  filters: Filters,
): Promise<Message> {
  // First, so that nobody waits for a file that can't be brought to them.
  const channelId = await deps.messenger.directChannel(ask.actor.userId).catch((error: unknown) => {
    const { code } = slackErrorOf(error);
    throw new Refusal(`export-dm-${code}`, noDirectMessagesWords(code));
  });
  const progress = await beginProgress(deps, ask, channelId);
  let rows = 0;
  try {
    const message = await sendFile(deps, channelId, filters, (count, isMore) => {
      rows = count;
      progress.read(count, isMore);
    });
    await progress.end(message);
    return message;
  } catch (thrown) {
    const error =
      thrown instanceof DiskError
        ? new Refusal(`export-disk-${thrown.code}`, noRoomWords(thrown.code))
        : thrown;
    await progress.end(error instanceof Refusal ? error.answer : failedMessage(rows));
    throw error;
  }
}

/** Reads, writes and uploads. Gives what the person is to know of it. */
async function sendFile(
  { hosting, uploads, unit, now }: ExportDeps,
  channelId: string,
  { wanted, words }: Filters,
  onPage: (rows: number, isMore: boolean) => void,
): Promise<Message> {
  const { instances } = await hosting.listInstances({ freshMs: NAMES_FRESH_MS });
  const names = new Map(instances.map(({ id, name }) => [id, name]));
  const name = `transactions-${new Date(now()).toISOString().slice(0, 10)}.csv`;
  return withTemporaryFile(async (file) => {
    const written = await writeTransactions(hosting, { wanted, unit, names, onPage, ...MOST }, file.write);
    if (written.rows > 0) {
      try {
        await uploads.send(channelId, { name, lengthBytes: file.lengthBytes, read: file.read });
      } catch (error) {
        if (!(error instanceof SlackError)) throw error;
        if (error.outcome === 'unknown') return unsureMessage(name);
        throw new Refusal(`export-${error.code}`, noFileWords(error.code));
      }
    }
    const isWhole = wanted.type === undefined && wanted.instanceId === undefined;
    return sentMessage(written, { name, unit, filters: words, isWhole });
  });
}
