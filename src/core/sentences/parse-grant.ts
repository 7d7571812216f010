import {
  anyOf,
  followedBy,
  mendWord,
  oneOf,
  CHANNEL,
  PERSON,
  inWords,
  withAfter,
  withInPlaceOf,
} from '../ask/mend-words.ts';
import { type Grantee, granteeOf, type Narrow } from '../policy/grant.ts';
import { closest } from '../ask/closest.ts';
import { type Role, ROLES } from '../policy/permissions.ts';
import { type Instead, Refusal } from '../refusal.ts';
import { say } from '../../platform/slack/phrase.ts';
import { type End, readEnd } from './end.ts';
import { type EndExamples, noEnd } from './no-end.ts';
import type { Moment } from './times.ts';

/** What the words after `access grant` or `access revoke` mean. */
export interface GrantWords {
  readonly role: Role;
  readonly to: readonly Grantee[];
  readonly narrow: Pick<Narrow, 'on' | 'in'>;
  /** Until when. */
  readonly end?: End;
}

const KEYWORDS = ['on', 'in', 'for', 'until', 'till', 'til'] as const;
type Keyword = (typeof KEYWORDS)[number];

/** Words that may stand between a role and whom it is of. */
const FILLERS: ReadonlySet<string> = new Set(['to', 'from', 'as', 'a', 'an', 'the', 'role']);

/**
 * `operator @ana @oncall on staging-* in #ops for 8h`, the role and the people in either order; each of `on`, `in` and `for`, or
 * `until`, may be left out. `verb`: what stands before them; `command`: for the example in a no. `moment`: of whoever asks. Throws a
 * Refusal.
 */
export function parseGrant(
  words: readonly string[],
  verb: string,
  moment: Moment,
  command = `access ${verb}`,
): GrantWords {
  const example = say`Example: /lamplighter ${command} operator @ana on staging-*.`;
  const no = (why: ReturnType<typeof say>, instead?: Instead): Refusal =>
    new Refusal('bad-grant', instead ? why : [...why, ...say` `, ...example], instead);
  const { first, parts } = split(words);
  const roleOf = (word: string): Role | undefined => ROLES.find((one) => one === word.toLowerCase());
  const role = first.map(roleOf).find((one) => one !== undefined);
  if (!role) {
    const unknown = first.find((word) => !granteeOf(word));
    if (unknown !== undefined)
      throw no(
        say`I don't know the role "${unknown}". The roles are ${ROLES.join(', ')}.`,
        closest(unknown, ROLES) === undefined ? withInPlaceOf(unknown, ...ROLES) : mendWord(unknown, ROLES),
      );
    if (first.length > 0) throw no(say`Which role?`, withAfter(verb, ...ROLES));
    throw no(
      say`Which role, and whose?`,
      verb === 'revoke' ? anyOf(oneOf([verb, PERSON]), followedBy(...ROLES)) : withAfter(verb, ...ROLES),
    );
  }
  const roleAt = first.findIndex((word) => roleOf(word) === role);
  const who = first.filter((_, index) => index !== roleAt);
  if (who.length === 0)
    throw no(say`Whose role? Pick a person; for a user group, mention it.`, withAfter(role, PERSON));
  const to = who.map((word) => {
    const grantee = granteeOf(word);
    if (!grantee)
      throw no(
        say`I don't know who "${word}" is. A name alone could be anybody's, so pick the person.`,
        withInPlaceOf(word, PERSON),
      );
    return grantee;
  });
  const on = list(parts.on, () =>
    no(say`On which instances?`, withAfter('on', inWords('Names', 'web-1 or staging-*'))),
  );
  const places = list(parts.in, () => no(say`In which channel?`, withAfter('in', CHANNEL)));
  for (const place of places ?? []) {
    if (!/^[CDG][A-Z0-9_]{2,63}$/.test(place))
      throw no(
        say`I don't know the channel "${place}". Pick it, or mention it with #.`,
        withInPlaceOf(place, CHANNEL),
      );
  }
  const end = endOf(parts, moment, no);
  return { role, to, narrow: { on, in: places }, ...(end ? { end } : {}) };
}

/** The one end that words say; undefined where they say none. Throws `no` for what can't be read, or for two. */
function endOf(
  parts: Partial<Record<Keyword, string[]>>,
  moment: Moment,
  no: (why: ReturnType<typeof say>, instead?: Instead) => Refusal,
): End | undefined {
  const [first, second] = (['for', 'until', 'till', 'til'] as const).flatMap((keyword) =>
    parts[keyword] ? [[keyword, ...parts[keyword]]] : [],
  );
  if (!first) return undefined;
  if (second) throw no(say`Say either for how long or until when.`);
  const end = readEnd(first, 0, moment);
  if (end?.count !== first.length) throw noEnd(first, moment, no, ENDS);
  return end;
}

const TRIES = ['30m, 8h or 5d', '18:00 or mon 08:00'] as const;
const ENDS: EndExamples = { lengths: ['1h', '8h', '5d'], longer: '2w', tries: TRIES };

/** The words before the first keyword that say something, and those after each. */
function split(words: readonly string[]): { first: string[]; parts: Partial<Record<Keyword, string[]>> } {
  const first: string[] = [];
  const parts: Partial<Record<Keyword, string[]>> = {};
  let current: string[] = first;
  for (const word of words) {
    const keyword = KEYWORDS.find((one) => one === word.toLowerCase());
    if (keyword) current = parts[keyword] = [];
    else if (current !== first || !FILLERS.has(word.toLowerCase())) current.push(word);
  }
  return { first, parts };
}

/** Words and commas as a list; undefined where the keyword wasn't said. Throws `none` where nothing follows it. */
function list(words: readonly string[] | undefined, none: () => Refusal): string[] | undefined {
  if (!words) return undefined;
  const items = words.flatMap((word) => word.split(',')).filter((word) => word !== '');
  if (items.length === 0) throw none();
  return items;
}
