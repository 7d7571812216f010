import { z } from 'zod';
import type { Adapter, Lists, ServiceRead, Write } from './adapter.ts';
import { instanceSchema, LEFT_OUT_IF_ODD } from './instance.ts';
import { listsOf } from './read-list.ts';
import type { Instance, WriteAnswer } from './service.ts';
import { atOnce, type LeaveOut, readRecord } from './unreadable.ts';

/** The version of `lamplighter/adapter` that this bot has. */
export const ADAPTER_VERSION = 1;

const call = z.custom<(...given: never[]) => unknown>((value) => typeof value === 'function', {
  error: 'must be a function',
});
const line = z
  .string('must be a text')
  .regex(/^[^\r\n]{1,200}$/, 'must be one line of at most 200 characters');
const readShape = z.strictObject({
  path: z.string().regex(/^\//, 'must begin with /'),
  post: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  decode: call,
});
const listShape = z.strictObject({
  path: readShape.shape.path,
  post: readShape.shape.post,
  headers: readShape.shape.headers,
  items: call,
  item: call,
  paging: call,
});
const asked = z.enum(['start', 'stop', 'restart', 'force-stop', 'force-restart']);

/** Of each thing, the schema for each of its fields: one that is missing here doesn't compile. */
type Fields<Thing> = Record<keyof Thing, z.ZodType>;
type Billing<Kind> = Extract<NonNullable<Adapter['billing']>, { readonly kind: Kind }>;

const instances: Fields<Adapter['instances']> = {
  leavesOut: line.optional(),
  list: z.preprocess((given) => [given].flat(), z.array(listShape).min(1)),
  one: call,
  power: call,
  force: z.strictObject({ stop: call.optional(), restart: call.optional() }).optional(),
  remove: call.optional(),
  action: call.optional(),
  actions: z.strictObject({ most: z.int().positive(), of: call }).optional(),
  actionProves: z.array(asked).optional(),
  begun: call.optional(),
};
const prepaid: Fields<Billing<'prepaid'>> = {
  kind: z.literal('prepaid'),
  unit: z
    .string()
    .regex(/^[\p{L}\p{N}$€£¥. -]{1,20}$/u, 'must be a short word like credits')
    .optional(),
  balance: readShape.optional(),
  atZero: z.strictObject({ does: line, deletes: line.optional(), resumes: z.boolean() }).optional(),
  pausedFor: call.optional(),
  usage: readShape.optional(),
  transactions: call.optional(),
};
const postpaid: Fields<Billing<'postpaid'>> = {
  kind: z.literal('postpaid'),
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be a code like USD'),
  spending: readShape,
  charges: listShape.optional(),
  bills: listShape.optional(),
};
const deletes = { takes: z.array(line), leaves: line, inShort: line };
const adapterShape: Fields<Adapter> = {
  version: z
    .literal(ADAPTER_VERSION, `must be ${ADAPTER_VERSION}, which is what this bot has of lamplighter/adapter`)
    .optional(),
  name: line,
  origin: z
    .url({ protocol: /^https?$/, error: 'must be an address like https://api.example.com' })
    .optional(),
  prefix: z.string().regex(/^(?:\/[\w.~-]+)*$/, 'must be a path like /v1, or empty'),
  limit: z.strictObject({ requests: z.int().positive(), seconds: z.number().positive() }),
  auth: z.strictObject({ headers: call, inPath: call.optional(), session: call.optional() }).optional(),
  instances: z.strictObject(instances),
  deletion: z.union([
    z.strictObject({ ...deletes, onlyStopped: z.literal(true).optional() }),
    z.strictObject({ ...deletes, atEndOf: line }),
    z.strictObject({ notOffered: line }),
  ]),
  stoppedCosts: line.optional(),
  consoleUrl: z
    .string()
    .regex(/^https:\/\/[^\s{}]+\{id\}[^\s{}]*$/, 'must be like https://console.example.com/servers/{id}')
    .optional(),
  addons: z.strictObject({ list: listShape, add: call.optional(), remove: call.optional() }).optional(),
  billing: z.discriminatedUnion('kind', [z.strictObject(prepaid), z.strictObject(postpaid)]).optional(),
  faultOf: call.optional(),
  isError: call.optional(),
  sentenceOf: call.optional(),
  readBody: call.optional(),
  showsWithinMs: z.number().nonnegative(),
};
const moduleShape = z.object({ adapter: z.strictObject(adapterShape) });

/**
 * The adapter that a module exports, or what is wrong with it: each field by its name, and nothing of what stands in it. Pure.
 */
export function adapterIn(
  loaded: unknown,
): { readonly adapter: Adapter } | { readonly faults: readonly string[] } {
  const parsed = moduleShape.safeParse(loaded, { reportInput: true });
  // It is code of this deployment: that its functions keep their types is its compiler's.
  if (parsed.success) return loaded as { readonly adapter: Adapter };
  return { faults: parsed.error.issues.slice(0, 5).map(wordsOf) };
}

function wordsOf(issue: z.core.$ZodIssue): string {
  const { path, code, message, input } = issue;
  const where = path.join('.');
  if (code === 'unrecognized_keys') return `${where} has ${issue.keys.join(', ')}, which I don't know`;
  if (input === undefined) return `${where} is missing`;
  return message.startsWith('must ') ? `${where} ${message}` : `${where} is not what it must be`;
}

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
