import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { endOf } from '../../core/instances/facts.ts';
import type { Instance } from '../../platform/hosting/service.ts';

/** Whatever a service gives its machines, a record stays small. */
const MAX_LABELS = 20;
const MAX_CHARS = 100;

const shortText = z.string().max(MAX_CHARS);
/** The labels and the region that an instance had last, as far as the service told them. */
export const marksSchema = z.object({
  labels: z.array(shortText).max(MAX_LABELS).optional(),
  region: shortText.optional(),
});
export type Marks = z.infer<typeof marksSchema>;

/**
 * What is kept of the labels and the region of an instance; what the service doesn't tell now stays as it was `before`. What is too
 * long, or one too many, is left out: a right that goes by it allows less. Undefined where nothing was told. Pure.
 */
export function marksOf(
  { labels: told, region: at }: Pick<Instance, 'labels' | 'region'>,
  before: Marks | undefined,
): Marks | undefined {
  // In any order they are the same labels.
  const short = told?.filter(isShort).toSorted().slice(0, MAX_LABELS);
  const labels = short ?? before?.labels;
  const region = at === undefined ? before?.region : isShort(at) ? at : undefined;
  if (labels === undefined && region === undefined) return undefined;
  return { ...(labels ? { labels } : {}), ...(region === undefined ? {} : { region }) };
}

function isShort(text: string): boolean {
  return text.length <= MAX_CHARS;
}

/** Whether two looks saw the same marks. Pure. */
export function isSameMarks(one: Marks | undefined, other: Marks | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What can be wrong with an instance, as far as a watch tells it apart. */
export const TROUBLES = ['error', 'unhealthy', 'stopped', 'paused', 'deleted'] as const;
export type Trouble = (typeof TROUBLES)[number];

/** What may stand on a card, the worst first. */
export const WORST_FIRST: readonly (Trouble | 'created')[] = [
  'deleted',
  'error',
  'paused',
  'unhealthy',
  'stopped',
  'created',
];
/** What can't wait until the morning, unless a channel says so. */
const GRAVE: ReadonlySet<string> = new Set<Trouble>(['deleted', 'error', 'paused']);

export function isGrave(what: Trouble | 'created'): boolean {
  return GRAVE.has(what);
}

/** Whether something is worse than something else. Pure. */
export function isWorse(one: Trouble | 'created', other: Trouble | 'created'): boolean {
  return WORST_FIRST.indexOf(one) < WORST_FIRST.indexOf(other);
}

/** What a watch keeps of one instance between two looks. */
export interface State {
  readonly name: string;
  readonly createdAt?: string;
  /** What was wrong with it at the last look, reported or asked for here. */
  readonly trouble?: Trouble;
  /** Since when each look has seen it running and unhealthy, or when it was seen to be gone; Unix ms. */
  readonly since?: number;
  /** Until when it runs, where it is canceled; Unix ms. */
  readonly endsAt?: number;
  /** What it was marked with last: what is gone is judged by that. */
  readonly marks?: Marks;
  /** It is there and isn't watched. Kept without its name, so that it is not taken for new where it is watched later. */
  readonly isOutside?: true;
}

/** What a watch saw last, by the id of the instance. */
export type States = ReadonlyMap<string, State>;

/** So long an instance may be unhealthy before that is trouble. */
export type Patience = { readonly unhealthyAfterMs: number };

/**
 * An instance at a look of `at` (Unix ms), after what the look before saw of it. Pure. A status on its way from one to
 * another says nothing of trouble: it stays what it was.
 */
export function stateOf(
  instance: Instance,
  before: State | undefined,
  at: number,
  { unhealthyAfterMs }: Patience,
): State {
  const { name, createdAt, status } = instance;
  const unhealthySince = status === 'running' ? unhealthySinceOf(instance, before, at) : undefined;
  const isUnhealthy =
    unhealthySince !== undefined &&
    (before?.trouble === 'unhealthy' || at - unhealthySince >= unhealthyAfterMs);
  const trouble = status === 'running' ? (isUnhealthy ? 'unhealthy' : undefined) : troubleOf(status, before);
  return {
    name,
    createdAt,
    trouble,
    since: unhealthySince,
    endsAt: endOf(instance),
    marks: marksOf(instance, before?.marks),
  };
}

function unhealthySinceOf({ health }: Instance, before: State | undefined, at: number): number | undefined {
  if (health === 'unhealthy') return before?.since ?? at;
  // A health that isn't known for a moment is no sign that it is well again.
  return health === undefined || health === 'healthy' ? undefined : before?.since;
}

function troubleOf(status: Instance['status'], before: State | undefined): Trouble | undefined {
  switch (status) {
    case 'error':
    case 'deploy_failed':
      return 'error';
    case 'stopped':
    case 'paused':
    case 'deleted':
      return status;
    default:
      return before?.trouble;
  }
}

/** Whether two looks saw the same of everything. Pure. */
export function isSameStates(one: States, other: States): boolean {
  if (one.size !== other.size) return false;
  for (const [id, state] of one) {
    const now = other.get(id);
    if (!now || now.name !== state.name || now.trouble !== state.trouble) return false;
    if (now.since !== state.since || now.createdAt !== state.createdAt) return false;
    if (now.endsAt !== state.endsAt || !isSameMarks(now.marks, state.marks)) return false;
    if (now.isOutside !== state.isOutside) return false;
  }
  return true;
}

const OUTSIDE = 'outside';
const keptSchema = z.array(
  z.tuple([
    z.string(),
    z.string(),
    z.string(),
    z.enum([...TROUBLES, OUTSIDE, '']),
    z.number(),
    z.number().optional(),
    marksSchema.optional(),
  ]),
);

/** What was seen as it is kept: short enough for thousands of instances. */
export function packStates(seen: States): string {
  const kept = [...seen].map(
    ([id, { name, createdAt = '', trouble = '', since = 0, endsAt, marks, isOutside }]) => [
      id,
      name,
      createdAt,
      isOutside ? OUTSIDE : trouble,
      since,
      // Few have an end.
      ...(marks ? [endsAt ?? 0, marks] : endsAt === undefined ? [] : [endsAt]),
    ],
  );
  return deflateRawSync(JSON.stringify(kept)).toString('base64');
}

/** What `packStates` made a text of. Throws for any other. */
export function unpackStates(text: string): States {
  const kept = keptSchema.parse(JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString('utf8')));
  return new Map(
    kept.map(([id, name, createdAt, trouble, since, endsAt = 0, marks]) => [
      id,
      {
        name,
        ...(createdAt === '' ? {} : { createdAt }),
        ...(trouble === OUTSIDE ? { isOutside: true } : trouble === '' ? {} : { trouble }),
        ...(since === 0 ? {} : { since }),
        ...(endsAt === 0 ? {} : { endsAt }),
        ...(marks ? { marks } : {}),
      },
    ]),
  );
}
