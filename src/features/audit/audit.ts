import { closest } from '../../core/ask/closest.ts';
import { mendWord } from '../../core/ask/mend-words.ts';
import { parsePeriod } from '../../core/ask/period.ts';
import { readAttempts, resultOf } from '../../core/audit/attempts.ts';
import type { Entry } from '../../core/audit/entry.ts';
import type { Route } from '../../core/intake/route.ts';
import { withInstead } from '../../core/intake/typed-button.ts';
import { labelWithPeople, withPeople } from '../../core/intake/with-people.ts';
import { askedPage } from '../../core/lists/asked-page.ts';
import { showList } from '../../core/lists/list.ts';
import { nameOn, sendRows } from '../../core/lists/send-file.ts';
import { offerNear } from '../../core/lookup/known-names.ts';
import { momentOf } from '../../core/sentences/moment.ts';
import { say } from '../../platform/slack/phrase.ts';
import { DAY_MS, lengthWords } from '../../platform/time/duration.ts';
import { attemptList, AUDIT_COLUMNS } from './messages.ts';
import { SAID_DAYS } from './said-period.ts';
import {
  type AuditWords,
  isAbout,
  isPerson,
  type Options,
  parseAuditWords,
  readAuditOptions,
  withMembers,
  type Audited,
} from './words.ts';

const SHOWN = { id: 'lamplighter.audit', namesPeople: true, verb: 'audit' } as const;
const MAX_IN_FILE = 50_000;
const PER_PAGE = 30;
/** How an attempt can have gone, as people ask for it. */
const RESULTS: readonly string[] = ['done', 'failed', 'refused', 'expired', 'unknown', 'canceled'];
const OPTIONS: Options = {
  flags: ['csv'],
  example: say`--last 7d, --in 2026-10 and --csv, as in /lamplighter audit @ana web-1 failed --last 30d`,
  lastMs: () => 7 * DAY_MS,
};

/** `/lamplighter audit [@ana] [web-1] [failed] [yesterday] [--last 7d | --in 2026-10] [--csv]`: who attempted what, and what became of it. */
export function auditRoute(deps: Audited): Route {
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
      const page = await askedPage(deps, ask, '/lamplighter audit');
      const moment = { ...(await momentOf(deps, ask.actor.userId, deps.clock.now())), keepMs: deps.keepMs };
      const wanted = parseAuditWords(await withMembers(deps, page.words), moment, OPTIONS);
      const maySee = await deps.access.which(ask.actor, 'audit:read', ask.place.channelId);
      const { isWanted, isOfResult, things } = filtersOf(deps, wanted);
      // What is about no one instance tells of all of them.
      const passes = (entry: Entry): boolean => isWanted(entry) && maySee(entry.target ?? 'all');
      if (wanted.flags.has('csv')) {
        const { since, until } = wanted;
        const recorded = await deps.auditReader.read(
          (entry) => entry.at <= until && passes(entry) && isOfResult([entry.what, entry.result]),
          { limit: MAX_IN_FILE, since },
        );
        const isAll = recorded.length < MAX_IN_FILE;
        return sendRows(deps, ask, {
          name: nameOn('audit', deps.clock.now()),
          columns: AUDIT_COLUMNS,
          rows: recorded,
          noun: ['entry', 'entries'],
          more: isAll ? say`` : say` These are the newest; there are more. Ask for less with --last.`,
        });
      }
      const met = new Set<string>();
      const { attempts, isCut } = await readAttempts(deps, wanted, (attempt) => {
        if (!passes(attempt.entry)) return false;
        for (const word of things) if (isAbout(deps, attempt.entry, word)) met.add(word);
        return isOfResult(resultOf(attempt).split(':', 1));
      });
      const unmet = things.filter((word) => !met.has(word));
      const list = attemptList(attempts, {
        ...wordsOf(attempts.length, wanted, unmet, isCut),
        isCut,
        perPage: PER_PAGE,
        routeId: SHOWN.id,
      });
      const said = await showList(deps, ask, page, list);
      const slip = unmet.find((word) => closest(word, SAID_DAYS) !== undefined);
      const near = await offerNear(deps.hosting, unmet, maySee);
      const meant = slip === undefined ? near : mendWord(slip, SAID_DAYS);
      return withInstead(deps.offers, { ...SHOWN, label: labelOf(deps) }, said, meant(page.words));
    },
  };
}

/** What the words but for the time let through; `things`: instances, commands and references among them. */
function filtersOf(deps: Audited, { rest }: AuditWords) {
  const isResult = (word: string): boolean => RESULTS.includes(word.toLowerCase());
  const userIds = rest.filter(isPerson);
  const results = rest.filter(isResult).map((word) => word.toLowerCase());
  const things = rest.filter((word) => !isPerson(word) && !isResult(word));
  return {
    things,
    isWanted: (entry: Entry): boolean =>
      (userIds.length === 0 || [entry.by, entry.approvedBy].some((id = '') => userIds.includes(id))) &&
      (things.length === 0 || things.some((word) => isAbout(deps, entry, word))),
    isOfResult: (words: readonly (string | undefined)[]): boolean =>
      results.length === 0 || words.some((word = '') => results.includes(word)),
  };
}

/** What stands around the attempts. `unmet`: words with which none of them has to do. */
function wordsOf(
  count: number,
  { when }: AuditWords,
  unmet: readonly string[],
  isCut: boolean,
): Pick<Parameters<typeof attemptList>[1], 'head' | 'besides' | 'hint'> {
  const about = unmet.map((word) => `"${word}"`).join(' or ');
  const none =
    unmet.length > 0
      ? say`I found nothing about ${about} ${when}. You can search for people (@ana), instances, commands (restart), results (failed, refused) and references.`
      : say`I found no such attempts ${when}.`;
  return {
    head:
      count === 1
        ? say`One attempt ${when}`
        : say`${isCut ? say`At least ` : ''}${count} attempts ${when}, newest first`,
    besides: count === 0 || unmet.length > 0 ? [none] : [],
    hint: say`With --csv you get all as a file; --last, @who and a name narrow it.`,
  };
}

/** How a button for these words reads, with people by their names. */
function labelOf({ people }: Pick<Audited, 'people'>): NonNullable<Route['label']> {
  return (words, named) =>
    words.includes('--csv')
      ? withPeople(people, exportLabel(words, named))
      : labelWithPeople(people, 'audit', words, named);
}

/** What a button that sends a file says: "Send the audit of October 2026 as CSV". Throws a Refusal for days that are none. */
function exportLabel(words: readonly string[], named: (word: string) => string): string {
  const { texts, rest: typed } = readAuditOptions(words, OPTIONS);
  const [last, days] = [texts.get('last'), texts.get('in')];
  const time =
    days === undefined ? last && ` of the last ${lengthWords(last)}` : ` of ${parsePeriod(days).name}`;
  const rest = typed.filter((word) => !isPerson(word));
  return `Send the audit${time ?? ''} as CSV${rest.length === 0 ? '' : `: ${rest.map(named).join(', ')}`}`;
}
