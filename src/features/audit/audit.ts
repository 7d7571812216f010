import { Readable } from 'node:stream';
import { attemptsOf } from '../../core/audit/attempts.ts';
import type { AuditReader, Recorded } from '../../core/audit/audit-reader.ts';
import type { Entry } from '../../core/audit/entry.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply, Route } from '../../core/routing/route.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { Messenger } from '../../platform/slack/messenger.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { Uploads } from '../../platform/slack/upload.ts';
import { auditCsv, auditMessage } from './messages.ts';
import { type AuditWords, parseAuditWords } from './parse-words.ts';

export interface AuditRouteDeps {
  readonly auditReader: AuditReader;
  readonly messenger: Pick<Messenger, 'directChannel'>;
  readonly uploads: Uploads;
  readonly clock: Pick<RedisClock, 'now'>;
}

/** As many entries as are read for a screen, and for a file. */
const MAX_READ = 500;
const MAX_IN_FILE = 50_000;

/** `/lamplighter audit [@ana] [web-1] [--last 7d] [--csv]`: who attempted what, and what became of it. */
export function auditRoute(deps: AuditRouteDeps): Route {
  return {
    id: 'lamplighter.audit',
    verb: 'audit',
    synonyms: ['log', 'history'],
    permission: 'audit:read',
    writes: false,
    isWrittenDown: (words) => words.includes('--csv'),
    usage: '[@who] [name or id] [--last 7d] [--csv]',
    summary: 'who attempted what, and what became of it',
    handle: async (ask) => {
      const wanted = parseAuditWords(ask.words);
      const since = deps.clock.now() - wanted.lastMs;
      const passes = passing(wanted);
      if (wanted.isCsv)
        return sendFile(deps, ask, await deps.auditReader.read(passes, { limit: MAX_IN_FILE, since }));
      // An attempt that is asked for ends by the person who ended it.
      const recorded = await deps.auditReader.read((entry) => entry.what === 'ended' || passes(entry), {
        limit: MAX_READ,
        since,
      });
      const attempts = attemptsOf(recorded.map(({ entry }) => entry)).filter(({ entry }) => passes(entry));
      return auditMessage(attempts, recorded.length === MAX_READ);
    },
  };
}

function passing({ userIds, names }: AuditWords): (entry: Entry) => boolean {
  const lower = new Set(names.map((name) => name.toLowerCase()));
  return ({ by, approvedBy, target }) =>
    (userIds.length === 0 || userIds.includes(by ?? '') || userIds.includes(approvedBy ?? '')) &&
    (lower.size === 0 ||
      (target !== undefined && (lower.has(target.id) || lower.has(target.name.toLowerCase()))));
}

async function sendFile(
  { messenger, uploads, clock }: AuditRouteDeps,
  { actor }: Ask,
  recorded: readonly Recorded[],
): Promise<Reply> {
  const bytes = Buffer.from(auditCsv(recorded));
  const name = `audit-${new Date(clock.now()).toISOString().slice(0, 10)}.csv`;
  try {
    const channelId = await messenger.directChannel(actor.userId);
    await uploads.send(channelId, { name, lengthBytes: bytes.length, read: () => Readable.from([bytes]) });
  } catch (error) {
    const { outcome } = slackErrorOf(error);
    if (outcome === 'unknown')
      return { lines: [say`Slack hasn't confirmed ${name}. If it isn't in our direct messages, ask again.`] };
    throw new Refusal('no-file', say`Slack didn't take ${name}, so you got no file. Try again in a minute.`);
  }
  const count = recorded.length;
  const cut = count === MAX_IN_FILE ? ' These are the newest; there are more. Ask for less with --last.' : '';
  return {
    lines: [
      say`I sent you ${name} with ${count} ${count === 1 ? 'entry' : 'entries'}, in our direct messages.${cut}`,
    ],
  };
}
