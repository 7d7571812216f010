import { type Act, happens, type Step, until } from '../scenario.ts';

const heading = 'A change that a second person approves';
const env = { LAMPLIGHTER_APPROVE: '*' };
const QUIET_MS = 700;

const asked = (what: string): Step => until('asks to', `/instances ${what}`);

const decided: Act = {
  heading,
  env,
  quietMs: QUIET_MS,
  scenarios: [
    {
      title: 'It is approved',
      steps: [
        asked('restart web-1 --because "new config"'),
        ':press Approve',
        ':as bob',
        until('Restarted web-1', ':press Approve'),
      ],
    },
    {
      title: 'It is refused',
      steps: [
        asked('stop web-2'),
        ':as bob',
        ':press Cancel the request',
        until('Refused by', ':press Refuse'),
      ],
    },
    {
      title: 'The asker withdraws it',
      who: 'bob',
      steps: [asked('stop db-1'), until('Canceled by', ':press Cancel the request')],
    },
    {
      title: 'The instance has changed meanwhile',
      steps: [
        asked('restart breaks'),
        happens('Another takes its place.', ({ hosting }) => hosting.recreateInstance(202, 902)),
        ':as fin',
        until('has changed since that was asked', ':press Approve'),
      ],
    },
    {
      title: 'An admin goes alone, and all admins are informed',
      who: 'admin',
      steps: [until('Restarted', '/instances restart web-2 --override "it is down"')],
    },
    { title: 'Somebody asks whether they can', steps: ['/lamplighter can restart web-1'] },
  ],
};

const secondAccount: Act = {
  heading,
  env,
  quietMs: QUIET_MS,
  scenarios: [
    {
      title: 'A second account of the same person approves it',
      who: 'fin',
      steps: [
        asked('stop worker-1'),
        happens('', ({ slack }) => slack.setPerson('bob', { email: 'fin@lantern.example' })),
        ':as bob',
        ':press Approve',
      ],
    },
  ],
};

const tooLate: Act = {
  heading,
  env,
  quietMs: QUIET_MS,
  timings: { approveWithinMs: 1 },
  scenarios: [
    { title: 'It is approved too late', steps: [asked('restart web-1'), ':as bob', ':press Approve'] },
  ],
};

const expired: Act = {
  heading,
  env,
  quietMs: QUIET_MS,
  // Long enough for the question to be asked at all.
  timings: { approveWithinMs: 1, acceptWithinMs: 3_000 },
  scenarios: [
    {
      title: 'Nobody approves it',
      steps: [
        asked('restart web-1'),
        happens('Half an hour passes.', () => undefined, 'Nobody approved it in time'),
      ],
    },
  ],
};

const lostMeanwhile: Act = {
  heading,
  quietMs: QUIET_MS,
  env: { ...env, LAMPLIGHTER_EVERYONE: 'viewer' },
  scenarios: [
    {
      title: 'Who approved it loses the role before it is done',
      who: 'admin',
      steps: [
        '/lamplighter access grant operator @oncall',
        ':as ana',
        asked('restart web-1'),
        happens('', ({ hosting }) =>
          hosting.failNext({ method: 'POST' }, { answer: 429, done: false, retryAfterSeconds: 1 }),
        ),
        ':as bob',
        until('Restarting web-1', ':press Approve'),
        happens(
          'The service takes no request for a second, and Bob leaves the group meanwhile.',
          ({ slack }) => slack.membersOf('@oncall').delete('bob'),
          'no longer has the right to',
        ),
      ],
    },
  ],
};

export const APPROVALS: readonly Act[] = [decided, secondAccount, tooLate, expired, lostMeanwhile];
