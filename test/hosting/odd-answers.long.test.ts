import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { adapter as vultr } from '../../src/platform/hosting/adapters/vultr.ts';
import type { ExampleAnswer, Examples } from '../../src/platform/hosting/examples.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import type { HostingService, Instance } from '../../src/platform/hosting/service.ts';
import { Unreadable } from '../../src/platform/hosting/unreadable.ts';
import {
  digitaloceanPlayed,
  hetznerPlayed,
  instanceHostingPlayed,
  vultrPlayed,
} from '../clouds/played-examples.ts';
import { runs } from '../support/runs.ts';
import { ECHOED_KEY, leavesOf, mutated } from './mutated.ts';
import { type Json, serviceOf, SERVICES } from './services.ts';

type Asking = readonly [what: string, valid: unknown, ask: (hosting: HostingService) => Promise<unknown>];

const PLAYED: Readonly<Record<string, Examples>> = {
  'instance-hosting': instanceHostingPlayed(),
  digitalocean: digitaloceanPlayed(),
  hetzner: hetznerPlayed(),
  vultr: vultrPlayed(),
};

/** As a service like it may answer a change. */
const AS_AN_ACTION: Asking = [
  'a restart as an action',
  { action: { id: 9, command: 'restart', resource_id: 42, status: 'ok' } },
  (hosting) => hosting.powerInstance('42', 'restart'),
];

/** The calls besides those of the list and of one, each with its valid answer, as far as the service has it. */
function askedOf({ one, power, action, ...shown }: Examples): readonly Asking[] {
  const { id } = one.means;
  const { restart: restarted = 'means' in power ? power : undefined } = power as { restart?: ExampleAnswer };
  const all: readonly (readonly [string, ExampleAnswer | undefined, Asking[2]])[] = [
    ['a restart', restarted, (hosting) => hosting.powerInstance(id, 'restart')],
    ['an action', action?.failed, (hosting) => hosting.findAction(action?.id ?? '')],
    ['several actions', shown.actions, (hosting) => hosting.findActions(['13', '14'])('14')],
    ['what was begun', shown.begun, (hosting) => hosting.listBegun(id)],
    ['the balance', shown.balance, (hosting) => hosting.getBalance()],
    ['usage', shown.usage, (hosting) => hosting.getUsage()],
    ['transactions', shown.transactions?.[0], (hosting) => hosting.listTransactions(1, 20)],
    ['this month', shown.spending, (hosting) => hosting.getSpending()],
    ['charges', shown.charges?.[0], (hosting) => hosting.listCharges()],
    ['bills', shown.bills?.[0], (hosting) => hosting.listBills()],
  ];
  return all.flatMap(([what, answer, ask]) => (answer ? [[what, answer.body, ask] as const] : []));
}

/** Where it is and what its owner marked it with, which the records above lack. */
const MARKS: Readonly<Record<string, Json>> = {
  digitalocean: { region: { slug: 'fra1' }, tags: ['env:prod'] },
  hetzner: { location: { name: 'fsn1' }, labels: { env: 'prod', kept: '' } },
  vultr: { region: 'fra', tags: ['prod'] },
};

const MONEY = /^(amount|size|owed|monthSoFar|credits|daily.*Credits|.*Credits$)/;

/** The amounts that something holds, each with the name of its field. */
function amountsIn(value: unknown, name = ''): readonly (readonly [name: string, amount: string])[] {
  if (typeof value === 'string') return MONEY.test(name) ? [[name, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => amountsIn(one, Array.isArray(value) ? name : key));
}

const plainDecimal = (text: string): string =>
  text
    .trim()
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .replace(/^-0$/, '0');

/** Whether an amount says to the digit what stands in an answer, or a number there without the residue of a sum of floats. */
function isOf(amount: string, leaf: string | number): boolean {
  if (typeof leaf === 'string') return plainDecimal(leaf) === plainDecimal(amount);
  const hasResidue = String(leaf).replace(/\D/g, '').length > 15 || /\.\d{11}/.test(String(leaf));
  const isNear = Math.abs(Number(amount) - leaf) <= Math.max(1, Math.abs(leaf)) * 2 ** -28;
  return Number(amount) === leaf ? /^\d{1,16}$|^\D|\./.test(amount) : hasResidue && isNear;
}

/** Whether an amount is what stands in an answer with more digits than can be meant, to the cent. */
function isInCents(amount: string, leaf: string | number): boolean {
  const isNear = Math.abs(Number(amount) - Number(leaf)) <= 0.005 + Math.abs(Number(leaf)) * 2 ** -50;
  return /^-?\d+\.\d\d$/.test(amount) && /\.\d{6}|e-/.test(String(leaf)) && isNear;
}

/** Credits are read to the digit, money to the cent. */
function isMoneyOf(service: string, amount: string, leaf: string | number): boolean {
  return isOf(amount, leaf) || (service !== 'instance-hosting' && isInCents(amount, leaf));
}

/** What is read as running or stopped, and as an action that is done or has failed, at each service. */
const WORDS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  'instance-hosting': {
    running: /^\s*(running|active|on|started|up|live)\s*$/i,
    stopped: /^\s*(stopped|off|offline|halted|shutoff|exited|stopped[\s_-]in[\s_-]place)\s*$/i,
  },
  digitalocean: { running: /^active$/, stopped: /^off$/, done: /^completed$/, failed: /^errored$/ },
  hetzner: { running: /^running$/, stopped: /^off$/, done: /^success$/, failed: /^error$/ },
  vultr: { running: /^running$/, stopped: /^stopped$/ },
};

function instancesIn(read: unknown): readonly Instance[] {
  const { instances = [read] } = Object(read);
  return Array.isArray(instances) ? instances.filter((one) => Object(one).statusWord !== undefined) : [];
}

describe.each(Object.entries(SERVICES))('whatever %s answers', (name, { adapter, record, list, one }) => {
  const marked = { ...record, ...MARKS[name] };
  const asked: readonly Asking[] = [
    [
      'the list',
      list([marked, { ...marked, id: adapter === vultr ? '43' : 43 }]),
      (hosting) => hosting.listInstances(),
    ],
    ['one', one(marked), (hosting) => hosting.findInstance('42')],
    ...askedOf(PLAYED[name]!),
    ...(name === 'instance-hosting' ? [AS_AN_ACTION] : []),
  ];

  test.each(asked)(
    'to %s is read as it stands there, or is a fault that names no part of it',
    async (_, valid, ask) => {
      await fc.assert(
        fc.asyncProperty(mutated(valid), async (body) => {
          const { hosting, leftOut } = serviceOf(adapter, body);
          const read: unknown = await ask(hosting).catch((thrown: unknown) => thrown);
          expect(JSON.stringify(leftOut)).not.toContain(ECHOED_KEY);
          if (read instanceof Error) {
            expect(read).toBeInstanceOf(HostingError);
            if (read.cause !== undefined) expect(read.cause).toBeInstanceOf(Unreadable);
            expect(`${read.message} ${String(read.cause)}`).not.toContain(ECHOED_KEY);
            return;
          }
          const leaves = leavesOf(body);
          for (const [field, amount] of amountsIn(read)) {
            // Its sign follows from its type.
            const signed = adapter === vultr && (field === 'amount' || field === 'size');
            const ways = signed ? [amount, plainDecimal(`-${amount}`).replace('--', '')] : [amount];
            const isSame = ways.some((way) => leaves.some((leaf) => isMoneyOf(name, way, leaf)));
            expect([field, amount, isSame]).toEqual([field, expect.stringMatching(/^-?\d+(\.\d+)?$/), true]);
          }
          for (const { id, name: called, status, statusWord, tier, region, ipAddress } of instancesIn(read)) {
            for (const text of [id, called, statusWord, tier, region, ipAddress])
              if (text !== undefined && text !== '(no name)' && text !== 'unknown')
                expect(leaves.map(String)).toContain(text);
            const word = WORDS[name]?.[status];
            if (word) expect(statusWord).toMatch(word);
          }
          const { state, actionId } = Object(read);
          if (state === 'done' || state === 'failed')
            expect(leaves.some((leaf) => WORDS[name]?.[String(state)]?.test(String(leaf)))).toBe(true);
          if (actionId !== undefined) expect(leaves.map(String)).toContain(actionId);
        }),
        { numRuns: runs(3_000) },
      );
    },
  );
});

test.each([
  [12.345, '12.345'],
  [0.30000000000000004, '0.30'],
  [-0, '0.00'],
  [1e21, undefined],
  [15e18, undefined],
])('at Vultr, pending charges of %d are %s', async (pending_charges, monthSoFar) => {
  const { hosting } = serviceOf(vultr, { account: { balance: 0, pending_charges } });
  const read = hosting.getSpending();
  if (monthSoFar !== undefined) expect(await read).toMatchObject({ monthSoFar });
  else await expect(read).rejects.toMatchObject({ fault: 'unreadable' });
});
