import { Refusal } from '../errors.ts';
import { SlackError, slackErrorOf } from '../slack/errors.ts';
import type { Message } from '../slack/message.ts';
import type { Messenger } from '../slack/messenger.ts';
import type { Phrase } from '../slack/phrase.ts';
import type { Uploads } from '../slack/upload.ts';
import type { BillingDeps } from './balance.ts';
import {
  busyWords,
  noDirectMessagesWords,
  noFileWords,
  noRoomWords,
  sentMessage,
  unsureMessage,
} from './export-messages.ts';
import type { Wanted } from './statement.ts';
import { DiskError, withTemporaryFile } from './temporary-file.ts';
import { writeTransactions } from './write-transactions.ts';

export interface ExportDeps extends BillingDeps {
  readonly messenger: Pick<Messenger, 'directChannel'>;
  readonly uploads: Uploads;
}

/** Which transactions are to be sent, and the filters in words. */
interface Asked {
  readonly wanted: Wanted;
  readonly filters: readonly Phrase[];
}

/** What one file holds at most: a disk and a reader's spreadsheet are finite, and what a service sends need not be. */
const MOST = { mostRows: 200_000, mostBytes: 64 * 1024 * 1024 };
/** How many files one process writes at a time: they hold room on its disk, and jobs that others wait for. */
const MOST_AT_ONCE = 3;
const NAMES_FRESH_MS = 60_000;

/**
 * Sends transactions as a CSV file to one person's direct messages and says so. Throws a Refusal or a HostingError
 * where nothing was sent. Run again after a crash it sends the file again: twice is a nuisance, never would be a loss.
 */
export function createExport(deps: ExportDeps): (userId: string, asked: Asked) => Promise<Message> {
  let underWay = 0;
  return async (userId, asked) => {
    if (underWay >= MOST_AT_ONCE) throw new Refusal('export-busy', busyWords(MOST_AT_ONCE));
    underWay++;
    try {
      return await exportTo(deps, userId, asked);
    } catch (error) {
      if (error instanceof DiskError) throw new Refusal(`export-disk-${error.code}`, noRoomWords(error.code));
      throw error;
    } finally {
      underWay--;
    }
  };
}

async function exportTo(deps: ExportDeps, userId: string, { wanted, filters }: Asked): Promise<Message> {
  const { hosting, messenger, uploads, unit, now } = deps;
  // First, so that nobody waits for a file that can't be brought to them.
  const channelId = await messenger.directChannel(userId).catch((error: unknown) => {
    const { code } = slackErrorOf(error);
    throw new Refusal(`export-dm-${code}`, noDirectMessagesWords(code));
  });
  const { instances } = await hosting.listInstances({ freshMs: NAMES_FRESH_MS });
  const names = new Map(instances.map(({ id, name }) => [id, name]));
  const name = `transactions-${new Date(now()).toISOString().slice(0, 10)}.csv`;
  return withTemporaryFile(async (file) => {
    const written = await writeTransactions(hosting, { wanted, unit, names, ...MOST }, file.write);
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
    return sentMessage(written, { name, unit, filters, isWhole });
  });
}
