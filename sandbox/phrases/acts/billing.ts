import { type Act, happens, type Step, until } from '../scenario.ts';

const heading = 'The balance';
const OPS = 'C0OPS000001';
const who = 'fin';
const env = { LAMPLIGHTER_EVERYONE: 'finance', BILLING_CHANNELS: OPS };

/** All transactions as a file: the second page is read once it is said that this takes long. */
function wholeFile(): readonly Step[] {
  let release = (): void => undefined;
  return [
    happens('', ({ hosting }) => {
      const page = { path: '/api/v1/billing/transactions', query: 'page=2&per_page=100' };
      ({ release } = hosting.hold(page));
    }),
    until('Reading your transactions', '/billing transactions --csv'),
    happens('', () => release()),
  ];
}

const balance: Act = {
  heading,
  env,
  scenarios: [
    { title: 'It lasts for days', who, steps: ['/billing'] },
    { title: 'What the month comes to, before ten days are known', who, steps: ['/billing forecast'] },
    {
      title: 'What if some were stopped, and more was on the balance',
      who,
      steps: ['/billing what-if stop web-* and staging, add backup to web-1, top up 500'],
    },
    {
      title: 'What if something that can not be read',
      who,
      steps: ['/billing what-if', '/billing what-if polish web-1', '/billing what-if top up 1,000'],
    },
    { title: 'It is shared', who, steps: ['/billing', ':press Share'] },
    {
      title: 'It is shared in a channel for others',
      who,
      where: '#billing',
      steps: ['/billing', ':press Share'],
    },
    { title: 'Usage by instance', who, steps: ['/billing usage'] },
    { title: 'Usage by add-on', who, steps: ['/billing usage by addon'] },
    { title: 'Usage by something else', who, steps: ['/billing usage by color'] },
    { title: 'Buying time without the right to stop', who, steps: ['/billing buy-time'] },
    { title: 'Transactions of a week', who, steps: ['/billing transactions --last 7d --instance db-1'] },
    { title: 'Purchases alone', who, steps: ['/billing transactions --type purchase'] },
    { title: 'There are no such transactions', who, steps: ['/billing transactions --last 1m'] },
    { title: 'The type is not known', who, steps: ['/billing transactions --type gift'] },
    { title: 'The time can not be read', who, steps: ['/billing transactions --last week'] },
    { title: 'The option is not known', who, steps: ['/billing transactions --sum'] },
    { title: 'The instance is not known', who, steps: ['/billing transactions --instance zeppelin'] },
    {
      title: 'Transactions as a file',
      who,
      steps: ['/billing transactions --last 2d --instance web-1 --csv'],
    },
    { title: 'All transactions as a file', who, steps: wholeFile() },
    {
      title: 'The file can not be sent for want of a scope',
      who,
      steps: [
        happens('', ({ slack }) => slack.setScope('files:write', false)),
        ...wholeFile(),
        happens('', ({ slack }) => slack.setScope('files:write', true)),
      ],
    },
    {
      title: 'The service gives no readable balance',
      who,
      steps: [
        happens('', ({ hosting }) =>
          hosting.breakBalance('harbour', { answer: 200, done: true, body: '{"data":{}}' }),
        ),
        '/billing',
      ],
    },
    {
      title: 'The service reports a negative cost',
      who,
      steps: [
        happens('', ({ hosting }) =>
          hosting.breakBalance('harbour', {
            answer: 200,
            done: true,
            body: '{"data":{"claws_balance":900,"daily_claw_cost":-7}}',
          }),
        ),
        '/billing',
      ],
    },
    {
      title: 'The service does not say what a day costs',
      who,
      steps: [
        happens('', ({ hosting }) =>
          hosting.breakBalance('harbour', {
            answer: 200,
            done: true,
            body: '{"data":{"claws_balance":900}}',
          }),
        ),
        '/billing',
      ],
    },
    {
      title: 'It is used up',
      who,
      steps: [
        happens('', ({ hosting }) => {
          hosting.mendBalance('harbour');
          hosting.setBalance('harbour', 0);
        }),
        '/billing',
        '/billing buy-time',
      ],
    },
  ],
};

/** Customers are named after how it is with their money. */
function customerAct(customer: string, scenarios: Act['scenarios'], everyone = 'finance'): Act {
  return { heading, customer, env: { ...env, LAMPLIGHTER_EVERYONE: everyone }, scenarios };
}

export const BILLING: readonly Act[] = [
  balance,
  customerAct(
    'draining',
    [
      {
        title: 'It lasts for three days, and time is bought',
        who,
        steps: ['/billing', '/billing buy-time', ':press Stop pump', ':press Stop'],
      },
    ],
    'admin',
  ),
  customerAct(
    'draining',
    [
      {
        title: 'Several are picked, and stopped with one yes',
        who: 'admin',
        steps: ['/billing buy-time', ':pick pump, sluice', ':press Stop', ':press Stop 2'],
      },
    ],
    'admin',
  ),
  customerAct('newcomer', [
    { title: 'There is nothing at all', who, steps: ['/billing', '/billing usage', '/billing transactions'] },
  ]),
  customerAct('nearly-empty', [{ title: 'It lasts for less than a day', who, steps: ['/billing'] }]),
  customerAct('to-the-cent', [
    { title: 'It has decimals', who, steps: ['/billing', '/billing transactions'] },
  ]),
  customerAct('overdrawn', [{ title: 'It is below zero', who, steps: ['/billing', '/billing buy-time'] }]),
  customerAct('no-balance', [
    { title: 'The service offers no balance', who, steps: ['/billing', '/billing alerts'] },
  ]),
  customerAct('no-billing', [
    {
      title: 'The service offers nothing about money',
      who,
      steps: ['/billing', '/billing usage', '/billing transactions', '/billing transactions --csv'],
    },
  ]),
  customerAct('garbled-charge', [
    {
      title: 'An amount can not be read',
      who,
      steps: ['/billing transactions --last 3d', '/billing transactions --csv'],
    },
  ]),
];
