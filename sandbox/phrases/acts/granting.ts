import { type Act, happens, until, WELCOME } from '../scenario.ts';

const heading = 'Roles';
const QUIET_MS = 700;

const granted: Act = {
  heading,
  quietMs: QUIET_MS,
  env: { LAMPLIGHTER_EVERYONE: 'viewer' },
  scenarios: [
    {
      title: 'A role is given and taken back',
      who: 'admin',
      steps: [
        '/lamplighter access',
        until('gave you a role', '/lamplighter access grant operator @ana'),
        ':as ana',
        '/lamplighter access',
        '/lamplighter can restart web-1',
        ':as admin',
        until('took your role back', '/lamplighter access revoke operator @ana'),
        ':as ana',
        '/instances restart web-1',
        '/lamplighter access',
      ],
    },
    {
      title: 'A role is given for some instances, a channel and a time',
      who: 'admin',
      steps: [
        until(
          'gave you a role',
          '/lamplighter access grant operator @bob on staging-*, web-1 in #ops for 8h',
        ),
        '/lamplighter access',
        '/lamplighter access revoke finance @bob',
        ':as bob',
        '/instances restart web-2',
      ],
    },
    {
      title: 'A group gets a role',
      who: 'admin',
      steps: ['/lamplighter access grant finance @oncall', '/lamplighter access revoke finance @oncall'],
    },
    {
      title: 'Who is no admin gives a role',
      who: 'fin',
      steps: ['/lamplighter access grant operator @fin', '/lamplighter access'],
    },
  ],
};

const unreadable: Act = {
  heading,
  env: { LAMPLIGHTER_EVERYONE: 'viewer' },
  scenarios: [
    {
      title: 'The words can not be read',
      who: 'admin',
      steps: [
        '/lamplighter access give',
        '/lamplighter access grant',
        '/lamplighter access grant boss @ana',
        '/lamplighter access grant operator',
        '/lamplighter access grant operator ana',
        '/lamplighter access grant operator @ana for ever',
        '/lamplighter access grant operator @robot',
        '/lamplighter access grant operator @gone',
        '/lamplighter access revoke operator @ana',
      ],
    },
  ],
};

const lastAdmin: Act = {
  heading,
  quietMs: QUIET_MS,
  env: { LAMPLIGHTER_EVERYONE: 'none' },
  awaits: WELCOME,
  scenarios: [
    {
      title: 'The last admin gives that role up',
      who: 'admin',
      steps: [
        '/lamplighter access grant admin @ana',
        happens('The configuration names no admin any more.', ({ replaceBot }) =>
          replaceBot({ LAMPLIGHTER_ADMINS: '' }),
        ),
        ':as ana',
        '/lamplighter access revoke admin @ana',
      ],
    },
  ],
};

export const GRANTING: readonly Act[] = [granted, unreadable, lastAdmin];
