import { type Act, happens, WELCOME } from '../scenario.ts';

const heading = 'Rights and help';

const roles: Act = {
  heading,
  env: { LAMPLIGHTER_EVERYONE: 'none' },
  awaits: WELCOME,
  scenarios: [
    {
      title: 'Somebody has no role',
      who: 'bob',
      steps: ['/instances', '/instances restart web-1', '/billing', '/lamplighter operations'],
    },
    {
      title: 'Somebody without a role asks for help',
      who: 'bob',
      steps: ['/lamplighter help', '/lamplighter help restart'],
    },
    { title: 'A guest asks', who: 'guest', steps: ['/instances restart web-1', '/lamplighter help'] },
    { title: 'An admin asks for help', who: 'admin', steps: ['/lamplighter help'] },
    { title: 'Help about a command', who: 'admin', steps: ['/billing help'] },
    {
      title: 'Help about a verb',
      who: 'admin',
      steps: ['/instances restart --help', '/lamplighter help alerts', '/lamplighter help filters'],
    },
    {
      title: 'There is no such help',
      who: 'admin',
      steps: ['/lamplighter help restrat', '/lamplighter help zeppelins'],
    },
    { title: 'Nothing is in progress', who: 'admin', steps: ['/lamplighter operations'] },
  ],
};
const operator: Act = {
  heading,
  scenarios: [
    { title: 'An operator asks for help', steps: ['/lamplighter help'] },
    { title: 'An operator asks for the balance', steps: ['/billing', '/billing alerts set warn 5d'] },
  ],
};
const viewer: Act = {
  heading,
  env: { LAMPLIGHTER_EVERYONE: 'viewer' },
  scenarios: [
    {
      title: 'A viewer sees no buttons',
      who: 'bob',
      steps: ['/instances show web-1', '/instances stop web-1'],
    },
  ],
};
const nobody: Act = {
  heading,
  env: { LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_ADMINS: '' },
  scenarios: [{ title: 'Nobody is an admin yet', steps: ['/instances', '/lamplighter help'] }],
};
const unchecked: Act = {
  heading,
  scenarios: [
    {
      title: 'Slack can not say who somebody is',
      who: 'bob',
      steps: [
        happens('', ({ slack }) => {
          for (let times = 0; times < 3; times += 1)
            slack.failNext('users.info', { error: 'internal_error' });
        }),
        '/instances restart web-1',
      ],
    },
    {
      title: 'Slack can not say who somebody is, and they only read',
      who: 'fin',
      steps: [
        happens('', ({ slack }) => {
          for (let times = 0; times < 3; times += 1)
            slack.failNext('users.info', { error: 'internal_error' });
        }),
        '/instances',
      ],
    },
  ],
};
const policyFile: Act = {
  heading,
  env: { LAMPLIGHTER_POLICY: 'docs/policy.yaml' },
  scenarios: [
    {
      title: 'Roles are kept in a policy file',
      who: 'admin',
      steps: ['/lamplighter access', '/lamplighter access grant operator @bob'],
    },
    {
      title: 'A policy file gives somebody no such role',
      who: 'fin',
      steps: ['/instances restart web-1', '/lamplighter access'],
    },
    {
      title: 'A policy file limits what may be done in a channel',
      who: 'admin',
      steps: ['/instances restart db-1', '/instances show db-1'],
    },
    {
      title: 'A policy file has holidays, but none of that name',
      who: 'admin',
      steps: ['/instances schedule web-1 stop at 20:00 except munich'],
    },
  ],
};
const flood: Act = {
  heading,
  timings: { asksPerMinute: 1 },
  scenarios: [
    { title: 'One person asks too much', steps: ['/instances show web-1', '/instances restart web-1'] },
  ],
};

const SCOPES_BUT_ONE = [
  'commands',
  'app_mentions:read',
  'chat:write',
  'chat:write.public',
  'im:write',
  'files:write',
  'users:read',
  'users:read.email',
  'channels:read',
  'groups:read',
  'channels:history',
  'groups:history',
  'im:history',
  'mpim:history',
];
const examined: Act = {
  heading,
  slack: { scopes: SCOPES_BUT_ONE },
  env: { BILLING_CHANNELS: 'C0ATTIC0001' },
  scenarios: [
    {
      title: 'An admin has the bot examined, and a scope is missing and a channel archived',
      who: 'admin',
      steps: ['/lamplighter doctor'],
    },
    {
      title: 'A restart is rehearsed, and something would stop it',
      steps: ['/lamplighter rehearse restart web-1'],
    },
    { title: 'Who is no admin wants the bot examined', who: 'ana', steps: ['/lamplighter doctor'] },
  ],
};

export const ACCESS: readonly Act[] = [
  roles,
  operator,
  viewer,
  nobody,
  unchecked,
  policyFile,
  flood,
  examined,
];
