import { FAR_OFF_HOUR } from '../far-off-hour.ts';
import { instance, worldOf } from '../../world.ts';
import { type Act, happens, type HappensStep, until, WELCOME } from '../scenario.ts';

const opens = (who: string): HappensStep =>
  happens(`@${who} opens the Home.`, ({ slack }) => slack.person(who).opensHome(), 'As of');

const shared = {
  heading: "The app's Home",
  hosting: {
    world: worldOf([
      instance(1, 'web-1'),
      instance(2, 'web-2', { status: 'error' }),
      instance(3, 'web-3', { status: 'stopped' }),
      instance(4, 'db-1', { status: 'paused' }),
    ]),
  },
  env: { LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_APPROVE: 'web-1' },
  timings: { homeEveryMs: 50, homeBalanceEveryMs: 0, cancelWindowMs: 570_000 },
  quietMs: 700,
} as const satisfies Omit<Act, 'scenarios'>;

const viewer: Act = {
  ...shared,
  awaits: WELCOME,
  scenarios: [
    { title: 'Somebody without a role opens it', steps: [opens('guest')] },
    {
      title: 'A role is given while it is open',
      who: 'admin',
      steps: [until('4 instances', '/lamplighter access grant viewer @guest')],
    },
    {
      title: 'The role is taken while it is open',
      who: 'admin',
      steps: [until('You have no role', '/lamplighter access revoke viewer @guest')],
    },
  ],
};

const operator: Act = {
  ...shared,
  env: { ...shared.env, LAMPLIGHTER_EVERYONE: 'operator' },
  scenarios: [
    {
      title: 'An operator sees what is scheduled, and favorites',
      steps: [
        '/instances save nightly = name:web-*',
        `/instances schedule web-3 start at ${FAR_OFF_HOUR} mon-fri UTC`,
        until('scheduled:', ':press Save'),
        opens('ana'),
      ],
    },
    {
      title: 'Something waits for an approval while it is open',
      who: 'bob',
      steps: [until('is waiting for an approval', '/instances stop web-1')],
    },
    {
      title: 'Something can be canceled, and is',
      who: 'admin',
      steps: [
        '/instances delete web-2',
        until('See its card', ':type web-2'),
        until('Nothing is in progress', ':press Cancel'),
      ],
    },
  ],
};

const finance: Act = {
  ...shared,
  awaits: WELCOME,
  scenarios: [
    {
      title: 'Finance sees the balance',
      who: 'admin',
      steps: ['/lamplighter access grant finance @fin', opens('fin')],
    },
  ],
};

const failing: Act = {
  ...shared,
  awaits: WELCOME,
  scenarios: [
    {
      title: 'The hosting service fails when it is opened',
      steps: [
        happens('The balance can not be read.', ({ hosting }) =>
          hosting.breakBalance('harbour', { answer: 503, done: false }),
        ),
        happens(
          '@admin opens the Home.',
          ({ slack }) => slack.person('admin').opensHome(),
          'something is missing',
        ),
      ],
    },
  ],
};

export const HOME: readonly Act[] = [viewer, operator, finance, failing];
