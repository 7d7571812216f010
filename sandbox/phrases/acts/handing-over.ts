import { type Act, happens } from '../scenario.ts';

const heading = 'Handing over';

/** What is somebody's own, and how it passes to another. */
const handedOver: Act = {
  heading,
  quietMs: 700,
  timings: { watchEveryMs: 40, sweepEveryMs: 100 },
  scenarios: [
    { title: 'Nothing is mine', steps: ['/lamplighter handover', '/lamplighter handover @bob'] },
    {
      title: 'An incident passes to another, who is asked in the channel and may not have the freeze',
      who: 'admin',
      steps: [
        '/instances watch web-1',
        happens(
          'web-1 is stopped by somebody else.',
          ({ hosting }) => hosting.changeStatus(101, 'stopped'),
          'was stopped',
        ),
        ":press I'm on it",
        '/lamplighter freeze on db-* "migration"',
        '/lamplighter handover',
        '/lamplighter handover @bob',
        ':as bob',
        ':press I have it',
        '/lamplighter freeze',
        '/lamplighter handover',
      ],
    },
  ],
};

/** What asks nobody. */
const refused: Act = {
  heading,
  scenarios: [
    {
      title: 'Nobody is named, or nobody who could take it over',
      who: 'ana',
      steps: ['/lamplighter handover bob', '/lamplighter handover @ana'],
    },
  ],
};

export const HANDING_OVER: readonly Act[] = [handedOver, refused];
