import type { Recorded } from '../../core/audit/audit-reader.ts';
import type { Entry } from '../../core/audit/entry.ts';
import type { Actor } from '../../platform/slack/ids.ts';
import type { StoryWords } from './parse-story.ts';
import { isAbout, isOfReference } from './words.ts';
import { isTold, mayBeTold, seenBy, type Sight } from './story.ts';
import type { Audited } from './audited.ts';

/** More than anybody reads. */
const MAX_READ = 20_000;

/** What somebody is told. */
export interface FoundStory {
  /** In no order. */
  readonly recorded: readonly Recorded[];
  /** Words with which none of it has to do. */
  readonly unmet: readonly string[];
  /** There is more of that time than was read. */
  readonly isCut: boolean;
  /** There may be more that they may not see. */
  readonly isPart: boolean;
}

/** Reads of the audit what was asked for, and no more than the actor may see from that channel. */
export async function findStory(
  deps: Audited,
  { actor, channelId }: { readonly actor: Actor; readonly channelId: string },
  wanted: StoryWords,
): Promise<FoundStory> {
  const { auditReader } = deps;
  const { things, userIds, since, until, isReference } = wanted;
  const isOf = (entry: Entry, word: string): boolean =>
    isReference ? isOfReference(entry, word) : isAbout(deps, entry, word);
  const sight = await sightOf(deps, actor, channelId);
  const isMeant = (entry: Entry): boolean =>
    isTold(entry) &&
    entry.at <= until &&
    mayBeTold(entry, sight) &&
    (things.length === 0 || things.some((word) => isOf(entry, word))) &&
    (userIds.length === 0 || userIds.some((id) => entry.by === id || entry.approvedBy === id));
  const found = await auditReader.read(isMeant, { limit: MAX_READ, since });
  const parents = await parentsOf(deps, wanted, found);
  const recorded = seenBy([...found, ...parents], sight);
  return {
    recorded,
    unmet: things.filter((word) => !recorded.some(({ entry }) => isOf(entry, word))),
    isCut: found.length === MAX_READ,
    isPart: !sight.mayAudit('all'),
  };
}

async function sightOf({ access }: Audited, actor: Actor, channelId: string): Promise<Sight> {
  const [maySee, maySpend, mayAudit] = await Promise.all(
    (['instances:read', 'billing:read', 'audit:read'] as const).map((permission) =>
      access.which(actor, permission, channelId),
    ),
  );
  return {
    maySee: (target) => maySee?.(target) ?? false,
    maySeeMoney: maySpend?.('all') ?? false,
    mayAudit: (about) => mayAudit?.(about) ?? false,
  };
}

/** What was asked for by its reference is a part of something, as a batch or an approval: how that began. */
async function parentsOf(
  { auditReader }: Audited,
  { things, since, until }: StoryWords,
  found: readonly Recorded[],
): Promise<readonly Recorded[]> {
  const isAsked = (entry: Entry): boolean => things.some((word) => isOfReference(entry, word));
  const refs = new Set(found.flatMap(({ entry }) => (isAsked(entry) ? (entry.of ?? []) : [])));
  if (refs.size === 0) return [];
  const known = new Set(found.map(({ seq }) => seq));
  const isParent = (entry: Entry): boolean =>
    refs.has(entry.requestId) || (entry.what === 'shown' && entry.of !== undefined && refs.has(entry.of));
  const parents = await auditReader.read((entry) => isTold(entry) && entry.at <= until && isParent(entry), {
    limit: MAX_READ,
    since,
  });
  return parents.filter(({ seq }) => !known.has(seq));
}
