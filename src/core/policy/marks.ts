import type { HostingReads } from '../../platform/hosting/service.ts';
import { atMost } from '../../platform/time/wait.ts';
import type { Person, Policy } from './decide.ts';
import type { About } from './grant.ts';
import { hasMarks, type PolicyTarget } from './pattern.ts';

/** Where it is read which labels instances have, and where they are. */
export type Marks = Pick<HostingReads, 'listInstances' | 'findInstance'>;

/** Somebody waits for what hangs on it. */
const WITHIN_MS = 5_000;
/** For many at once a list of so long ago will do: each is looked at alone before anything is asked for. */
const FRESH_MS = 10_000;
type Marked = Pick<PolicyTarget, 'labels' | 'region'>;

/**
 * What a right is asked for, with its labels and its region as the service tells them now, where anything in the policy goes by such and
 * it didn't come with them; as it came where the service doesn't tell. `through`: the program through which it is asked. Never throws.
 */
export async function withMarks(
  marks: Marks,
  policy: Narrowed,
  through: Person['through'],
  about: About,
): Promise<About> {
  if (!hangsOnMarks(policy, through) || isMarked(about)) return about;
  return markedBy(about, await atMost(WITHIN_MS, marks.findInstance(about.id)));
}

/** The same for one instance, where any of `rules` goes by such; undefined where nobody can tell just now. Never throws. */
export async function withMarksFor(
  marks: Pick<Marks, 'findInstance'>,
  rules: readonly { readonly on?: readonly string[] | undefined }[],
  target: PolicyTarget,
): Promise<PolicyTarget | undefined> {
  if (!rules.some(({ on }) => hasMarks(on)) || isMarked(target)) return target;
  const found = await atMost(WITHIN_MS, marks.findInstance(target.id));
  return found && markedBy(target, found);
}

/** The same for each of many, by one list. Never throws. */
export async function withMarksOfAll(
  marks: Marks,
  policy: Narrowed,
  through: Person['through'],
): Promise<(about: About) => About> {
  if (!hangsOnMarks(policy, through)) return (about) => about;
  const list = await atMost(WITHIN_MS, marks.listInstances({ freshMs: FRESH_MS }));
  const byId = new Map((list?.instances ?? []).map((one) => [one.id, one]));
  return (about) => (isMarked(about) ? about : markedBy(about, byId.get(about.id)));
}

type Narrowed = Pick<Policy, 'grants' | 'freezes' | 'channels'>;

/** Whether anything that lets this person, or keeps them from something, goes by labels or regions. */
function hangsOnMarks({ grants, freezes, channels }: Narrowed, through: Person['through']): boolean {
  const narrowed = [
    ...(grants === 'unreadable' ? [] : grants.filter(({ revoked }) => !revoked)),
    ...(freezes === 'unreadable' ? [] : freezes.filter(({ thawed }) => !thawed)),
    ...Object.values(channels),
    ...(through ? [through] : []),
  ];
  return narrowed.some(({ on }) => hasMarks(on));
}

/** Whether there is nothing to be looked up of it. */
function isMarked(about: About): about is 'any' | 'all' | Required<PolicyTarget> {
  return typeof about === 'string' || (about.labels !== undefined && about.region !== undefined);
}

function markedBy(target: PolicyTarget, { labels, region }: Marked = {}): PolicyTarget {
  return { ...target, labels: labels ?? target.labels, region: region ?? target.region };
}
