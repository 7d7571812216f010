import { generateKeyPairSync } from 'node:crypto';
import { dayIsOver } from '../day-of-audit.ts';
import { type Act, happens, until } from '../scenario.ts';

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
    {
      title: 'The story of a day, and as a file',
      who: 'admin',
      steps: [
        '/lamplighter story',
        until('I sent you', '/lamplighter story --file'),
        '/lamplighter story nothing-2',
      ],
    },
    {
      title: 'What happened to one instance, shown to everyone',
      steps: [
        '/lamplighter story web-1',
        until('Shared by', ':press Share'),
        '/lamplighter story db-* since yesterday',
      ],
    },
  ],
};

const { privateKey } = generateKeyPairSync('ed25519');

const signed: Act = {
  heading,
  quietMs: QUIET_MS,
  env: {
    AUDIT_HEAD_CHANNEL: 'C0OPS000001',
    AUDIT_SIGNING_KEY: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
  },
  scenarios: [
    {
      title: 'A day is over, and the head of the audit is signed',
      steps: [happens('It is the next day.', (backstage) => dayIsOver(backstage, 2), 'The audit of')],
    },
    {
      title: 'Somebody has rewritten what was signed the day before',
      steps: [
        happens(
          'It is the next day.',
          (backstage) => dayIsOver(backstage, 2, 'another hash'),
          'The audit of',
        ),
      ],
    },
  ],
};

export const AUDITING: readonly Act[] = [kept, signed];
