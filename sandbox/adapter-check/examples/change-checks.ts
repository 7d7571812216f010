import { setImmediate as otherWork } from 'node:timers/promises';
import type { Adapter, ListRead } from '../../../src/platform/hosting/adapter.ts';
import { isOwnError } from '../../../src/platform/hosting/errors.ts';
import type { Example, ExampleAnswer, Examples } from '../../../src/platform/hosting/examples.ts';
import { instanceSchema } from '../../../src/platform/hosting/instance.ts';
import type { AskedPage, PageCursor } from '../../../src/platform/hosting/paging.ts';
import { Unreadable } from '../../../src/platform/hosting/unreadable.ts';
import { fault, few, type Finding, ok } from '../finding.ts';
import { type Change, changesOf, WORD } from './changes.ts';
import { createFieldsRead, type FieldsRead } from './fields-read.ts';
import { inWords } from './meant.ts';
import { decoded } from './read-checks.ts';
import {
  answerOf,
  listsShown,
  pageRefs,
  pagingOf,
  placeOf,
  readsShown,
  refOf,
  writesShown,
} from './routes.ts';

/** What is read of an answer, as far as it must be so whatever the answer says. */
type Read = Readonly<Record<string, unknown>>;

const AMOUNT = /^-?\d+(?:\.\d+)?$/;
const AMOUNTS = [
  'credits',
  'dailyCostCredits',
  'monthSoFar',
  'owedBefore',
  'amount',
  'size',
  'owedAfter',
  'amountCredits',
  'balanceAfterCredits',
  'dailyCredits',
  'dailyTotalCredits',
];
const STATES: readonly unknown[] = ['running', 'done', 'failed'];

/**
 * Each answer with one thing changed: an adapter reads it or throws Unreadable, and takes no word that it doesn't know for one that
 * it knows. What else it reads there than the examples mean is told by name.
 */
export async function changedAnswers(
  adapter: Adapter,
  examples: Examples,
  url: string,
): Promise<readonly Finding[]> {
  const place = placeOf(adapter, url);
  const findings: Finding[] = [];
  const fields = createFieldsRead();
  for (const { name, list, pages } of listsShown(adapter, examples)) {
    const refs = pageRefs(list, pages, place);
    for (const [nth, page] of pages.entries()) {
      await otherWork();
      findings.push(...changedPage(name, list, page, { ...place, here: refs[nth] ?? refOf(list) }, fields));
    }
  }
  for (const { name, read, answer } of readsShown(adapter, examples)) {
    await otherWork();
    const hear = fields.of(name, answer.means);
    findings.push(
      play(name, answer, ({ body }) => recordsIn(read.decode(answerOf({ ...answer, body }))), hear),
    );
  }
  for (const { name, id, of, answer } of writesShown(adapter, examples)) {
    if (!answer) continue;
    await otherWork();
    const { decode } = of(id);
    findings.push(play(name, answer, ({ body }) => recordsIn(decode(answerOf({ ...answer, body })))));
  }
  return [...joined(findings), ...fields.unmeant(), changedRefusals(adapter, examples)];
}

/** What was read of one answer, each record by itself. */
function recordsIn(read: unknown): readonly Read[] {
  const isPage = typeof read === 'object' && read !== null && 'actions' in read;
  return [isPage ? read.actions : read].flat() as Read[];
}

type Here = PageCursor & Pick<AskedPage, 'here'>;

function changedPage(
  name: string,
  list: ListRead<unknown>,
  page: Example<unknown>,
  here: Here,
  fields: FieldsRead,
): readonly Finding[] {
  const check = `changed ${name}`;
  const read = once(decoded(() => list.items(page.body)) ?? [], (record) =>
    readOrNothing(() => list.item(record) as Read),
  );
  const played = ({ body }: Change): readonly Read[] => {
    const records = list.items(body) ?? [];
    list.paging({ ...here, answer: answerOf({ ...page, body }), count: records.length });
    return records.flatMap(read);
  };
  const changed = play(name, page, played, fields.of(name, page.means));
  const paging = pagingOf(list, page, here.here, here);
  if (!paging) return [changed, fault(check, 'where it goes on can not be read, unchanged either')];
  if (typeof paging.next !== 'object') return [changed];
  const ends = Object.keys(page.headers ?? {}).filter((header) => {
    const odd = { ...page, headers: { ...page.headers, [header]: WORD } };
    const { next, total } = pagingOf(list, odd, here.here, here) ?? {};
    return next === 'last' && total === undefined;
  });
  const faults = ends.map((header) => fault(check, `${header}: ${WORD}: is read as the last page of all`));
  return [changed, ...faults];
}

/** One line for each name: several pages of a list are one list. */
function joined(findings: readonly Finding[]): readonly Finding[] {
  const first = new Map<string, Finding>();
  for (const one of findings) if (first.get(one.check)?.level !== 'fault') first.set(one.check, one);
  return [...first.values()];
}

/** `hear`: gets whatever was read of it, changed or not. */
function play(
  name: string,
  example: ExampleAnswer,
  read: (change: Change) => readonly Read[],
  hear: (read: Read | undefined) => void = () => undefined,
): Finding {
  const check = `changed ${name}`;
  const usual = asUsual(() => read({ body: example.body, what: '' }));
  usual.forEach(hear);
  const odd: string[] = [];
  let count = 0;
  for (const change of changesOf(example.body)) {
    count += 1;
    try {
      const found = read(change);
      const isWhole = found.length === usual.length;
      for (const [nth, one] of found.entries()) {
        if (isWhole && one === usual[nth] && one !== undefined) continue;
        hear(one);
        const said = oddIn(one, isWhole ? usual[nth] : undefined, change.word);
        if (said !== undefined) odd.push(`${change.what}: ${said}`);
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) odd.push(`${change.what}: throws ${String(error)}`);
    }
  }
  return odd.length > 0 ? fault(check, few(odd)) : ok(check, `${count} answers, each read or Unreadable`);
}

/** What is wrong with what was read of a changed answer. `usual`: the same of the unchanged one; `word`: what was made of one. */
function oddIn(
  read: Read | undefined,
  usual: Read | undefined,
  word: string | undefined,
): string | undefined {
  // Some reads and writes may find nothing.
  if (read === undefined || read === null) return undefined;
  if ('statusWord' in read) {
    const wrong = instanceSchema.safeParse(read).error?.issues.map(({ path }) => path.join('.'));
    if (wrong) return `${few([...new Set(wrong)])} is not what an instance has`;
  }
  const amount = AMOUNTS.find((field) => read[field] !== undefined && !isAmount(read[field]));
  if (amount !== undefined) return `${amount} is ${inWords(read[amount])}, which is no amount`;
  if ('state' in read && !STATES.includes(read['state'])) return 'state is not what an action has';
  if ('startedAt' in read && !Number.isFinite(read['startedAt'])) return 'startedAt is no time';
  if (word === undefined || usual === undefined) return undefined;
  const { does } = read;
  if (does !== undefined && does !== usual['does']) return `is read as ${inWords(does)}`;
  const isNewState = read['state'] !== usual['state'] && read['state'] !== 'running';
  if ('state' in read && isNewState) return `is read as ${inWords(read['state'])}`;
  const { status } = read;
  const isKnown = status !== undefined && status !== 'unknown';
  const isNewStatus = status !== usual['status'] || read['statusWord'] === word;
  // The status of an add-on is a word of the service.
  const isAnswer = ('actionId' in usual || 'status' in usual) && !('type' in usual);
  const isOfUs = 'statusWord' in read || isAnswer;
  return isOfUs && isKnown && isNewStatus ? `is read as ${inWords(status)}` : undefined;
}

/** Nothing where even the unchanged answer can't be read, which other checks tell. */
function asUsual<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read();
  } catch {
    return [];
  }
}

function isAmount(value: unknown): boolean {
  return typeof value === 'string' && AMOUNT.test(value);
}

/** Reads each of some records once: of a page on which one thing is changed, all the others are the same. */
function once<T>(
  records: readonly unknown[],
  read: (record: unknown) => readonly T[],
): (record: unknown) => readonly T[] {
  const known = new Map<unknown, readonly T[] | undefined>(records.map((record) => [record, undefined]));
  return (record) => {
    const found = known.get(record) ?? read(record);
    if (known.has(record)) known.set(record, found);
    return found;
  };
}

function readOrNothing<T>(read: () => T): readonly T[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
}

/** An error is looked at before anything is known of it, so `isError` and `faultOf` throw for none. */
function changedRefusals(adapter: Adapter, { refusals }: Examples): Finding {
  const odd: string[] = [];
  let count = 0;
  for (const { answer } of refusals)
    for (const { body, what } of changesOf(answer.body)) {
      count += 1;
      try {
        if (isOwnError(body, adapter)) adapter.faultOf?.(answerOf({ ...answer, body }));
      } catch (error) {
        odd.push(`${what}: isError or faultOf throws ${String(error)}`);
      }
    }
  return odd.length > 0
    ? fault('changed refusals', few(odd))
    : ok('changed refusals', `${count} answers, none breaks isError or faultOf`);
}
