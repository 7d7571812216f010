import { type Act, happens } from '../scenario.ts';

const heading = 'On call';

/** Who is told when nobody is on it, and when a channel is left in peace. */
const onCall: Act = {
  heading,
  quietMs: 700,
  timings: { watchEveryMs: 40, sweepEveryMs: 100 },
  scenarios: [
    {
      title: 'An admin sets it, and who is on call is told of an incident',
      who: 'admin',
      steps: [
        '/lamplighter oncall',
        '/lamplighter oncall first @ana, after 10 min @oncall, after 30 min the admins',
        '/lamplighter oncall quiet 22:00-07:00 except critical, prod-*',
        '/lamplighter oncall quiet off',
        '/instances watch web-1',
        happens('web-1 breaks.', ({ hosting }) => hosting.changeStatus(101, 'error'), 'reports an error'),
        '/lamplighter oncall off',
      ],
    },
    {
      title: 'It is not an admin who asks, or nobody can read it',
      steps: ['/lamplighter oncall @bob'],
    },
    {
      title: 'Nobody can read what was typed',
      who: 'admin',
      steps: [
        '/lamplighter oncall bob',
        '/lamplighter oncall first @ana, after soon @bob',
        '/lamplighter oncall quiet tonight',
      ],
    },
  ],
};

export const ON_CALL: readonly Act[] = [onCall];
