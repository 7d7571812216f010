import type { Adapter, ListRead } from '../../src/platform/hosting/adapter.ts';
import { listsOf } from '../../src/platform/hosting/read-list.ts';
import type { Instance, InstanceList } from '../../src/platform/hosting/service.ts';
import { attempt, doubt, fault, few, type Finding, ok, wordsOf } from './finding.ts';

const CHECK = 'several lists';

/** Whether each of several lists has what no other has. `readAlone`: reads one as if it was the only one. */
export async function severalLists(
  { instances: { list } }: Adapter,
  readAlone: (list: ListRead<Instance>) => Promise<InstanceList>,
): Promise<Finding> {
  const lists = listsOf(list);
  if (lists.length < 2) return ok(CHECK, 'one has all, says the adapter');
  const inWhich = new Map<string, string[]>();
  const counts: string[] = [];
  for (const one of lists) {
    const read = await attempt(() => readAlone(one));
    if ('fault' in read) return fault(CHECK, `${one.path}: ${wordsOf(read.fault)}`);
    const { instances } = read.value;
    counts.push(`${instances.length} at ${one.path}`);
    for (const { id } of instances) inWhich.set(id, [...(inWhich.get(id) ?? []), one.path]);
  }
  const twice = [...inWhich].filter(([, paths]) => paths.length > 1).map(([id]) => id);
  return twice.length > 0
    ? doubt(CHECK, `${few(twice)}: stands in more than one, so that a call may read what another has read`)
    : ok(CHECK, counts.join(', '));
}
