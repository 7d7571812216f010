import { Readable } from 'node:stream';
import { attemptsOf, resultOf } from '../../core/audit/attempts.ts';
import type { AuditReader, Recorded } from '../../core/audit/audit-reader.ts';
import type { Entry } from '../../core/audit/entry.ts';
import type { Access } from '../../core/policy/access.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import { slackErrorOf } from '../../platform/slack/errors.ts';
import type { Messenger } from '../../platform/slack/messenger.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { Uploads } from '../../platform/slack/upload.ts';
import { auditCsv, auditMessage } from './messages.ts';
import { type AuditWords, parseAuditWords } from './parse-words.ts';

export interface AuditRouteDeps {
  readonly access: Access;
  readonly auditReader: AuditReader;
  readonly messenger: Pick<Messenger, 'directChannel'>;
  readonly uploads: Uploads;
  readonly clock: Pick<RedisClock, 'now'>;
  /** The noun under which a route stands. */
  readonly nounOf: (routeId: string) => string | undefined;
}

/** As many entries as are read for a screen, and for a file. */
const MAX_READ = 500;
const MAX_IN_FILE = 50_000;
/** People see the first eight letters of a reference. */
const SHORTEST_REQUEST_ID = 6;

/** `/lamplighter audit [@ana] [web-1] [failed] [today] [--last 7d] [--csv]`: who attempted what, and what became of it. */
export function auditRoute(deps: AuditRouteDeps): Route {
  return {
    id: 'lamplighter.audit',
    namesPeople: true,
    verb: 'audit',
    spoken: {
      asks: [
        ['(export|download|csv) * (audit|trail|log)', '[{xs}] [--last {span}] --csv'],
        ['(failed|refused) (restarts|stops|starts|changes|attempts|actions)', 'failed [--last {span}]'],
        ['(what|which) * <who>', '{who} [--last {span}]'],
        ['who did what', '[{xs}] [--last {span}]'],
        ['what (has|did|does|is|was) <who>', '{who} [--last {span}]'],
        ['(audit|audit log|activity) * csv', '[{who}] [{xs}] [--last {span}] --csv'],
        ['what (went on|happened|changed|broke|was going on) * <when>', '--last {since}'],
        ['what (happened|changed|went on|broke)', '[--last {span}]'],
        ['what (happened|changed|was|went) * <span>', '--last {span}'],
        ['(audit|audit log|activity) * <span>', '--last {span}'],
        ['what was <that> (at)? <when>', '--last 12h'],
        ['(what|show) * <who> (did|do|done)', '{who} [--last {span}]'],
        ['what did <who>', '{who} [--last {span}]'],
        ['who * (messing|touching|fiddling|playing) with <x>', '{xs}'],
        ['who (touched|changed|broke) <x>', '{xs} [--last {span}]'],
        ['(audit|audit log)', '[{who}] [{xs}] [--last {span}]'],
        ['(what|who) * (while|overnight)', '[--last {span}]'],
        ['how often * <done> <span>', '{xs} --last {span}'],
      ],
    },
    permission: 'audit:read',
    writes: false,
    isWrittenDown: (words) => words.includes('--csv'),
    usage: '[@who] [name or id] [failed] [today] [--last 7d] [--csv]',
    summary: 'who attempted what, and what became of it',
    handle: async (ask) => {
      const wanted = parseAuditWords(ask.words);
      const now = deps.clock.now();
      const since = now - wanted.fromMs;
      const maySee = await deps.access.which(ask.actor, 'audit:read', ask.place.channelId);
      const isWanted = passing(deps, wanted, now - wanted.toMs);
      // What is about no one instance tells of all of them.
      const passes = (entry: Entry): boolean => isWanted(entry) && maySee(entry.target ?? 'all');
      const isOfResult = ({ what, result }: Entry): boolean =>
        wanted.results.length === 0 || wanted.results.some((word) => word === what || word === result);
      if (wanted.isCsv) {
        const recorded = await deps.auditReader.read((entry) => passes(entry) && isOfResult(entry), {
          limit: MAX_IN_FILE,
          since,
        });
        return sendFile(deps, ask, recorded);
      }
      // An attempt that is asked for ends by the person who ended it.
      const recorded = await deps.auditReader.read((entry) => entry.what === 'ended' || passes(entry), {
        limit: MAX_READ,
        since,
      });
      const about = attemptsOf(recorded.map(({ entry }) => entry)).filter(({ entry }) => passes(entry));
      const attempts = about.filter((attempt) => {
        const [result = ''] = resultOf(attempt).split(':');
        return wanted.results.length === 0 || wanted.results.includes(result);
      });
      const unmet = wanted.things.filter((word) => !about.some(({ entry }) => isAbout(deps, entry, word)));
      return auditMessage(attempts, { when: wanted.when, unmet, isCut: recorded.length === MAX_READ });
    },
  };
}

/** `until`: Redis' clock, Unix ms. */
function passing(
  deps: Pick<AuditRouteDeps, 'nounOf'>,
  { userIds, things }: AuditWords,
  until: number,
): (entry: Entry) => boolean {
  return (entry) =>
    entry.at <= until &&
    (userIds.length === 0 || userIds.includes(entry.by ?? '') || userIds.includes(entry.approvedBy ?? '')) &&
    (things.length === 0 || things.some((word) => isAbout(deps, entry, word)));
}

/** Whether a word means what an entry is about: its instance, its command or its reference. Pure. */
function isAbout(
  { nounOf }: Pick<AuditRouteDeps, 'nounOf'>,
  { target, route, requestId }: Entry,
  word: string,
): boolean {
  const lower = word.toLowerCase();
  return (
    target?.id === word ||
    target?.name.toLowerCase() === lower ||
    route.split('.').includes(lower) ||
    nounOf(route) === lower ||
    (word.length >= SHORTEST_REQUEST_ID && requestId.startsWith(word))
  );
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
