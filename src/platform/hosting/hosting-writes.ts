import type { EndpointName, HostingAdapter } from './adapters/instance-hosting.ts';
import type { Endpoints } from './endpoints.ts';
import { errorOfBody } from './errors.ts';
import { at, oneIn, renamed, statusOf } from './read.ts';
import { addonFrom } from './records.ts';
import type { Answer } from './request.ts';
import type { HostingWrites, WriteAnswer, WriteOptions } from './service.ts';

/** What changes something, each sent at most once. `forget` is called before and after: what was read may be old then. */
export function createHostingWrites(
  { adapter, requester, callOf }: Endpoints,
  forget: () => void,
): HostingWrites {
  const write = (
    name: EndpointName,
    doing: string,
    id: string,
    options: WriteOptions = {},
    body?: unknown,
  ): Promise<Answer> => {
    forget();
    return requester
      .write({
        ...callOf(name, doing, id),
        beforeSend: options.beforeSend,
        hasTurn: options.hasTurn ?? false,
        ...(body === undefined ? {} : { body }),
      })
      .finally(forget);
  };

  return {
    powerInstance: async (instanceId, power, options) => {
      const doing = `asking for ${power} of instance ${instanceId}`;
      return writeAnswer(adapter, doing, await write(power, doing, instanceId, options));
    },

    deleteInstance: async (instanceId, options) => {
      const doing = `deleting instance ${instanceId}`;
      return writeAnswer(adapter, doing, await write('deleteInstance', doing, instanceId, options));
    },

    addAddon: async (instanceId, addon, options) => {
      const doing = `adding an add-on to instance ${instanceId}`;
      const body = { addon_type: addon.type, ...(addon.tier === undefined ? {} : { tier: addon.tier }) };
      const record = oneIn(adapter, (await write('addAddon', doing, instanceId, options, body)).body);
      return record && addonFrom(record, doing);
    },

    removeAddon: async (addonId, options) => {
      const doing = `removing add-on ${addonId}`;
      const record = oneIn(adapter, (await write('removeAddon', doing, addonId, options)).body);
      return record && addonFrom(record, doing);
    },
  };
}

function writeAnswer(adapter: HostingAdapter, doing: string, answer: Answer): WriteAnswer {
  // A page of a proxy with status 200 says nothing about the instance.
  if (typeof answer.body === 'string') throw errorOfBody(doing, 'no JSON in the answer');
  // An action object's own status isn't the instance's: only a record of the instance counts.
  const record = oneIn(adapter, answer.body);
  const isInstance = record && ('name' in record || 'can_start' in record);
  const word = isInstance ? at(renamed(adapter, record), 'status') : undefined;
  return typeof word === 'string' ? { status: statusOf(adapter, word) } : {};
}
