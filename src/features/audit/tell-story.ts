import type { Recorded } from '../../core/audit/audit-reader.ts';
import type { Entry } from '../../core/audit/entry.ts';
import type { Actor } from '../../platform/slack/ids.ts';
import {
  isAbout,
  isOfReference,
  type Audited,
  type AuditMoment,
  isPerson,
  type Options,
  parseAuditWords,
} from './words.ts';
import { isTold, mayBeTold, seenBy, type Sight } from './story.ts';
import { say } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import type { SaidPeriod } from './said-period.ts';

/** What is to be told. */
export interface StoryWords extends SaidPeriod {
  readonly userIds: readonly string[];
  /** The other words: instances, commands and references. */
  readonly things: readonly string[];
  /** The one thing is a reference, and no name. */
  readonly isReference?: true;
  readonly isFile: boolean;
  readonly isShared: boolean;
}

/** All that happened is a lot; what happened to one thing is not. */
const OF_ALL_MS = DAY_MS;
const OF_SOME_MS = 30 * DAY_MS;

const OPTIONS: Options = {
  flags: ['file', 'share'],
  example: say`--last 6h, --in 2026-10, --file and --share, as in /lamplighter story web-1 since 23:00`,
  lastMs: (rest) => (rest.length > 0 ? OF_SOME_MS : OF_ALL_MS),
};

/** `web-1 since 23:00`, `name:prod-* --last 6h --share`, `2rFsoy-o --file`, in any order, by the clock of who asks. Throws a Refusal. */
export function parseStoryWords(words: readonly string[], moment: AuditMoment): StoryWords {
  const { flags, rest, since, until, when } = parseAuditWords(words, moment, OPTIONS);
  return {
    userIds: rest.filter(isPerson),
    things: rest.filter((word) => !isPerson(word)),
    since,
    until,
    when,
    isFile: flags.has('file'),
    isShared: flags.has('share'),
  };
}

/** The same for the reference that a button carries, or that is all of what was typed. Pure. */
export function ofReference(reference: string, { at }: Pick<AuditMoment, 'at'>): StoryWords {
  return {
    userIds: [],
    things: [reference],
    since: at - OF_SOME_MS,
    until: at,
    when: say`in the last 30 days`,
    isReference: true,
    isFile: false,
    isShared: false,
  };
}

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
