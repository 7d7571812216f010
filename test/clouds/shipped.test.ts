import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ZodType } from 'zod';
import type { Examples } from '../../src/platform/hosting/examples.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import { type HostingService, type Instance, POWERS } from '../../src/platform/hosting/service.ts';
import { clientOf, faultOf } from '../hosting/answering.ts';
import type { Contract } from './shipped/contract.ts';
import { ovhcloud } from './shipped/ovhcloud.ts';
import { ovhcloudPlayed, scalewayPlayed, upcloudPlayed } from './shipped/played.ts';
import { scaleway } from './shipped/scaleway.ts';
import { upcloud } from './shipped/upcloud.ts';

const CONTRACTS: Readonly<Record<string, Contract>> = { ovhcloud, scaleway, upcloud };
const PLAYED: Readonly<Record<string, Examples>> = {
  ovhcloud: ovhcloudPlayed(),
  scaleway: scalewayPlayed(),
  upcloud: upcloudPlayed(),
};

describe.each(Object.entries(CONTRACTS))('%s by its published contract', (service, contract) => {
  const { adapter, shapes, requests, truth, records, alone, essential, id } = contract;
  const { list, otherLists = [], one: single, power, remove, refusals } = PLAYED[service]!;
  const played = [list, ...otherLists].flat();
  const { lists = played } = contract;
  const powers = 'means' in power ? [power] : Object.values(power);

  test('has the examples that its adapter is tried with', () => {
    const of: readonly (readonly [ZodType, readonly unknown[]])[] = [
      [shapes.list, [...lists, ...played].map(({ body }) => body)],
      [shapes.one, [single.body]],
      [shapes.power, powers.map(({ body }) => body)],
      [shapes.refusal, refusals.map(({ answer }) => answer.body)],
    ];
    for (const [shape, bodies] of of)
      for (const body of bodies) expect(shape.safeParse(body).error).toBeUndefined();
  });

  test('each example of its lists is read whole, with requests that it knows', async () => {
    const { hosting, asked } = clientOf(adapter, lists);
    const { instances } = await hosting.listInstances();
    const all = lists.flatMap(({ body }) => records(body)).flatMap((one) => truth(one) ?? []);
    expect(instances.map(({ id: one, name, status }) => ({ id: one, name, status }))).toEqual(
      all.filter(({ status }) => status !== 'deleted'),
    );
    expect(asked).toHaveLength(lists.length);
    for (const call of asked) expect(requests.safeParse(call).error).toBeUndefined();
  });

  test('the example of one machine is read, with a request that it knows and without a secret', async () => {
    const { hosting, asked } = clientOf(adapter, [single]);
    const found = await hosting.findInstance(id);
    expect(found).toMatchObject({ id });
    expect(JSON.stringify(found)).not.toMatch(/password|aabbccdd|c2VjcmV0/);
    for (const call of asked) expect(requests.safeParse(call).error).toBeUndefined();
  });

  test('what it can do without is left out where it is odd, and the machine is read', async () => {
    const [record] = records(single.body);
    for (const field of Object.keys(record as object)) {
      const { hosting } = clientOf(adapter, [{ body: alone({ ...(record as object), [field]: [7] }) }]);
      const found = hosting.findInstance(id);
      if (essential.includes(field))
        await expect(found, field).rejects.toMatchObject({ fault: 'unreadable' });
      else expect(await found, field).toMatchObject(truth(record)!);
    }
  });

  test('each change is a request that it knows, and its answer is taken', async () => {
    const { hosting, asked } = clientOf(adapter, [remove!, ...Array.from({ length: 5 }, () => powers[0]!)]);
    await hosting.deleteInstance(id);
    for (const verb of POWERS) await hosting.powerInstance(id, verb);
    for (const verb of hosting.about.offers.forcing) await hosting.forceInstance(id, verb);
    expect(asked.length).toBeGreaterThanOrEqual(4);
    for (const call of asked) expect(requests.safeParse(call).error).toBeUndefined();
  });

  test('each refusal is the one that it means, in the words of the service, and only a 500 leaves open what was done', async () => {
    for (const { means: fault, answer, says } of refusals) {
      const { hosting } = clientOf(adapter, [answer]);
      const outcome = fault === 'unavailable' ? 'unknown' : 'not-done';
      const told = says === undefined ? {} : { said: says };
      expect(await faultOf(hosting.powerInstance(id, 'stop'))).toMatchObject({ fault, outcome, ...told });
    }
  });

  test('an answer in which anything is something else is read for what it says, or is a fault', async () => {
    const bodies: unknown[] = [
      ...lists.map(({ body }) => body),
      single.body,
      powers[0]?.body,
      ...refusals.map(({ answer }) => answer.body),
    ];
    const seen: Instance[] = [];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...bodies), fc.nat(), fc.jsonValue(), async (body, at, odd) => {
        const changed = withOdd(body, at, odd);
        const known = new Map(records(changed).flatMap((one) => entryOf(truth(one))));
        for (const instance of await allRead(adapter, changed, id)) {
          seen.push(instance);
          const { name, status } = instance;
          expect({ name, status }).toEqual(known.get(instance.id));
        }
      }),
      { numRuns: 300 },
    );
    expect(seen.length).toBeGreaterThan(50);
  });
});

type Truth = ReturnType<Contract['truth']>;

function entryOf(one: Truth): [string, Omit<NonNullable<Truth>, 'id'>][] {
  return one ? [[one.id, { name: one.name, status: one.status }]] : [];
}

/** Every instance that any call reads in a body which is each answer; whatever a call throws must be a fault. */
async function allRead(
  adapter: Contract['adapter'],
  body: unknown,
  id: string,
): Promise<readonly Instance[]> {
  const client = (): HostingService =>
    clientOf(
      adapter,
      Array.from({ length: 30 }, () => ({ body })),
    ).hosting;
  const read: Instance[] = [];
  for (const call of [
    async () => read.push(...(await client().listInstances()).instances),
    async () => {
      const found = await client().findInstance(id);
      if (found) read.push(found);
    },
    () => client().powerInstance(id, 'restart'),
    () => client().deleteInstance(id),
    () => client().findAction(id),
    () => client().listBegun(id),
  ]) {
    const error: unknown = await call().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error !== undefined) expect(error).toBeInstanceOf(HostingError);
  }
  return read;
}

/** The same with another value, or none, in one of its places. */
function withOdd(body: unknown, at: number, odd: unknown): unknown {
  const places: (readonly string[])[] = [];
  const walk = (value: unknown, path: readonly string[]): void => {
    places.push(path);
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key]);
  };
  walk(body, []);
  return put(body, places[at % places.length]!, odd);
}

function put(value: unknown, [key, ...rest]: readonly string[], odd: unknown): unknown {
  if (key === undefined) return odd;
  if (Array.isArray(value))
    return value.map((one: unknown, nth) => (String(nth) === key ? put(one, rest, odd) : one));
  const entries = Object.entries(value as object).map(([name, inner]: [string, unknown]) =>
    name === key ? [name, put(inner, rest, odd)] : [name, inner],
  );
  return Object.fromEntries(entries);
}
