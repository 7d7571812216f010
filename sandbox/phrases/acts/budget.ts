import { type Act, happens, type HappensStep } from '../scenario.ts';

const heading = 'A month that is paid afterwards';
const OPS = 'C0OPS000001';
const who = 'fin';
const base: Omit<Act, 'scenarios'> = {
  heading,
  service: 'vultr',
  cloud: {
    machines: [
      { name: 'web-1', size: 'vc2-1c-1gb' },
      { name: 'db-1', size: 'vc2-2c-4gb' },
    ],
  },
  today: '2026-11-10',
  env: { LAMPLIGHTER_EVERYONE: 'finance', BILLING_CHANNELS: OPS },
  // Alerts are sent by a job of their own.
  quietMs: 700,
};

/** It is that day, the month has cost so much, and the bot looks. */
function costs(day: string, usd: number): HappensStep {
  const words = `On day ${Number(day.slice(8, 10))} of the month it has cost ${usd} USD.`;
  return happens(words, async ({ cloud, setToday, look }) => {
    setToday(day);
    cloud?.setMoney({ pendingCents: usd * 100 });
    await look();
  });
}

const lists: Act = {
  ...base,
  scenarios: [
    { title: 'What it costs', who, steps: ['/billing'] },
    { title: 'What it comes to, as far as a pace tells', who, steps: ['/billing forecast'] },
    { title: 'What it is spent on', who, steps: ['/billing usage'] },
    {
      title: 'What the month has cost, by what the service lists',
      who,
      steps: ['/billing month', '/billing month by type', '/billing month by label:team', '/billing why'],
    },
    { title: 'A month that nobody has read', who, steps: ['/billing month december 2025'] },
    {
      title: 'A budget of the account by its own thresholds',
      who,
      steps: ['/billing budget all 200 at 50 100', '/billing budget all 200 EUR', '/billing budget all off'],
    },
    { title: 'Invoices and payments', who, steps: ['/billing transactions'] },
    {
      title: 'The service says neither',
      who,
      steps: [
        happens('', ({ cloud }) => {
          cloud?.failNext({ method: 'GET', path: /\/billing\// }, { kind: 'status', status: 404 }, 4);
        }),
        '/billing usage',
        '/billing transactions',
      ],
    },
  ],
};

const settings: Act = {
  ...base,
  scenarios: [
    { title: 'There is no budget', who, steps: ['/billing alerts'] },
    {
      title: 'A budget can not be read',
      who,
      steps: [
        '/billing alerts set budget lots',
        '/billing alerts set budget 200 EUR',
        '/billing alerts set budget',
        '/billing alerts set warn 5d',
        '/billing alerts set',
        '/billing alerts clear',
        '/billing alerts louder',
      ],
    },
    {
      title: 'A budget is set and cleared',
      who,
      steps: [
        '/billing alerts set budget $200',
        '/billing',
        '/billing alerts test',
        '/billing alerts clear budget',
      ],
    },
    {
      title: 'They are switched off and on',
      who,
      steps: ['/billing alerts set budget 200', '/billing alerts off', '/billing alerts on'],
    },
  ],
};

const kept: Act = {
  ...base,
  env: { ...base.env, BILLING_BUDGET: '200 USD', LAMPLIGHTER_ADMINS: 'U0FIN000001' },
  scenarios: [
    {
      title: 'The budget is kept in the configuration',
      who,
      steps: ['/billing alerts set budget 300'],
    },
  ],
};

const episode: Act = {
  ...base,
  scenarios: [
    {
      title: 'The pace will pass the budget, most of it is used, and then all of it',
      who,
      steps: [
        '/billing alerts set budget 200 USD',
        costs('2026-11-11', 100),
        '/billing alerts',
        ":press I'm on it",
        costs('2026-11-14', 165),
        costs('2026-11-20', 205),
        ':press Show what costs most',
        costs('2026-12-01T00:10Z', 230),
      ],
    },
  ],
};
const changed: Act = {
  ...base,
  scenarios: [
    {
      title: 'Most of the budget is used, and it is raised',
      who,
      steps: [
        '/billing alerts set budget 200 USD',
        costs('2026-11-28', 165),
        '/billing alerts set budget 400 USD',
      ],
    },
  ],
};
/** Set once a fault stands. */
let mend = (): void => undefined;
const blind: Act = {
  ...base,
  timings: { unknownAfterMs: 1 },
  scenarios: [
    {
      title: 'What it costs can not be read for long, and then again',
      who,
      steps: [
        '/billing alerts set budget 200 USD',
        costs('2026-11-11', 20),
        happens('Reading the account is answered 500.', async ({ cloud, look }) => {
          const all = { method: 'GET', path: /\/account$/ };
          mend = cloud?.failNext(all, { kind: 'status', status: 500 }, 1_000) ?? mend;
          await look();
          await look();
        }),
        '/billing alerts',
        happens('It can be read again.', async ({ look }) => {
          mend();
          await look();
        }),
      ],
    },
  ],
};
const hetzner: Act = {
  ...base,
  service: 'hetzner',
  cloud: { machines: [{ name: 'web-1' }] },
  scenarios: [
    {
      title: 'The service says nothing of money',
      who,
      steps: ['/billing', '/billing alerts set budget 200 EUR'],
    },
  ],
};

export const BUDGET: readonly Act[] = [lists, settings, kept, episode, changed, blind, hetzner];
