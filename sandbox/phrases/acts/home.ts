import { FAR_OFF_HOUR } from '../far-off-hour.ts';
import { instance, worldOf } from '../../world.ts';
import type { Person } from '../../slack/index.ts';
import { type Act, happens, type HappensStep, until, WELCOME } from '../scenario.ts';

const opens = (who: string, words = 'As of'): HappensStep =>
  happens(`@${who} opens the Home.`, ({ slack }) => slack.person(who).opensHome(), words);

async function pressesInHome(person: Person, label: string): Promise<void> {
  if (!person.home) throw new Error('has no Home');
  await person.presses(person.home, label);
}

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
  timings: { cancelWindowMs: 570_000 },
  quietMs: 700,
} as const satisfies Omit<Act, 'scenarios'>;

const viewer: Act = {
  ...shared,
  awaits: WELCOME,
  scenarios: [
    { title: 'Somebody without a role opens it', steps: [opens('guest')] },
    {
      title: 'It is opened by somebody who was given a role since',
      who: 'admin',
      steps: ['/lamplighter access grant viewer @guest', opens('guest', '4 instances')],
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
      title: 'Something waits for an approval',
      who: 'bob',
      steps: ['/instances stop web-1', opens('ana', 'waiting for an approval')],
    },
    {
      title: 'Something can be canceled, and is',
      who: 'admin',
      steps: [
        '/instances delete web-2',
        until('Deleting web-2', ':type web-2'),
        opens('admin', 'in progress:'),
        happens(
          '@admin presses Cancel in the Home.',
          ({ slack }) => pressesInHome(slack.person('admin'), 'Cancel'),
          'has ended',
        ),
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
