import { instance, worldOf } from '../../world.ts';
import type { Act } from '../scenario.ts';
import { happens } from '../scenario.ts';

const HEADING = 'Favorites';
const fleet = worldOf([
  instance(1, 'stg-1'),
  instance(2, 'stg-2', { status: 'stopped' }),
  instance(3, 'prod-1'),
]);

const favorites: Act = {
  heading: HEADING,
  hosting: { world: fleet },
  scenarios: [
    { title: 'There is none', steps: ['/instances favorites'] },
    {
      title: 'Filters are given a name',
      steps: ['/instances save nightly = name:stg-*', '/instances nightly'],
    },
    { title: 'They are used with more filters', steps: ['/instances nightly status:stopped'] },
    { title: 'Several are asked for by it', steps: ['/instances stop nightly'] },
    {
      title: 'Two are named',
      steps: ['/instances save prods = name:prod-*', '/instances list nightly prods'],
    },
    { title: 'They are listed', steps: ['/instances favorites'] },
    { title: 'One is saved again by somebody else', who: 'bob', steps: ['/instances save nightly = name:*'] },
    {
      title: 'An instance has its name',
      steps: [
        happens('Somebody adds an instance in the dashboard.', ({ hosting }) =>
          hosting.addInstance('harbour', instance(4, 'nightly')),
        ),
        '/instances stop nightly',
      ],
    },
    { title: 'One is removed by its button', steps: ['/instances favorites', ':press Remove prods'] },
    { title: 'There is none of that name', steps: ['/instances forget prods'] },
  ],
};
const refused: Act = {
  heading: HEADING,
  hosting: { world: fleet },
  scenarios: [
    { title: 'Its name is a verb', steps: ['/instances save stop = name:stg-*'] },
    { title: 'Its name is not one word', steps: ['/instances save every night = name:stg-*'] },
    { title: 'It has no filters', steps: ['/instances save nightly'] },
    { title: 'It has more than filters', steps: ['/instances save nightly = stg-1'] },
  ],
};

export const FAVORITES: readonly Act[] = [favorites, refused];
