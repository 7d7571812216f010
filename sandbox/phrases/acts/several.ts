import { customer, instance, type WorldInstance } from '../../world.ts';
import { type Act, happens, until } from '../scenario.ts';

const heading = 'Several instances at once';
const LONG_MS = 600_000;
const REFUSED = { answer: 422, done: false, message: 'Host is in maintenance.' };

const stagings = (count: number): WorldInstance[] =>
  Array.from({ length: count }, (_, index) => instance(501 + index, `staging-${index + 1}`));
const world = (instances: readonly WorldInstance[]): NonNullable<Act['hosting']> => ({
  world: { customers: [customer('harbour', { instances })] },
});

const shown: Act = {
  heading,
  hosting: world([
    ...stagings(3),
    instance(511, 'staging-db'),
    instance(512, 'staging-old', { status: 'stopped' }),
  ]),
  env: { LAMPLIGHTER_PROTECTED: 'staging-db' },
  scenarios: [
    {
      title: 'What would be done, with what is left out and why',
      who: 'admin',
      steps: ['/instances stop name:staging-* --dry-run'],
    },
    {
      title: 'Three by a filter are stopped',
      steps: ['/instances stop name:staging-* --at-once 1 --because "night"', ':press Stop 3'],
    },
    {
      title: 'What it stopped is started again, but for one that somebody has started since',
      steps: [
        happens('Somebody starts staging-3 at the hosting service.', ({ hosting }) =>
          hosting.changeStatus(503, 'running'),
        ),
        ':press Start them again',
        ':press Start 2',
      ],
    },
    {
      title: 'By their names they are asked for, and run already',
      steps: ['/instances start staging-1 staging-2 --at-once 1'],
    },
    {
      title: 'One has changed since it was shown, so nothing runs and it is asked again',
      steps: [
        '/instances restart staging-1 staging-2',
        happens('Somebody stops staging-2 at the hosting service.', ({ hosting }) =>
          hosting.changeStatus(502, 'stopped'),
        ),
        ':press Restart 2',
      ],
    },
    { title: 'Nothing is picked in a list', steps: ['/instances list name:staging-*', ':press Stop'] },
    { title: 'None of them can be started', steps: ['/instances start staging-1 staging-db'] },
    { title: 'One of the names means nothing', steps: ['/instances stop staging-1 staging-one'] },
    { title: 'No instance matches', steps: ['/instances stop name:prod-*'] },
    { title: 'Names and filters together', steps: ['/instances stop staging-1 status:running'] },
    { title: 'Too many at the same time', steps: ['/instances stop name:staging-* --at-once 100'] },
  ],
};

const typed: Act = {
  heading,
  hosting: world(stagings(11)),
  scenarios: [
    {
      title: 'From ten on, the count is typed',
      steps: [
        '/instances stop name:staging-*',
        ':press Stop 11',
        { line: ':type 10', isAnsweredInModal: true },
        ':close',
      ],
    },
  ],
};

const failing: Act = {
  heading,
  hosting: world(stagings(5)),
  scenarios: [
    {
      title: 'Two fail, and are asked for again by one press',
      steps: [
        happens('The service refuses staging-2 and staging-4 once.', ({ hosting }) => {
          for (const id of [502, 504]) hosting.failNext({ path: new RegExp(`/${id}/stop$`) }, REFUSED);
        }),
        '/instances stop name:staging-* --at-once 1',
        ':press Stop 5',
        ':press Retry failed',
      ],
    },
    {
      title: 'After three failures, no more are started',
      steps: [
        happens('The service refuses the first three starts.', ({ hosting }) =>
          hosting.failNext({ path: /\/start$/ }, REFUSED, 3),
        ),
        '/instances start name:staging-* --at-once 1',
        ':press Start 5',
      ],
    },
    { title: 'Somebody goes on with the rest', steps: [':press Continue with the rest', ':press Start 2'] },
  ],
};

const stopped: Act = {
  heading,
  hosting: { ...world(stagings(3)), powerMs: LONG_MS },
  timings: { patienceMs: LONG_MS, slowAfterMs: LONG_MS },
  scenarios: [
    {
      title: 'The rest is stopped while the first one runs',
      steps: [
        '/instances stop name:staging-* --at-once 1',
        until('It reports stopping', ':press Stop 3'),
        until('Canceled the rest', ':press Cancel the rest'),
        happens('The first stop ends.', ({ hosting }) => hosting.hurry(2 * LONG_MS)),
      ],
    },
  ],
};

export const SEVERAL: readonly Act[] = [shown, typed, failing, stopped];
