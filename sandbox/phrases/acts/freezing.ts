import { type Act, until } from '../scenario.ts';

const heading = 'A freeze';
const QUIET_MS = 700;

const frozen: Act = {
  heading,
  quietMs: QUIET_MS,
  scenarios: [
    {
      title: 'Everything is frozen until a time, and thawed',
      who: 'admin',
      steps: [
        '/lamplighter freeze until mon 08:00 "release 4.2"',
        ':as ana',
        '/instances restart web-1',
        '/lamplighter can restart web-1',
        '/instances restart web-1 --override "I must"',
        ':as admin',
        '/instances restart web-1',
        '/lamplighter can restart web-1',
        until('Restarted web-1', '/instances restart web-1 --override "it is down"'),
        '/lamplighter freeze',
        '/lamplighter thaw',
        '/lamplighter freeze',
      ],
    },
    {
      title: 'Some are frozen, until somebody ends it',
      who: 'admin',
      steps: [
        '/lamplighter freeze on db-*, worker-* "migration"',
        ':as ana',
        '/instances stop db-1',
        ':as admin',
        '/lamplighter thaw on db-*',
        '/lamplighter thaw on db-*, worker-*',
      ],
    },
    {
      title: 'Somebody asks for an exception, which an admin gives',
      who: 'admin',
      steps: [
        '/lamplighter freeze "release 4.2"',
        ':as ana',
        '/instances restart worker-1 --because "it hangs"',
        until('during a freeze', ':press Ask for an exception'),
        ':as bob',
        ':press Approve',
        ':as admin',
        until('Restarted worker-1', ':press Approve'),
        '/lamplighter thaw',
      ],
    },
    {
      title: 'The freeze ends while somebody asks for an exception',
      who: 'admin',
      steps: [
        '/lamplighter freeze "release 4.2"',
        ':as ana',
        '/instances restart web-2',
        until('during a freeze', ':press Ask for an exception'),
        ':as admin',
        until('@ana, you asked to restart web-2', '/lamplighter thaw'),
      ],
    },
    { title: 'Who is no admin freezes', steps: ['/lamplighter freeze "release"', '/lamplighter thaw'] },
  ],
};

const unreadable: Act = {
  heading,
  scenarios: [
    {
      title: 'What is to be frozen can not be read',
      who: 'admin',
      steps: [
        '/lamplighter freeze',
        '/lamplighter freeze until 18:00',
        '/lamplighter freeze until soon "release"',
        '/lamplighter freeze for ever "release"',
        '/lamplighter freeze on',
        '/lamplighter thaw',
        '/lamplighter thaw prod-1',
      ],
    },
  ],
};

const whileWaiting: Act = {
  heading,
  quietMs: QUIET_MS,
  env: { LAMPLIGHTER_EVERYONE: 'admin' },
  timings: { cancelWindowMs: 3_000 },
  scenarios: [
    {
      title: 'Instances are frozen while a deletion waits',
      steps: [
        '/instances delete web-1',
        until('web-1', ':type web-1'),
        ':as admin',
        until('were frozen', '/lamplighter freeze "release"'),
      ],
    },
  ],
};

export const FREEZING: readonly Act[] = [frozen, unreadable, whileWaiting];
