import { z } from 'zod';
import { idOf } from '../../platform/id.ts';
import { plain } from '../../platform/slack/phrase.ts';
import type { ChannelOnCall } from '../on-call/on-call.ts';
import { type ApprovalRule, isTaken } from './pattern.ts';
import type { ChannelLimit } from './decide.ts';
import { BY_POLICY_FILE, type Grant, type Grantee } from './grant.ts';
import {
  type CostGroups,
  costGroupsOf,
  costGroupsSection,
  namesInOnCall,
  onCallOf,
  onCallSection,
  type Holidays,
  holidaysSection,
} from './sections.ts';
import { atLeastOne, listOf, must, type FileFault, readYaml } from './read-yaml.ts';
import { type Role, ROLES } from './permissions.ts';

/** What a policy file says. What it leaves out is as the variables and people in Slack have it. */
export interface PolicyFile {
  /** Ids of people and groups, by the names that the file gives them. */
  readonly people: ReadonlyMap<string, string>;
  readonly everyone?: Role | 'none';
  /** Who holds which role, in place of what was given in Slack. */
  readonly grants?: readonly Grant[];
  readonly protectedInstances?: readonly string[];
  readonly channels?: Readonly<Record<string, ChannelLimit>>;
  readonly approvals?: readonly ApprovalRule[];
  /** Who is on call, by the channel's id. */
  readonly onCall?: Readonly<Record<string, ChannelOnCall>>;
  /** Days that schedules can leave out by the name of their list. */
  readonly holidays?: Holidays;
  /** Parts of the costs. */
  readonly costGroups?: CostGroups;
}

/** The verbs that change something at a hosting service, and how people call it. */
export interface KnownVerbs {
  readonly verbs: readonly string[];
  readonly service: string;
}

const WHO_ID = /^[UWS][A-Z0-9_]{2,63}$/;
const CHANNEL_ID = /^[CDG][A-Z0-9_]{2,63}$/;
const NAME = /^[\p{Ll}\p{Lo}\p{N}][\p{Ll}\p{Lo}\p{N}._-]{0,79}$/u;
const MAX_QUOTED = 60;

const patterns = z
  .string()
  .min(1, 'must not be empty')
  .refine(isTaken, 'must be a name, an id, label:… or region:…, and no other filter');
const PATTERNS = 'a list of names of instances like prod-*, of ids, or of label:env=prod and region:fra1';
const channelId = z
  .string(must('the id of a channel'))
  .regex(CHANNEL_ID, 'must be the id of a channel like C012ABCDEF');
const role = z.enum(ROLES, must(`one of ${ROLES.join(', ')}`));
const holder = z.strictObject(
  {
    who: z.string(must('a name of people or an id')),
    on: atLeastOne(patterns, PATTERNS).optional(),
    in: atLeastOne(channelId, 'a list of ids of channels').optional(),
  },
  must('a map with who, and on or in to narrow it'),
);
const holders = listOf(holder, 'a list of who holds it, each a map with who').optional();
const rolesShape = Object.fromEntries(ROLES.map((one) => [one, holders])) as Record<Role, typeof holders>;

const fileSchema = z.strictObject(
  {
    people: z
      .record(
        z.string().regex(NAME, 'must be a name in lower case, without spaces'),
        z.string(must('an id')).regex(WHO_ID, 'must be the id of a person or a user group, like U012ABCDEF'),
        must('a map of names to ids'),
      )
      .optional(),
    everyone: z.enum([...ROLES, 'none'], must(`one of ${ROLES.join(', ')} and none`)).optional(),
    roles: z.strictObject(rolesShape, must('a map of roles to lists of who holds them')).optional(),
    protected: listOf(patterns, PATTERNS).optional(),
    channels: z
      .record(
        channelId,
        z.strictObject(
          {
            on: atLeastOne(patterns, PATTERNS).optional(),
            roles: listOf(role, 'a list of roles').optional(),
          },
          must('a map with on or roles'),
        ),
        must('a map of ids of channels to what may be done there'),
      )
      .optional(),
    approvals: listOf(
      z.strictObject(
        {
          on: atLeastOne(patterns, PATTERNS),
          for: atLeastOne(z.string(), 'a list of verbs like restart').optional(),
        },
        must('a map with on, and for to narrow it'),
      ),
      'a list of maps with on',
    ).optional(),
    oncall: z
      .record(channelId, onCallSection, must('a map of ids of channels to who is told there'))
      .optional(),
    holidays: holidaysSection.optional(),
    costgroups: costGroupsSection.optional(),
  },
  must('a map with people, everyone, roles, protected, channels, approvals, oncall, holidays or costgroups'),
);
type FileContent = z.output<typeof fileSchema>;

/**
 * Reads a policy file. Pure, and never throws: whatever the text, it gives what the file says or each fault with its line.
 * `known`: the verbs that change something at a service, where they are known; then others are faults.
 */
export function readPolicyFile(
  text: string,
  known?: KnownVerbs,
): { readonly file: PolicyFile } | { readonly faults: readonly FileFault[] } {
  const yaml = readYaml(text);
  if ('faults' in yaml) return { faults: inOrder(yaml.faults) };
  if (yaml.value === null || yaml.value === '')
    return { faults: [{ line: 1, what: 'the file is empty, so it fixes nothing.' }] };
  const parsed = fileSchema.safeParse(yaml.value);
  // What the schema can't say is looked for in what can be read, so that one check names all faults.
  const sections = mapSchema.safeParse(yaml.value).data ?? {};
  const faults = [
    ...(parsed.error?.issues ?? []).flatMap(faultsOf),
    ...unknownWho(sections),
    ...unknownVerbs(sections, known),
  ];
  if (!parsed.success || faults.length > 0)
    return { faults: inOrder(faults.map(({ path, key, what }) => ({ line: yaml.lineOf(path, key), what }))) };
  return { file: toFile(parsed.data) };
}

/** A fault, and where in the file's content it is. */
interface Fault {
  readonly path: readonly PropertyKey[];
  readonly key?: string;
  readonly what: string;
}

function faultsOf({ path, ...issue }: z.core.$ZodIssue): readonly Fault[] {
  const name = path.findLast((step) => typeof step === 'string') ?? 'the file';
  const subject = typeof path.at(-1) === 'number' ? `each of ${name}` : name;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path,
      key,
      what: `${quoted(key)} is not known here. ${knownAt(path)}`,
    }));
  // Of a key, the sentence is that of what it must be.
  const message = issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message;
  return [{ path, what: `${subject} ${message ?? 'is not valid'}.` }];
}

/** What may stand in the map at a path, as a sentence. */
function knownAt(path: readonly PropertyKey[]): string {
  const known: Readonly<Record<string, readonly string[]>> = {
    roles: path.length === 1 ? ROLES : Object.keys(holder.shape),
    channels: ['on', 'roles'],
    approvals: ['on', 'for'],
    oncall: path.includes('quiet')
      ? ['from', 'until', 'zone', 'except']
      : path.includes('steps')
        ? ['who', 'after']
        : ['steps', 'quiet'],
  };
  const section = path[0];
  const keys = typeof section === 'string' ? known[section] : Object.keys(fileSchema.shape);
  return `There are ${(keys ?? []).join(', ')}.`;
}

const mapSchema = z.record(z.string(), z.unknown());
type Sections = z.output<typeof mapSchema>;

/** The items of a list that may be none, each with its place where it is as `schema` says. */
function itemsOf<T>(
  list: unknown,
  schema: z.ZodType<T>,
): readonly { readonly index: number; readonly item: T }[] {
  const items: readonly unknown[] = Array.isArray(list) ? list : [];
  return items.flatMap((one, index) => {
    const read = schema.safeParse(one);
    return read.success ? [{ index, item: read.data }] : [];
  });
}

/** Names that `people` doesn't have, and ids that are none. */
function unknownWho(sections: Sections): readonly Fault[] {
  const people = mapSchema.safeParse(sections['people'] ?? {}).data;
  const roles = mapSchema.safeParse(sections['roles']).data ?? {};
  // Of names that can't be read nobody knows which are missing.
  if (!people) return [];
  const inRoles = ROLES.flatMap((one) =>
    itemsOf(roles[one], z.looseObject({ who: z.string() })).map(({ index, item: { who } }) => ({
      who,
      path: ['roles', one, index, 'who'],
    })),
  );
  return [...inRoles, ...namesInOnCall(sections['oncall'])].flatMap(({ who, path }) =>
    Object.hasOwn(people, who) || WHO_ID.test(who)
      ? []
      : [{ path, what: `${quoted(who)} is neither a name in people nor an id like U012ABCDEF.` }],
  );
}

function unknownVerbs(sections: Sections, known: KnownVerbs | undefined): readonly Fault[] {
  if (!known) return [];
  const { verbs, service } = known;
  return itemsOf(sections['approvals'], z.looseObject({ for: z.unknown() })).flatMap(({ index, item }) =>
    itemsOf(item.for, z.string()).flatMap(({ index: at, item: verb }) =>
      verbs.includes(verb)
        ? []
        : [
            {
              path: ['approvals', index, 'for', at],
              what: `${quoted(verb)} is not a verb that changes something at ${service}. The verbs are ${verbs.join(', ')}.`,
            },
          ],
    ),
  );
}

function toFile({ people = {}, everyone, roles, protected: isProtected, ...rest }: FileContent): PolicyFile {
  const { channels, approvals, oncall, holidays, costgroups } = rest;
  return {
    people: new Map(Object.entries(people)),
    ...(everyone && { everyone }),
    ...(roles && { grants: ROLES.flatMap((one) => (roles[one] ?? []).map(grantOf(one, people))) }),
    ...(isProtected && { protectedInstances: isProtected }),
    ...(channels && { channels }),
    ...(oncall && { onCall: onCallOf(oncall, (who) => idOfName(people, who)) }),
    ...(holidays && { holidays }),
    ...(costgroups && { costGroups: costGroupsOf(costgroups) }),
    ...(approvals && {
      approvals: approvals.map(({ on, for: verbs }) => ({ on, ...(verbs && { for: verbs }) })),
    }),
  };
}

/** A grant whose id follows from what it says, so that it is the same at every start. */
function grantOf(as: Role, people: Readonly<Record<string, string>>) {
  return ({ who, on, in: places }: z.output<typeof holder>): Grant => {
    const id = idOfName(people, who);
    const to: Grantee = id.startsWith('S') ? { groupId: id } : { userId: id };
    const narrow = { ...(on && { on }), ...(places && { in: places }) };
    return {
      id: idOf(`policy ${JSON.stringify([as, to, narrow])}`),
      role: as,
      to,
      ...narrow,
      by: BY_POLICY_FILE,
      at: 0,
    };
  };
}

/** The id that a name of the file stands for, or what was written itself. */
function idOfName(people: Readonly<Record<string, string>>, who: string): string {
  return (Object.hasOwn(people, who) ? people[who] : undefined) ?? who;
}

function quoted(text: string): string {
  return `"${plain(text, MAX_QUOTED)}"`;
}

/** From the first line on, each fault once. */
function inOrder(faults: readonly FileFault[]): readonly FileFault[] {
  const each = new Map(faults.map((fault) => [`${fault.line} ${fault.what}`, fault]));
  return [...each.values()].toSorted((a, b) => a.line - b.line);
}
