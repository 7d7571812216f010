import type { PolicyTarget } from '../../core/policy/pattern.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Instance, InstanceList } from '../../platform/hosting/service.ts';
import { type Before, changesBetween, mayLookNew, type Now } from './changes.ts';
import { membershipOf } from './scope.ts';
import type { Patience, State } from './states.ts';
import type { Watch } from './watch.ts';

/** The list, and the latest moment that it is certainly not older than, Unix ms. */
export interface Listed {
  readonly list: InstanceList;
  readonly at: number;
  readonly byId: ReadonlyMap<string, Instance>;
  /** One read of an id serves all watches. */
  readonly read: (id: string) => Promise<Instance | undefined>;
}

type May = (target: PolicyTarget) => boolean | 'unknown';

/** Whether an instance is watched and may be shown; `unknown` where nobody can tell just now whether it may be. */
type PlaceInView = (instance: Instance) => 'in' | 'out' | 'untold' | 'unknown';

/** What a look sees, and where an instance that is read anew belongs. */
export interface View extends Now {
  /** How many were watched that the service doesn't say now of whether they still are. */
  readonly untold: number;
  readonly placeOf: PlaceInView;
}

/** So many ids are read alone in one look, to see whether they are gone, or as an old list says. */
const MAX_READ_ALONE = 20;

/** What of the list is watched and may be shown. What nobody can tell of stays as it was seen, and hides nothing else. */
export async function viewOf(
  watch: Watch,
  { list, at, byId, read }: Listed,
  may: May,
  before: Before | undefined,
): Promise<View> {
  const membership = membershipOf(watch, at);
  const placeOf: PlaceInView = (instance) => {
    const is = membership(instance);
    if (is !== 'in') return is;
    const mayBe = may(instance);
    return mayBe === 'unknown' ? mayBe : mayBe ? 'in' : 'out';
  };
  const known = new Map([...(before?.seen ?? [])].filter(([, { isOutside }]) => !isOutside));
  const instances: Instance[] = [];
  const outside = new Map<string, string | undefined>();
  let untold = 0;
  const put = (instance: Instance): void => {
    const { id, createdAt } = instance;
    const place = placeOf(instance);
    if (place === 'in') instances.push(instance);
    // What was watched stays as it was seen, until it can be told again whether it is.
    else if (place !== 'out' && known.has(id)) untold += Number(place === 'untold');
    // What is new and will be told of in a moment is still new then.
    else if (place === 'unknown' && before && createdAt !== undefined) return;
    else if (known.has(id) || mayLookNew(instance, at)) outside.set(id, createdAt);
  };
  list.instances.forEach(put);
  const gone = new Set<string>();
  // Only a whole list that lacks an id is a sign that it is gone, and only the id itself is certain.
  const isMissing = ([id, { trouble }]: [string, State]): boolean => !byId.has(id) && trouble !== 'deleted';
  const missing = (list.incomplete ? [] : [...known].filter(isMissing))
    .map(([id, { name, createdAt, marks }]) => ({ id, createdAt, mayStill: may({ id, name, ...marks }) }))
    .filter(({ mayStill }) => mayStill !== 'unknown');
  for (const { id, createdAt, mayStill } of missing.slice(0, MAX_READ_ALONE)) {
    const found = mayStill ? await readAlone(read, id) : undefined;
    if (found === undefined) outside.set(id, createdAt);
    else if (found === 'gone') gone.add(id);
    else if (found !== 'unread') put(found);
  }
  return { at, instances, outside, gone, untold, placeOf };
}

async function readAlone(read: Listed['read'], id: string): Promise<Instance | 'gone' | 'unread'> {
  try {
    return (await read(id)) ?? 'gone';
  } catch (error) {
    if (error instanceof HostingError) return 'unread';
    throw error;
  }
}

/** What a list that was read a while ago says is different is read by its id before it is reported, as far as that are few. */
export async function confirmed(
  before: Before | undefined,
  view: View,
  { list, read }: Listed,
  patience: Patience,
): Promise<View> {
  if (list.readAtMs === undefined || !before) return view;
  const { changes } = changesBetween(before, view, () => 'no', patience);
  const ids = new Set(changes.filter(({ what }) => what !== 'created').map(({ id }) => id));
  if (ids.size === 0 || ids.size > MAX_READ_ALONE) return view;
  const outside = new Map(view.outside);
  const fresh = await Promise.all(
    view.instances.map(async (instance) =>
      ids.has(instance.id) ? await readAlone(read, instance.id) : instance,
    ),
  );
  const instances = fresh.flatMap((one) => {
    // What can't be read now, is gone or isn't told is judged at the next look.
    if (one === 'gone' || one === 'unread') return [];
    const place = view.placeOf(one);
    if (place === 'out') outside.set(one.id, one.createdAt);
    return place === 'in' ? [one] : [];
  });
  return { ...view, instances, outside };
}
