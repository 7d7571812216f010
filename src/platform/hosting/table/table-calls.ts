import type { Adapter, ListRead, Write } from '../adapter.ts';
import type { Answer } from '../answer.ts';
import { mustBeAbout } from '../readers.ts';
import type { Addon, WriteAnswer } from '../service.ts';
import { Unreadable } from '../unreadable.ts';
import { readPaging } from './next-page.ts';
import {
  addonFrom,
  balanceFrom,
  instanceFrom,
  pausedByBalance,
  transactionFrom,
  usageFrom,
} from './records.ts';
import {
  at,
  isObject,
  listIn,
  oneIn,
  renamed,
  statusOf,
  type EndpointName,
  type ServiceTable,
} from './service-table.ts';

/** The calls of a service that a table describes. */
export function tableCalls(table: ServiceTable): Pick<Adapter, 'instances' | 'addons' | 'billing'> {
  const pathOf = (name: EndpointName, id = ''): string =>
    table.endpoints[name].replace(':id', encodeURIComponent(id));
  const list = <T>(path: string, item: ListRead<T>['item']): ListRead<T> => ({
    path,
    items: (body) => listIn(table, body),
    item,
    paging: ({ here, answer, count, ...place }) => readPaging(table, place, here, answer, count),
  });
  const power =
    (id: string) =>
    (answer: Answer): WriteAnswer =>
      writeAnswerOf(table, answer, id);
  const addonIn = (answer: Answer): Addon | undefined => {
    if (saysNothing(answer)) return undefined;
    const record = oneIn(table, answer.body);
    if (record === undefined) throw new Unreadable('no add-on in the answer');
    return addonFrom(record);
  };
  return {
    instances: {
      list: list(pathOf('listInstances'), (record, leaveOut) => instanceFrom(table, record, leaveOut)),
      one: (id) => ({
        path: pathOf('getInstance', id),
        decode: ({ body }, leaveOut) => {
          const record = oneIn(table, body);
          if (record === undefined) throw new Unreadable('no instance in the answer');
          return instanceFrom(table, record, leaveOut);
        },
      }),
      power: (id, verb) => ({ method: 'POST', path: pathOf(verb, id), decode: power(id) }),
      remove: (id) => ({ method: 'DELETE', path: pathOf('deleteInstance', id), decode: power(id) }),
    },
    addons: {
      list: list(pathOf('listAddons'), addonFrom),
      add: (instanceId, { type, tier }): Write<Addon | undefined> => ({
        method: 'POST',
        path: pathOf('addAddon', instanceId),
        body: { addon_type: type, tier },
        decode: (answer) => {
          const addon = addonIn(answer);
          mustBeAbout(instanceId, addon?.instanceId);
          mustBeAbout(type, addon?.type);
          return addon;
        },
      }),
      remove: (addonId) => ({
        method: 'DELETE',
        path: pathOf('removeAddon', addonId),
        decode: (answer) => {
          const addon = addonIn(answer);
          mustBeAbout(addonId, addon?.id);
          return addon;
        },
      }),
    },
    billing: {
      kind: 'prepaid',
      balance: {
        path: pathOf('getBalance'),
        decode: ({ body }, leaveOut) => balanceFrom(table, body, leaveOut),
      },
      atZero: table.atZero,
      pausedFor: (instance, balance) => pausedByBalance(table, instance, balance),
      usage: { path: pathOf('getUsage'), decode: ({ body }, leaveOut) => usageFrom(body, leaveOut) },
      transactions: (page, perPage) =>
        list(`${pathOf('listTransactions')}?page=${page}&per_page=${perPage}`, transactionFrom),
    },
  };
}

/** With these the service takes a change and may show nothing of it, not even later. */
const SILENT = [202, 204];

/** Whether an answer has nothing in it, as the service may answer a change. */
function saysNothing({ status, body }: Answer): boolean {
  const isEmpty = body === undefined || (isObject(body) && Object.keys(body).length === 0);
  return isEmpty && SILENT.includes(status);
}

/** A record of the instance, an action on it, or nothing. Throws Unreadable: anything else is no success. */
function writeAnswerOf(table: ServiceTable, answer: Answer, id: string): WriteAnswer {
  if (saysNothing(answer)) return {};
  const record = oneIn(table, answer.body);
  const isInstance = record !== undefined && ('name' in record || 'can_start' in record);
  if (record === undefined || (!isInstance && String(record['id']) !== id)) {
    mustBeAction(table, answer.body, id);
    return {};
  }
  mustBeAbout(id, record['id']);
  // An action object's own status isn't the instance's: only a record of the instance counts.
  const word = isInstance ? at(renamed(table, record), 'status') : undefined;
  return typeof word === 'string' ? { status: statusOf(table, word) } : {};
}

/** Throws Unreadable where there is no action on that instance in the answer, or one that has failed. */
function mustBeAction({ actionAt }: ServiceTable, body: unknown, id: string): void {
  const found = actionAt.places.map((place) => at(body, place)).find((one) => isObject(one) && 'id' in one);
  if (!actionAt.names.some((name) => at(found, name) !== undefined))
    throw new Unreadable('no record of it in the answer');
  for (const name of actionAt.subject) mustBeAbout(id, at(found, name));
  if (/err|fail/i.test(String(at(found, 'status')))) throw new Unreadable('an action that failed');
}
