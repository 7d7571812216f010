import { z } from 'zod';
import { instanceHostingTable } from '../src/platform/hosting/adapters/instance-hosting.ts';
import { instanceFrom } from '../src/platform/hosting/table/records.ts';
import { instanceRead } from '../src/platform/hosting/table/wire.ts';
import { readAs } from '../src/platform/hosting/unreadable.ts';
import type { Benchmark, Outcome, RunOptions } from './harness/benchmark.ts';
import { interleave } from './harness/rounds.ts';
import { rank, ratioOf } from './harness/table.ts';

const PARSE = 'JSON.parse';
const LOOSE = "zod's looseObject";
const CHECK = 'the bot, its check';
const BOT = 'the bot, all that it does with a list';
const INSTANCES = 1_000;
const TIMES = 100;

const text = JSON.stringify({
  data: Array.from({ length: INSTANCES }, (_, index) => ({
    id: 1_000 + index,
    name: `web-${index}`,
    status: index % 3 === 0 ? 'stopped' : 'running',
    tier: 'budget',
    billing_mode: 'daily',
    ip_address: `2001:db8::${index}`,
    health_status: 'healthy',
    created_at: '2026-01-01T00:00:00.000Z',
    provisioned_at: '2026-01-01T00:05:46.000Z',
    can_start: false,
  })),
});
const field = z.string().nullish();
const loose = z.object({
  data: z.array(
    z.looseObject({
      id: z.union([z.int(), z.string()]),
      name: field,
      status: field,
      tier: field,
      billing_mode: field,
      ip_address: field,
      health_status: field,
      created_at: field,
      can_start: z.boolean().nullish(),
    }),
  ),
});

async function run({ rounds, quiet }: RunOptions): Promise<Outcome> {
  const body = JSON.parse(text) as { readonly data: readonly unknown[] }; // made above
  const variant = (name: string, once: () => unknown) => ({
    name,
    measure: async () => {
      const before = process.cpuUsage();
      for (let time = 0; time < TIMES; time++) once();
      const { user, system } = process.cpuUsage(before);
      return { cpuUs: (user + system) / TIMES };
    },
  });
  const variants = [
    variant(PARSE, () => JSON.parse(text) as unknown),
    variant(LOOSE, () => loose.parse(body)),
    variant(CHECK, () => body.data.map((record) => readAs(instanceRead, record))),
    variant(BOT, () => body.data.map((record) => instanceFrom(instanceHostingTable, record))),
  ];
  for (const { measure } of variants) await measure();
  const measured = await interleave(variants, rounds, quiet);
  const bases = [{ key: 'cpuUs', base: PARSE, what: '/ JSON.parse' }];
  const isCompiled = z.config().jitless !== true;
  return {
    tables: [rank(`${INSTANCES} instances`, measured, [{ key: 'cpuUs', what: 'CPU, µs' }], bases)],
    goals: [{ goal: 'G8', value: ratioOf(measured, 'cpuUs', CHECK, PARSE).median }],
    notes: [
      'All that it does with a list: the check, and names of fields and words for a status turned into its own.',
      `zod compiles its schemas here: ${isCompiled ? 'yes' : 'no'}.`,
    ],
  };
}

export const lists: Benchmark = {
  name: 'lists',
  what: 'What it costs to check and to read a list of instances.',
  goals: ['G8'],
  peers: [PARSE, LOOSE],
  rounds: 5,
  isQuick: true,
  run,
};
