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
        '/instances restart web-1 --because "memory"',
        until('asks to restart', ':press Ask them'),
        ':as admin',
        until('allowed you to', ':press Allow once'),
        ':as ana',
        until('Restarted web-1', ':press Restart it'),
        '/instances restart web-1',
      ],
    },
    {
      title: 'What takes an admin is allowed once alone',
      who: 'bob',
      steps: [
        '/addons add backup web-1',
        until('asks to add', ':press Ask them'),
        ':as admin',
        until('allowed you to', ':press Allow once'),
        ':as bob',
        '/lamplighter freeze for 2h "release night"',
        until('asks to freeze', ':press Ask them'),
        ':as admin',
        until('allowed you to', ':press Allow once'),
        ':as bob',
        '/lamplighter access grant admin @bob',
        until('send it yourself', ':press Ask them'),
      ],
    },
    {
      title: 'It is refused, and can be asked for again later',
      who: 'fin',
      steps: [
        ...REFUSED,
        until('said no: you asked', ':press No'),
        ':as fin',
        '/instances restart web-1',
        until('You can ask again', ':press Ask them'),
      ],
    },
    {
      title: 'It is asked for twice, and then allowed for eight hours',
      who: 'fin',
      steps: [
        '/instances restart web-2',
        until('asks to restart web-2', ':press Ask them'),
        '/instances restart web-2',
        until('nobody has answered yet', ':press Ask them'),
        ':as admin',
        until('allowed you to', ':press Allow for 8 h'),
        ':as fin',
        '/instances restart db-1',
      ],
    },
    {
      title: 'What was typed names no one instance',
      who: 'bob',
      steps: [
        '/instances restart',
        '/instances restart wbe-1',
        until("doesn't name exactly one", ':press Ask them'),
      ],
    },
  ],
};

const withoutRole: Act = {
  heading,
  env: { LAMPLIGHTER_EVERYONE: 'none' },
  quietMs: QUIET_MS,
  scenarios: [
    {
      title: 'Who may not see instances is not shown which there are',
      who: 'bob',
      steps: ['/instances restart wbe-1', until('asks to restart', ':press Ask them')],
    },
  ],
};

const toApprove: Act = {
  heading,
  env: { LAMPLIGHTER_EVERYONE: 'viewer', LAMPLIGHTER_APPROVE: 'web-*' },
  quietMs: QUIET_MS,
  scenarios: [
    {
      title: 'What was allowed once needs an approval, which somebody else is allowed to give',
      who: 'bob',
      steps: [
        ...REFUSED,
        until('allowed you to', ':press Allow once'),
        ':as bob',
        ':press Restart it',
        ':as fin',
        ':press Approve',
        until('asks to approve', ':press Ask them'),
        ':as admin',
        until('allowed you to approve', ':press Allow once'),
        ':as fin',
        until('Restarted web-1', ':press Approve'),
      ],
    },
  ],
};

const nobody: Act = {
  heading,
  env: { LAMPLIGHTER_EVERYONE: 'viewer', LAMPLIGHTER_ADMINS: '' },
  scenarios: [{ title: 'There is nobody to ask', steps: ['/instances restart web-1'] }],
};

export const ASKING_THEM: readonly Act[] = [asked, withoutRole, toApprove, nobody];
