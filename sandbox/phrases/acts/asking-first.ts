import { instance } from '../../world.ts';
import { type Act, happens } from '../scenario.ts';

const heading = 'A stop or restart that asks first';

const reasons: Act = {
  heading,
  env: { LAMPLIGHTER_PROTECTED: 'db-*' },
  scenarios: [
    {
      title: 'It is protected, and the person says yes',
      steps: ['/instances restart db-1', ':press Restart'],
    },
    {
      title: 'It is protected, and the person says no',
      steps: ['/instances stop db-1', ':press Cancel'],
    },
    { title: 'A dry run says that it would ask', steps: ['/instances stop db-1 --dry-run'] },
    {
      title: 'Somebody restarted it a moment ago',
      steps: ['/instances restart web-1', ':as bob', '/instances restart web-1'],
    },
    {
      title: 'Somebody else started it',
      steps: ['/instances start staging', ':as bob', '/instances stop staging'],
    },
    {
      title: 'A restart of a moment ago ended unknown',
      steps: ['/instances restart loses-requests', '/instances restart loses-requests'],
    },
    {
      title: 'It looks like a restart loop',
      steps: [
        '/instances restart web-2',
        '/instances restart web-2',
        ':press Restart',
        '/instances restart web-2',
        ':press Restart',
        '/instances restart web-2',
        '/instances restart web-1 web-2',
      ],
    },
  ],
};

const answers: Act = {
  heading,
  env: { LAMPLIGHTER_PROTECTED: '*' },
  scenarios: [
    {
      title: 'What was shown is gone when the person says yes',
      steps: [
        '/instances stop web-1',
        happens('Somebody deletes it in the dashboard.', ({ hosting }) => hosting.removeInstance(101)),
        ':press Stop',
      ],
    },
    {
      title: 'What was shown is another instance when the person says yes',
      steps: [
        '/instances stop web-2',
        happens('Another takes its place, under its id.', ({ hosting }) => {
          hosting.removeInstance(102);
          hosting.addInstance('harbour', instance(102, 'web-2'));
        }),
        ':press Stop',
      ],
    },
  ],
};

const tooOld: Act = {
  heading,
  env: { LAMPLIGHTER_PROTECTED: '*' },
  timings: { confirmWithinMs: 1 },
  scenarios: [{ title: 'The yes comes too late', steps: ['/instances stop web-1', ':press Stop'] }],
};

export const ASKING_FIRST: readonly Act[] = [reasons, answers, tooOld];
