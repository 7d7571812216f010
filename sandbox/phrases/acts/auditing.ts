import { type Act, until } from '../scenario.ts';

const heading = 'The audit and the history';
const QUIET_MS = 700;

const kept: Act = {
  heading,
  quietMs: QUIET_MS,
  env: { LAMPLIGHTER_APPROVE: 'db-*,worker-*' },
  scenarios: [
    {
      title: 'Nothing has been attempted yet',
      who: 'admin',
      steps: ['/lamplighter audit', '/instances history web-1'],
    },
    {
      title: 'An admin reads who attempted what',
      steps: [
        until('Restarted web-1', '/instances restart web-1 --because "new config"'),
        '/instances stop web-1 --dry-run',
        '/instances delete web-1',
        '/instances stop nothing-1',
        until('asks to', '/instances restart db-1'),
        ':as bob',
        until('Restarted db-1', ':press Approve'),
        ':as admin',
        until('Restarted worker-1', '/instances restart worker-1 --override "it is down"'),
        '/lamplighter freeze "release"',
        '/lamplighter thaw',
        '/lamplighter access grant viewer @fin',
        '/lamplighter audit',
        '/lamplighter audit @bob --last 1d',
        '/lamplighter audit web-1',
        '/lamplighter audit nothing-2',
      ],
    },
    {
      title: 'The audit as a file',
      who: 'admin',
      steps: [until('I sent you', '/lamplighter audit --csv')],
    },
    {
      title: 'What is asked of the audit can not be read',
      who: 'admin',
      steps: ['/lamplighter audit --last soon', '/lamplighter audit --all'],
    },
    { title: 'Who is no admin reads the audit', steps: ['/lamplighter audit'] },
    { title: 'The history of an instance', steps: ['/instances history web-1', '/instances history db-1'] },
  ],
};

export const AUDITING: readonly Act[] = [kept];
