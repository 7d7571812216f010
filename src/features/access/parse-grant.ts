import type { Grantee, Narrow } from '../../core/policy/grant.ts';
import { type Role, ROLES } from '../../core/policy/permissions.ts';
import { Refusal } from '../../core/refusal.ts';
import { say } from '../../platform/slack/phrase.ts';
import { parseDuration } from '../../platform/time/duration.ts';

/** What the words after `access grant` or `access revoke` mean. */
export interface GrantWords {
  readonly role: Role;
  readonly to: readonly Grantee[];
  /** `forMs`: how long, in ms. */
  readonly narrow: Pick<Narrow, 'on' | 'in'> & { readonly forMs?: number };
}

const KEYWORDS = ['on', 'in', 'for'] as const;
type Keyword = (typeof KEYWORDS)[number];

/**
 * `operator @ana @oncall on staging-* in #ops for 8h`; each of `on`, `in` and `for` may be left out. `verb`: for the
 * example in a no. Throws a Refusal.
 */
export function parseGrant(words: readonly string[], verb: 'grant' | 'revoke'): GrantWords {
  const example = say`Example: access ${verb} operator @ana on staging-*.`;
  const no = (why: ReturnType<typeof say>): Refusal =>
    new Refusal('bad-grant', [...why, ...say` `, ...example]);
  const [typedRole = '', ...rest] = words;
  const role = ROLES.find((one) => one === typedRole.toLowerCase());
  if (!role) {
    const why =
      typedRole === ''
        ? say`Which role, and whose?`
        : say`I don't know the role "${typedRole}". The roles are ${ROLES.join(', ')}.`;
    throw no(why);
  }
  const { who, parts } = split(rest);
  if (who.length === 0) throw no(say`Whose role? Mention a person or a user group.`);
  const to = who.map((word) => {
    const grantee = granteeOf(word);
    if (!grantee)
      throw no(
        say`I don't know who "${word}" is. Mention them with @, because a name alone could be anybody's.`,
      );
    return grantee;
  });
  const on = list(parts.on);
  const places = list(parts.in);
  for (const place of places ?? []) {
    if (!/^[CDG][A-Z0-9_]{2,63}$/.test(place))
      throw no(say`I don't know the channel "${place}". Mention it with #, as in in #ops.`);
  }
  const forMs = parts.for && parseDuration(parts.for.join(''), ['m', 'h', 'd', 'w']);
  if (parts.for && (!forMs || forMs <= 0))
    throw no(say`I don't understand the time "${parts.for.join(' ')}". Try 30m, 8h or 5d.`);
  return {
    role,
    to,
    narrow: { on, in: places, ...(forMs ? { forMs } : {}) },
  };
}

/** A mention as it arrives: an id, of a person or of a group. */
function granteeOf(word: string): Grantee | undefined {
  if (/^[UW][A-Z0-9_]{2,63}$/.test(word)) return { userId: word };
  return /^S[A-Z0-9_]{2,63}$/.test(word) ? { groupId: word } : undefined;
}

/** The words before the first keyword, and those after each. */
function split(words: readonly string[]): { who: string[]; parts: Partial<Record<Keyword, string[]>> } {
  const who: string[] = [];
  const parts: Partial<Record<Keyword, string[]>> = {};
  let current: string[] = who;
  for (const word of words) {
    const keyword = KEYWORDS.find((one) => one === word.toLowerCase());
    if (keyword) current = parts[keyword] = [];
    else current.push(word);
  }
  return { who, parts };
}

/** Words and commas as a list; undefined where the keyword wasn't said. Throws where nothing follows it. */
function list(words: readonly string[] | undefined): string[] | undefined {
  if (!words) return undefined;
  const items = words.flatMap((word) => word.split(',')).filter((word) => word !== '');
  if (items.length === 0)
    throw new Refusal(
      'bad-grant',
      say`Nothing follows "on" or "in". Example: access grant operator @ana on staging-* in #ops.`,
    );
  return items;
}
