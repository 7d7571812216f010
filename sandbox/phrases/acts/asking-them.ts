import { type Act, until } from '../scenario.ts';

const heading = 'Asking for a right';
const QUIET_MS = 700;

const REFUSED = ['/instances restart web-1', until('asks to restart', ':press Ask them'), ':as admin'];

const asked: Act = {
  heading,
  env: { LAMPLIGHTER_EVERYONE: 'viewer' },
  quietMs: QUIET_MS,
  scenarios: [
    {
      title: 'It is allowed once, and used',
      steps: [
        ...REFUSED,
        until('answered: you may', ':press Allow once'),
        ':as ana',
        until('Restarted web-1', ':press Restart it'),
        '/instances restart web-1',
      ],
    },
    {
      title: 'It is allowed for eight hours',
      who: 'bob',
      steps: [
        '/addons add backup web-1',
        until('asks to add', ':press Ask them'),
        ':as admin',
        until('answered: you may', ':press Allow for 8 h'),
      ],
    },
    {
      title: 'It is refused, and nobody can answer once more',
      who: 'fin',
      steps: [...REFUSED, until('said no', ':press No'), ':press Allow once'],
    },
  ],
};

const nobody: Act = {
  heading,
  env: { LAMPLIGHTER_EVERYONE: 'viewer', LAMPLIGHTER_ADMINS: '' },
  scenarios: [{ title: 'There is nobody to ask', steps: ['/instances restart web-1'] }],
};

export const ASKING_THEM: readonly Act[] = [asked, nobody];
