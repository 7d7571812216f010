import { isDeepStrictEqual } from 'node:util';
import type { ListRead } from '../../../src/platform/hosting/adapter.ts';
import type { ExampleAnswer, Examples } from '../../../src/platform/hosting/examples.ts';
import { listsOf } from '../../../src/platform/hosting/read-list.ts';
import type { Instance } from '../../../src/platform/hosting/service.ts';
import { attempt, fault, few, type Finding, notTried, ok, wordsOf } from '../finding.ts';
import type { Saying } from './double.ts';
import { differencesOfAll } from './meant.ts';
import { type Played, same } from './played.ts';
import { answerOf, filledIn, isSameCall, pageRefs, pagingOf, placeOf, readCall, refOf } from './routes.ts';

const MEANT = 'list as meant';
const AGAIN = 'one comes again';
const GONE = 'one goes away';

/** Whether each record of each page is read, in order, as what it means. */
export async function listAsMeant({ hosting, examples }: Played): Promise<Finding> {
  const read = await attempt(() => hosting.listInstances());
  if ('fault' in read) return fault(MEANT, wordsOf(read.fault));
  const { instances, incomplete } = read.value;
  const meant = meantIn([...examples.list, ...(examples.otherLists ?? []).flat()]);
  const lost = meant.filter(({ id }) => !instances.some((one) => one.id === id)).map(({ id }) => id);
  if (lost.length > 0)
    return fault(MEANT, `${few(lost)}: is on a page of the examples and not in the list that was read`);
  if (incomplete) return fault(MEANT, 'the list is read as one that may have more than the examples');
  return same(MEANT, differencesOfAll(meant, instances), `${meant.length}, each as meant and in order`);
}

/** Whether each of several lists has an example, without which none of them is read. */
export function listsAsShown({ adapter, examples }: Played): readonly Finding[] {
  const [lists, shown] = [listsOf(adapter.instances.list).length, 1 + (examples.otherLists ?? []).length];
  if (shown > lists) return [fault(`list ${lists + 1}`, 'has an example, and the adapter has no such list')];
  return Array.from({ length: lists - shown }, (_, nth) => `list ${shown + nth + 1}`).map((name) =>
    fault(name, `there is no example of ${name}, which may be an empty page`),
  );
}

/** What the bot lists of some pages: not what is deleted. */
function meantIn(pages: Examples['list']): Examples['list'][number]['means'] {
  return pages.flatMap(({ means }) => means).filter(({ status }) => status !== 'deleted');
}

/** A list that changes while it is read: whether nothing is lost, and nothing is there twice. */
export async function shiftingList(played: Played): Promise<readonly Finding[]> {
  const { adapter, examples, double } = played;
  const [list] = listsOf(adapter.instances.list);
  const [first, second] = examples.list;
  if (!list || !first || !second)
    return [AGAIN, GONE].map((check) => notTried(check, 'the examples have one page'));
  const refs = pageRefs(list, [first, second], placeOf(adapter, double.url));
  const [one, two] = refs.map((ref) =>
    readCall({ ...ref, path: filledIn(ref.path, adapter, double.key) }, list.headers),
  );
  const [before, after] = [recordsOf(list, first), recordsOf(list, second)];
  if (!one || !two || before.length === 0 || after.length === 0)
    return [AGAIN, GONE].map((check) => fault(check, 'the second page is not asked for'));
  const again = withRecords(list, second, [before.at(-1), ...after]);
  const saidAgain: Saying = (call) => (isSameCall(two, call) ? again : undefined);
  const findings = [again ? await readWhile(played, AGAIN, saidAgain) : notTried(AGAIN, 'no list is found')];
  const [moved, shorter] = [
    oneLess(played, list, withRecords(list, first, [...before.slice(1), after[0]])),
    oneLess(played, list, withRecords(list, second, after.slice(1))),
  ];
  if (!moved || !shorter)
    return [...findings, notTried(GONE, 'the list has no total, so it must not shift: a cursor does not')];
  let times = 0;
  const saidGone: Saying = (call) => {
    if (isSameCall(two, call)) return shorter;
    if (!isSameCall(one, call)) return undefined;
    times += 1;
    return times > 1 ? moved : undefined;
  };
  return [...findings, await readWhile(played, GONE, saidGone)];
}

async function readWhile(
  { hosting, double, examples }: Played,
  check: string,
  saying: Saying,
): Promise<Finding> {
  const read = await attempt(() => double.during(saying, () => hosting.listInstances()));
  if ('fault' in read) return fault(check, wordsOf(read.fault));
  const ids = read.value.instances.map(({ id }) => id);
  const lost = meantIn(examples.list)
    .filter(({ id }) => !ids.includes(id))
    .map(({ id }) => id);
  if (lost.length > 0) return fault(check, `${few(lost)}: is lost where the list shifts while it is read`);
  return new Set(ids).size < ids.length
    ? fault(check, 'an instance is in the list twice')
    : ok(check, `${ids.length} instances, each once`);
}

function recordsOf(list: ListRead<Instance>, page: ExampleAnswer): readonly unknown[] {
  try {
    return list.items(page.body) ?? [];
  } catch {
    return [];
  }
}

/** A page with other records in place of its own; undefined where its list is none of its body. */
function withRecords(
  list: ListRead<Instance>,
  page: ExampleAnswer,
  records: readonly unknown[],
): ExampleAnswer | undefined {
  const own = recordsOf(list, page);
  const changed = (value: unknown): unknown => {
    if (isDeepStrictEqual(value, own)) return records;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, changed(inside)]));
  };
  const body = changed(page.body);
  return isDeepStrictEqual(body, page.body) ? undefined : { ...page, body };
}

/** A page that says of the whole list that it has one less; undefined where it doesn't say how many. */
function oneLess(
  { adapter, double }: Played,
  list: ListRead<Instance>,
  page: ExampleAnswer | undefined,
): ExampleAnswer | undefined {
  if (!page) return undefined;
  const totalOf = (one: ExampleAnswer): number | undefined =>
    pagingOf(list, one, refOf(list), placeOf(adapter, double.url))?.total;
  const total = totalOf(page);
  if (total === undefined) return undefined;
  const lessIn = (value: unknown): unknown => {
    if (value === total) return total - 1;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, lessIn(inside)]));
  };
  const headers = Object.entries(answerOf(page).headers).map(
    ([name, value]) => [name, value === String(total) ? String(total - 1) : value] as const,
  );
  const less = { ...page, headers: Object.fromEntries(headers), body: lessIn(page.body) };
  return totalOf(less) === total - 1 ? less : undefined;
}
