import type { Adapter, Lists, ServiceRead, Write } from './adapter.ts';
import { instanceSchema, LEFT_OUT_IF_ODD } from './instance.ts';
import { listsOf } from './read-list.ts';
import type { Instance, WriteAnswer } from './service.ts';
import { atOnce, type LeaveOut, readRecord } from './unreadable.ts';

/**
 * An adapter from outside of the bot, whose instances are read by their schema once more: that it keeps its types nobody has checked, and
 * what it gives is kept and shared by all processes.
 */
export function checkedAdapter(adapter: Adapter): Adapter {
  const { list, one, power, force = {}, remove } = adapter.instances;
  const { stop, restart } = force;
  return {
    ...adapter,
    instances: {
      ...adapter.instances,
      list: checkedLists(list),
      one: (id) => checkedRead(one(id)),
      power: (id, verb) => checkedWrite(power(id, verb)),
      ...(adapter.instances.force
        ? {
            force: {
              ...(stop ? { stop: (id: string) => checkedWrite(stop(id)) } : {}),
              ...(restart ? { restart: (id: string) => checkedWrite(restart(id)) } : {}),
            },
          }
        : {}),
      ...(remove ? { remove: (id: string) => checkedWrite(remove(id)) } : {}),
    },
  };
}

function checkedLists(lists: Lists<Instance>): Lists<Instance> {
  const [first, ...others] = listsOf(lists).map(({ item, ...list }) => ({
    ...list,
    item: (record: unknown, leaveOut?: LeaveOut) => checked(item(record, leaveOut), leaveOut),
  }));
  return first ? [first, ...others] : lists;
}

function checkedRead({ decode, ...read }: ServiceRead<Instance>): ServiceRead<Instance> {
  return { ...read, decode: (answer, leaveOut) => checked(decode(answer, leaveOut), leaveOut) };
}

const ESSENTIAL = Object.keys(instanceSchema.shape).filter((field) => !LEFT_OUT_IF_ODD.includes(field));

function checked(given: Instance, leaveOut: LeaveOut | undefined): Instance {
  return readRecord(instanceSchema, atOnce(given), ESSENTIAL, leaveOut);
}

/** An answer of which nothing was read is one that says nothing. */
function checkedWrite({ decode, ...write }: Write<WriteAnswer>): Write<WriteAnswer> {
  return { ...write, decode: (answer) => decode(answer) ?? {} };
}
