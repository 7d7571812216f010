import type { Adapter, ListRead, Write } from '../adapter.ts';
import type { Answer } from '../answer.ts';
import type { Addon, WriteAnswer } from '../service.ts';
import { Unreadable } from '../unreadable.ts';
import { readPaging } from './next-page.ts';
import { at, listIn, oneIn, renamed, statusOf } from './read.ts';
import { addonFrom, balanceFrom, instanceFrom, transactionFrom, usageFrom } from './records.ts';
import type { EndpointName, ServiceTable } from './service-table.ts';

/** The calls of a service that a table describes. */
export function tableCalls(table: ServiceTable): Pick<Adapter, 'instances' | 'addons' | 'billing'> {
  const pathOf = (name: EndpointName, id = ''): string =>
    table.endpoints[name].replace(':id', encodeURIComponent(id));
  const list = <T>(path: string, item: (record: unknown) => T): ListRead<T> => ({
    path,
    items: (body) => listIn(table, body),
    item,
    paging: ({ origin, here, answer, count }) => readPaging(table, origin, here, answer, count),
  });
  const power = (answer: Answer): WriteAnswer => writeAnswerOf(table, answer);
  const addonIn = ({ body }: Answer): Addon | undefined => {
    const record = oneIn(table, body);
    return record && addonFrom(record);
  };
  return {
    instances: {
      list: list(pathOf('listInstances'), (record) => instanceFrom(table, record)),
      one: (id) => ({
        path: pathOf('getInstance', id),
        decode: ({ body }) => {
          const record = oneIn(table, body);
          if (record === undefined) throw new Unreadable('no instance in the answer');
          return instanceFrom(table, record);
        },
      }),
      power: (id, verb) => ({ method: 'POST', path: pathOf(verb, id), decode: power }),
      remove: (id) => ({ method: 'DELETE', path: pathOf('deleteInstance', id), decode: power }),
    },
    addons: {
      list: list(pathOf('listAddons'), addonFrom),
      add: (instanceId, { type, tier }): Write<Addon | undefined> => ({
        method: 'POST',
        path: pathOf('addAddon', instanceId),
        body: { addon_type: type, ...(tier === undefined ? {} : { tier }) },
        decode: addonIn,
      }),
      remove: (addonId) => ({ method: 'DELETE', path: pathOf('removeAddon', addonId), decode: addonIn }),
    },
    billing: {
      kind: 'prepaid',
      balance: { path: pathOf('getBalance'), decode: ({ body }) => balanceFrom(table, body) },
      usage: { path: pathOf('getUsage'), decode: ({ body }) => usageFrom(body) },
      transactions: (page, perPage) =>
        list(`${pathOf('listTransactions')}?page=${page}&per_page=${perPage}`, transactionFrom),
    },
  };
}

function writeAnswerOf(table: ServiceTable, { body }: Answer): WriteAnswer {
  // A page of a proxy with status 200 says nothing about the instance.
  if (typeof body === 'string') throw new Unreadable('no JSON in the answer');
  // An action object's own status isn't the instance's: only a record of the instance counts.
  const record = oneIn(table, body);
  const isInstance = record && ('name' in record || 'can_start' in record);
  const word = isInstance ? at(renamed(table, record), 'status') : undefined;
  return typeof word === 'string' ? { status: statusOf(table, word) } : {};
}
