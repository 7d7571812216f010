import type { Adapter, ListRead, ServiceRead, Write } from '../../../src/platform/hosting/adapter.ts';
import { baseOf } from '../../../src/platform/hosting/address.ts';
import type { Answer } from '../../../src/platform/hosting/answer.ts';
import type { Headers } from '../../../src/platform/hosting/auth.ts';
import type { Example, ExampleAnswer, Examples, Pages } from '../../../src/platform/hosting/examples.ts';
import type { Paging, PageCursor } from '../../../src/platform/hosting/paging.ts';
import { listsOf } from '../../../src/platform/hosting/read-list.ts';
import {
  FORCIBLE,
  type HostingService,
  type PageRef,
  POWERS,
} from '../../../src/platform/hosting/service.ts';

/** A call as a double gets it: its whole path with its query, its body as it was sent, its headers by their names in small letters. */
export interface Call extends PageRef {
  readonly method: string;
  readonly body: string;
  readonly headers: Headers;
}

/** A call that the examples answer, with those of its headers that its adapter names. */
interface Route {
  readonly call: Call;
  readonly answer: ExampleAnswer;
}

/** How many transactions are asked for at once. */
export const PER_PAGE = 50;

/** Whether a call that came is the one that an adapter builds: some services tell their calls apart by a header alone. */
export function isSameCall(built: Call, came: Call): boolean {
  const keyOf = ({ method, path, range = '', body }: Call): string => [method, path, range, body].join(' ');
  return (
    keyOf(built) === keyOf(came) &&
    Object.entries(built.headers).every(([name, value]) => came.headers[name] === value)
  );
}

/** The call by which a read is asked for: by POST where it has a body. */
export function readCall({ body, ...ref }: PageRef, headers: Headers = {}): Call {
  return {
    ...ref,
    method: body === undefined ? 'GET' : 'POST',
    body: sentAs(body),
    headers: inSmallLetters(headers),
  };
}

function inSmallLetters(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** An example as the client hands it to an adapter. */
export function answerOf({ status = 200, headers = {}, body }: ExampleAnswer): Answer {
  return { status, headers: inSmallLetters(headers), body };
}

/** The answer to one of several verbs. */
function exampleOf<Verb extends string, Meaning>(
  each: Example<Meaning> | Readonly<Partial<Record<Verb, Example<Meaning>>>>,
  verb: Verb,
): Example<Meaning> | undefined {
  return 'means' in each ? each : each[verb];
}

/** What a page says of its list; undefined where the adapter can't read that. */
export function pagingOf(
  list: ListRead<unknown>,
  page: ExampleAnswer,
  here: PageRef,
  place: PageCursor,
): Paging | undefined {
  try {
    const answer = answerOf(page);
    return list.paging({ ...place, here, answer, count: list.items(answer.body)?.length ?? 0 });
  } catch {
    return undefined;
  }
}

/** The first page of a list, below the prefix. */
export const refOf = ({ path, post: body }: ListRead<unknown>): PageRef => ({ path, body });

/** Which page of a list is asked for where, as far as the adapter follows them. */
export function pageRefs(
  list: ListRead<unknown>,
  pages: readonly ExampleAnswer[],
  place: PageCursor,
): readonly PageRef[] {
  const refs: PageRef[] = [];
  let here: PageRef | undefined = { ...refOf(list), path: `${place.below?.path ?? ''}${list.path}` };
  for (const page of pages) {
    if (!here) break;
    refs.push(here);
    const next: Paging['next'] | undefined = pagingOf(list, page, here, place)?.next;
    here = typeof next === 'object' ? next : undefined;
  }
  return refs;
}

/** The lists of an adapter whose answers are shown, each with the pages. */
export function listsShown(
  { instances, billing, addons: ofAddons }: Adapter,
  { list, otherLists = [], charges, bills, transactions, addons }: Examples,
): readonly { readonly name: string; readonly list: ListRead<unknown>; readonly pages: Pages<unknown> }[] {
  const ofInstances = listsOf(instances.list).map((one, nth) => ({
    name: nth === 0 ? 'list' : `list ${nth + 1}`,
    list: one,
    pages: [list, ...otherLists][nth] ?? [],
  }));
  const postpaid = billing?.kind === 'postpaid' ? billing : undefined;
  const prepaid = billing?.kind === 'prepaid' ? billing : undefined;
  const ofMoney = [
    { name: 'charges', list: postpaid?.charges, pages: charges },
    { name: 'bills', list: postpaid?.bills, pages: bills },
    { name: 'transactions', list: prepaid?.transactions?.(1, PER_PAGE), pages: transactions },
    { name: 'add-ons', list: ofAddons?.list, pages: addons?.list },
  ].flatMap(({ name, list: one, pages }) => (one && pages ? [{ name, list: one, pages }] : []));
  return [...ofInstances, ...ofMoney];
}

/** The single reads whose answers are shown. */
export function readsShown(
  { instances, billing }: Adapter,
  examples: Examples,
): readonly {
  readonly name: string;
  readonly read: ServiceRead<unknown>;
  readonly answer: ExampleAnswer & { readonly means?: unknown };
}[] {
  const { one, action, actions, begun, balance, usage, spending } = examples;
  const { id } = one.means;
  const postpaid = billing?.kind === 'postpaid' ? billing : undefined;
  const prepaid = billing?.kind === 'prepaid' ? billing : undefined;
  return [
    { name: 'one', read: instances.one(id), answer: one },
    { name: 'action', read: action && instances.action?.(action.id), answer: action?.running },
    {
      name: 'several actions',
      read: actions && instances.actions?.of(actions.means.map((each) => each.id)),
      answer: actions,
    },
    { name: 'begun', read: instances.begun?.(id), answer: begun },
    { name: 'balance', read: prepaid?.balance, answer: balance },
    { name: 'usage', read: prepaid?.usage, answer: usage },
    { name: 'this month', read: postpaid?.spending, answer: spending },
  ].flatMap(({ name, read, answer }) => (read && answer ? [{ name, read, answer }] : []));
}

/** What can be asked of an instance or an add-on, with its answer where one is shown. */
interface ShownWrite {
  readonly name: string;
  /** What it is asked of. */
  readonly id: string;
  /** The same of another. */
  readonly of: (id: string) => Write<object | undefined>;
  readonly ask: (hosting: HostingService) => Promise<object | undefined>;
  readonly answer: Example<object> | undefined;
}

export function writesShown(
  { instances, addons: ofAddons }: Adapter,
  { one, power, force, remove, addons }: Examples,
): readonly ShownWrite[] {
  const { id } = one.means;
  const shown: ShownWrite[] = POWERS.map((verb) => ({
    name: verb,
    id,
    of: (other: string) => instances.power(other, verb),
    ask: (hosting) => hosting.powerInstance(id, verb),
    answer: exampleOf(power, verb),
  }));
  for (const verb of FORCIBLE) {
    const of = instances.force?.[verb];
    const ask = (hosting: HostingService) => hosting.forceInstance(id, verb);
    if (of) shown.push({ name: `force-${verb}`, id, of, ask, answer: force && exampleOf(force, verb) });
  }
  if (instances.remove) {
    const ask = (hosting: HostingService) => hosting.deleteInstance(id);
    shown.push({ name: 'remove', id, of: instances.remove, ask, answer: remove });
  }
  const { add, remove: removeAddon } = ofAddons ?? {};
  if (add) {
    const { type = '', tier } = addons?.add ?? {};
    const asked = { type, ...(tier === undefined ? {} : { tier }) };
    shown.push({
      name: 'adding an add-on',
      id,
      of: (other) => add(other, asked),
      ask: (hosting) => hosting.addAddon(id, asked),
      answer: addons?.add,
    });
  }
  if (removeAddon) {
    const addonId = addons?.list[0]?.means[0]?.id ?? '';
    const ask = (hosting: HostingService) => hosting.removeAddon(addonId);
    shown.push({ name: 'removing an add-on', id: addonId, of: removeAddon, ask, answer: addons?.remove });
  }
  return shown;
}

/**
 * Each call that the examples answer. `url`: where the double is; `key`: what of it stands in paths is filled in. Of two for one call
 * the first counts, and one that names headers before one that names none.
 */
export function routesOf(
  adapter: Adapter,
  examples: Examples,
  { url, key }: { readonly url: string; readonly key: string },
): readonly Route[] {
  const place = placeOf(adapter, url);
  const at = (path: string): string => filledIn(`${place.below?.path ?? ''}${path}`, adapter, key);
  const ofLists = listsShown(adapter, examples).flatMap(({ list, pages }) =>
    pageRefs(list, pages, place).flatMap((ref, nth) => {
      const path = filledIn(ref.path, adapter, key);
      const answer = pages[nth];
      return answer ? [{ call: readCall({ ...ref, path }, list.headers), answer }] : [];
    }),
  );
  const ofReads = readsShown(adapter, examples).map(({ read, answer }) => ({
    call: readCall({ path: at(read.path), body: read.post }, read.headers),
    answer,
  }));
  const ofWrites = writesShown(adapter, examples).flatMap(({ id, of, answer }) =>
    answer ? [{ call: writeCall(of(id), at), answer }] : [],
  );
  const named = ({ call }: Route): number => Object.keys(call.headers).length;
  return [...ofLists, ...ofReads, ...ofWrites].toSorted((one, other) => named(other) - named(one));
}

function writeCall({ method, path, body, headers = {} }: Write<unknown>, at: (path: string) => string): Call {
  return { method, path: at(path), body: sentAs(body), headers: inSmallLetters(headers) };
}

/** A path with what of the key stands in it, as the service gets it. */
export function filledIn(path: string, { auth }: Adapter, key: string): string {
  const parts = Object.entries(auth?.inPath?.(key) ?? {});
  return parts.reduce(
    (filled, [name, value]) =>
      filled.replaceAll(`{${name}}`, value).replaceAll(encodeURIComponent(`{${name}}`), value),
    path,
  );
}

/** A body as it is sent. */
function sentAs(body: unknown): string {
  if (body === undefined) return '';
  return body instanceof URLSearchParams ? body.toString() : JSON.stringify(body);
}

/** Where a double is, as a client sees it. */
export function placeOf({ prefix }: Adapter, url: string): PageCursor {
  const { origin, path } = baseOf(url, prefix);
  return { origin, below: { path, prefix } };
}
