import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { type Commit, together } from '../records/commit.ts';
import type { Access } from './access.ts';
import type { Decision } from './decide.ts';
import type { Grantee } from './grant.ts';
import { asItStands, type Narrowing } from './narrow.ts';
import type { PolicyTarget } from './pattern.ts';
import type { Permission } from './permissions.ts';

/** What it takes to see an open thing and to act on it. */
export interface Needs {
  readonly permission: Permission;
  /** For each of these; without any, for all. */
  readonly of: readonly PolicyTarget[];
  /** The channel where it is acted on, besides the one where it is asked. */
  readonly in?: string;
  /** Patterns that the right must reach, in place of instances. */
  readonly within?: Narrowing;
}

/** One open thing that somebody has: they are on it, have asked for it or keep it. It has exactly one owner at each moment. */
export interface Owned {
  /** The same as long as it is the same thing, within its source. */
  readonly id: string;
  /** What it is, as people read it. */
  readonly line: Phrase;
  readonly needs: Needs;
  /** Why it can't pass to somebody else, and what can be done; undefined where it can. */
  readonly stays?: Phrase;
}

/** From whom to whom open things pass, when (Redis' clock, Unix ms), and by which request. */
interface Handover {
  readonly from: string;
  readonly to: string;
  readonly at: number;
  readonly requestId: string;
}

/** Where open things of one kind are kept. */
export interface OwnedSource {
  readonly name: string;
  /** All that one person has of it. */
  list(userId: string): Promise<readonly Owned[]>;
  /** The one part of a commit that has all of these pass to somebody else; undefined where one of them isn't `from`'s any more. */
  moving(ids: readonly string[], handover: Handover): Promise<Commit<'moved'> | undefined>;
}

/** The parts of several records as one, each with its own of the ids, which begin with that of their record and a slash; undefined where one has none. */
export async function movingEach(
  ids: readonly string[],
  move: (recordId: string, ids: readonly string[]) => Promise<Commit<'moved'> | undefined>,
): Promise<Commit<'moved'> | undefined> {
  const recordIds = [...new Set(ids.map((id) => id.split('/')[0] ?? ''))];
  const parts = await Promise.all(
    recordIds.map((recordId) =>
      move(
        recordId,
        ids.filter((id) => id.split('/')[0] === recordId),
      ),
    ),
  );
  const moved = parts.filter((one) => one !== undefined);
  return moved.length === parts.length ? together<'moved'>(...moved) : undefined;
}

/**
 * Whether somebody, or whoever is in a group, may see this and act on it, where it is asked and where it is acted on. A freeze is no reason:
 * what passes from one person to another changes no instance.
 */
export async function mayHave(
  access: Pick<Access, 'decisions' | 'checkMember' | 'within'>,
  who: Grantee,
  needs: Needs,
  channelId: string,
): Promise<boolean> {
  const { permission, of, within } = needs;
  for (const at of new Set([channelId, needs.in ?? channelId])) {
    if (within && 'userId' in who) {
      const reaches = await access.within(who, permission, at);
      if (reaches({ ...asItStands(within), in: [at] }) === undefined) return false;
      continue;
    }
    const decide = 'userId' in who && (await access.decisions(who, permission, { channelId: at }));
    for (const about of within || of.length === 0 ? (['all'] as const) : of) {
      const decision = decide
        ? decide(about)
        : await access.checkMember('groupId' in who ? who.groupId : '', permission, about, { channelId: at });
      if (!isAllowed(decision)) return false;
    }
  }
  return true;
}

function isAllowed(decision: Decision): boolean {
  return decision.allowed || decision.reason === 'frozen';
}

/** By whom what somebody holds is ended, when (Redis' clock, Unix ms), and by which request. */
export interface EndedBy {
  readonly by: string;
  readonly at: number;
  readonly requestId: string;
}

/** One thing that somebody holds, or that goes on in their name. */
export interface Holding {
  readonly userId: string;
  /** What it is, as people read it: the same as long as it is the same. */
  readonly line: Phrase;
  /** Why it stays where all that they hold is taken back, and what can be done by hand; undefined where it ends. */
  readonly stays?: Phrase;
  /** The agent that it is, where they added it: it goes on without the role by which they did. */
  readonly addedAgent?: Narrowing & { readonly name: string };
  /** The part of a commit that ends it, or nothing where it has ended. Without it, it stays, or ends with the person's roles. */
  readonly end?: (how: EndedBy) => Promise<Commit<'moved'> | undefined>;
}

/** One line of what somebody holds, with why it stays where it does. Pure. */
export function lineOf({ line, stays }: Pick<Holding, 'line' | 'stays'>): Phrase {
  return stays ? say`${line} ${stays}` : line;
}

/** All that anybody holds, of one kind or of several. */
export type Holdings = () => Promise<readonly Holding[]>;
