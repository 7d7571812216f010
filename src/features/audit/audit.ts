import { closest } from '../../core/ask/closest.ts';
import { mendWord } from '../../core/ask/mend-words.ts';
import { withInstead } from '../../core/intake/with-instead.ts';
import { offerNear } from '../../core/lookup/known-names.ts';
import type { Offers } from '../../core/offers/offers.ts';
import { SAID_DAYS } from './said-period.ts';
import { labelWithPeople, withPeople } from '../../core/intake/with-people.ts';
import { parsePeriod } from '../../core/ask/period.ts';
import { lengthWords } from '../../platform/time/duration.ts';
import { type Attempt, attemptsOf, isOfAttempt, resultOf } from '../../core/audit/attempts.ts';
import type { AuditReader, Recorded } from '../../core/audit/audit-reader.ts';
import type { Entry } from '../../core/audit/entry.ts';
import type { Access } from '../../core/policy/access.ts';
import { momentOf } from '../../core/sentences/moment.ts';
import type { Ask, Reply } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import type { HostingService } from '../../platform/hosting/service.ts';
import type { RedisClock } from '../../platform/redis/clock.ts';
import type { People } from '../../platform/slack/people.ts';
import { say } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { auditCsv, auditMessage } from './messages.ts';
import { type AuditWords, optionsIn, parseAuditWords } from './parse-words.ts';
import { sendFile, type SendFileDeps } from '../../core/lists/send-file.ts';
import { isAbout, type NounOf } from './about.ts';
import { withMembers } from './with-members.ts';
import type { UserGroups } from '../../platform/slack/user-groups.ts';

export interface AuditRouteDeps extends SendFileDeps, NounOf {
  readonly userGroups: Pick<UserGroups, 'members'>;
  readonly access: Access;
  readonly auditReader: AuditReader;
  readonly hosting: Pick<HostingService, 'listInstances'>;
  readonly people: Pick<People, 'zone' | 'name'>;
  readonly offers: Offers;
  readonly clock: Pick<RedisClock, 'now'>;
  /** How long entries are kept. */
  readonly keepMs: number;
}

/** As many entries as are read for a screen, and for a file. */
const MAX_READ = 500;
const MAX_IN_FILE = 50_000;

/** `/lamplighter audit [@ana] [web-1] [failed] [yesterday] [--last 7d | --in 2026-10] [--csv]`: who attempted what, and what became of it. */
export function auditRoute(deps: AuditRouteDeps): Route {
  return {
    ...SHOWN,
    spoken: {
      asks: [
        ['(export|download|csv) * (audit|trail|log)', '[{xs}] [{past}] --csv'],
        ['(failed|refused) (restarts|stops|starts|changes|attempts|actions)', 'failed [{past}]'],
        ['(what|which) * (failed|was refused) <span>', 'failed {past}'],
        ['(what|which) * <who>', '{who} [{past}]'],
        ['who did what', '[{xs}] [{past}]'],
        ['what (has|did|does|is|was) <who>', '{who} [{past}]'],
        ['(audit|audit log|activity) * csv', '[{who}] [{xs}] [{past}] --csv'],
        ['what (changed|broke) * <when>', '--last {since}'],
        ['what (changed|broke)', '[{past}]'],
        ['what (changed|was) * <span>', '{past}'],
        ['(audit|audit log|activity) * <span>', '{past}'],
        ['<span> (audit|audit log|activity)', '{past}'],
        ['what was <that> (at)? <when>', '--last 12h'],
        ['(what|show) * <who> (did|do|done)', '{who} [{past}]'],
        ['what did <who> do', '{who} [{past}]'],
        ['what did <who>', '{who} [{past}]'],
        ['(what|which) * did (i|we|they|you)? <do> <span>', '{do} {past}'],
        ['who * (messing|touching|fiddling|playing) with <x>', '{xs}'],
        ['who (touched|changed|broke) <x>', '{xs} [{past}]'],
        ['(audit|audit log)', '[{who}] [{xs}] [{past}]'],
        ['(what|who) * (while|overnight)', '[{past}]'],
        ['how often * <done> <span>', '{xs} {past}'],
      ],
    },
    permission: 'audit:read',
    writes: false,
    isWrittenDown: (words) => words.includes('--csv'),
    label: labelOf(deps),
    usage: '[@who] [name or id] [failed] [today] [--last 7d] [--in 2026-10] [--csv]',
    summary: 'who attempted what, and what became of it',
    handle: async (ask) => {
      const words = await withMembers(deps, ask.words);
      const moment = await momentOf(deps, ask.actor.userId, deps.clock.now());
      const wanted = parseAuditWords(words, { ...moment, keepMs: deps.keepMs });
      const { since } = wanted;
      const maySee = await deps.access.which(ask.actor, 'audit:read', ask.place.channelId);
      const isWanted = passing(deps, wanted);
      // What is about no one instance tells of all of them.
      const passes = (entry: Entry): boolean => isWanted(entry) && maySee(entry.target ?? 'all');
      const isOfResult = ({ what, result }: Entry): boolean =>
        wanted.results.length === 0 || wanted.results.some((word) => word === what || word === result);
      if (wanted.isCsv) {
        const recorded = await deps.auditReader.read((entry) => passes(entry) && isOfResult(entry), {
          limit: MAX_IN_FILE,
          since,
        });
        return sendCsv(deps, ask, recorded);
      }
      const { attempts, met, isCut } = await readAttempts(deps, wanted, passes);
      const unmet = wanted.things.filter((word) => !met.has(word));
      const said = auditMessage(attempts, { when: wanted.when, unmet, isCut });
      const slip = unmet.find((word) => closest(word, SAID_DAYS) !== undefined);
      const near = await offerNear(deps.hosting, unmet, maySee);
      const meant = slip === undefined ? near : mendWord(slip, SAID_DAYS);
      return withInstead(deps.offers, { ...SHOWN, label: labelOf(deps) }, said, meant(ask.words));
    },
  };
}

/**
 * The newest attempts that pass, with their ends: `met`: the words that any of that time has to do with, `isCut`: there are more than
 * are read for a screen.
 */
async function readAttempts(
  deps: Pick<AuditRouteDeps, 'auditReader' | 'nounOf'>,
  { since, until, things, results }: AuditWords,
  passes: (entry: Entry) => boolean,
): Promise<{
  readonly attempts: readonly Attempt[];
  readonly met: ReadonlySet<string>;
  readonly isCut: boolean;
}> {
  // By whom an attempt ended is another matter than who attempted it. Newest first, an end comes before its beginning.
  const ends = new Map<string, Entry>();
  const met = new Set<string>();
  const isOfResult = (entry: Entry): boolean => {
    const [result = ''] = resultOf({ entry, end: ends.get(entry.requestId) }).split(':');
    return results.length === 0 || results.includes(result);
  };
  const isShown = (entry: Entry): boolean => {
    if (entry.what === 'ended' && entry.at <= until + DAY_MS) ends.set(entry.requestId, entry);
    if (!isOfAttempt(entry) || !passes(entry)) return false;
    for (const word of things) if (isAbout(deps, entry, word)) met.add(word);
    return isOfResult(entry);
  };
  const recorded = await deps.auditReader.read(isShown, { limit: MAX_READ, since });
  const shown = recorded.map(({ entry }) => entry);
  const ofShown = shown.flatMap(({ what, requestId }) =>
    what === 'asked' ? (ends.get(requestId) ?? []) : [],
  );
  const isCut = recorded.length === MAX_READ;
  return { attempts: attemptsOf([...new Set([...ofShown, ...shown])]), met, isCut };
}

const SHOWN = { id: 'lamplighter.audit', namesPeople: true, verb: 'audit' } as const;

/** How a button for these words reads, with people by their names. */
function labelOf({ people }: Pick<AuditRouteDeps, 'people'>): NonNullable<Route['label']> {
  return (words, named) =>
    words.includes('--csv')
      ? withPeople(people, exportLabel(words, named))
      : labelWithPeople(people, 'audit', words, named);
}

function passing(deps: NounOf, { userIds, things, until }: AuditWords): (entry: Entry) => boolean {
  return (entry) =>
    entry.at <= until &&
    (userIds.length === 0 || userIds.includes(entry.by ?? '') || userIds.includes(entry.approvedBy ?? '')) &&
    (things.length === 0 || things.some((word) => isAbout(deps, entry, word)));
}

async function sendCsv(deps: AuditRouteDeps, { actor }: Ask, recorded: readonly Recorded[]): Promise<Reply> {
  const name = `audit-${new Date(deps.clock.now()).toISOString().slice(0, 10)}.csv`;
  const count = recorded.length;
  const cut = count === MAX_IN_FILE ? ' These are the newest; there are more. Ask for less with --last.' : '';
  const sent = say`I sent you ${name} with ${count} ${count === 1 ? 'entry' : 'entries'}, in our direct messages.${cut}`;
  return sendFile(deps, actor.userId, { name, text: auditCsv(recorded) }, [sent]);
}

/** What a button that sends a file says: "Send the audit of October 2026 as CSV". Throws a Refusal for days that are none. */
function exportLabel(words: readonly string[], named: (word: string) => string): string {
  const { last, days, rest } = optionsIn(words);
  const time =
    days === undefined ? last && ` of the last ${lengthWords(last)}` : ` of ${parsePeriod(days).name}`;
  const narrowed = rest.length === 0 ? '' : `: ${rest.map(named).join(', ')}`;
  return `Send the audit${time ?? ''} as CSV${narrowed}`;
}
