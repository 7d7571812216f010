import { setTimeout as wait } from 'node:timers/promises';
import { customer, instance, worldOf } from '../../world.ts';
import type { Act } from '../scenario.ts';
import { happens } from '../scenario.ts';

/** Instances by the dozen, none of them with a peculiarity. */
function many(count: number): ReturnType<typeof worldOf> {
  return worldOf(
    Array.from({ length: count }, (_, index) => instance(1_000 + index, `box-${1_000 + index}`)),
  );
}

const list: Act = {
  heading: 'The list of instances',
  scenarios: [
    { title: 'Everything', steps: ['/instances'] },
    { title: 'Only some', steps: ['/instances list status:stopped,paused -name:needs-*'] },
    { title: 'None matches', steps: ['/instances list tier:gigantic'] },
    { title: 'The filter is not known', steps: ['/instances list color:red'] },
    {
      title: 'The status is not known',
      steps: ['/instances list status:runing', '/instances stop status:runing'],
    },
    { title: 'Those with an add-on', steps: ['/instances list addon:llm'] },
    { title: 'A button narrows it', steps: ['/instances', ':press Stopped 3'] },
  ],
};
const none: Act = {
  heading: 'The list of instances',
  hosting: { world: { customers: [customer('harbour')] } },
  scenarios: [
    { title: 'There is no instance', steps: ['/instances'] },
    { title: 'There is no instance to show', steps: ['/instances show'] },
  ],
};
const pages: Act = {
  heading: 'The list of instances',
  hosting: { world: many(42) },
  scenarios: [{ title: 'It has two pages', steps: ['/instances', ':press Next 2'] }],
};
const cut: Act = {
  heading: 'The list of instances',
  hosting: { world: many(10), variant: { paging: { style: 'total alone', size: 5 } } },
  scenarios: [
    { title: 'The service gives only a part of it', steps: ['/instances'] },
    { title: 'None of those that could be read matches', steps: ['/instances list tier:gigantic'] },
    { title: 'It may be among those that could not be read', steps: ['/instances show box-1009'] },
    { title: 'A change is asked for that may be among those', steps: ['/instances stop box-1009'] },
  ],
};
const perhapsCut: Act = {
  heading: 'The list of instances',
  hosting: { world: many(25), variant: { paging: { style: 'silent', size: 25 } } },
  scenarios: [{ title: 'Nobody can tell whether it is all', steps: ['/instances list name:box-100*'] }],
};

/** Past this, what a long list says is looked up by its id. */
const OUTDATED_MS = 1_100;
const long: Act = {
  heading: 'The list of instances',
  hosting: { world: many(600), variant: { paging: { style: 'pages', size: 100 } } },
  // So few calls that it is read again long after what is played here, on a slow machine too.
  limit: { requests: 30, seconds: 60 },
  scenarios: [
    {
      title: 'It is too long to be read for each question',
      steps: [
        '/instances list name:box-100*',
        happens('A few seconds pass.', () => wait(OUTDATED_MS)),
        '/instances list name:box-100*',
      ],
    },
    {
      title: 'An instance may be newer than the list',
      steps: [
        happens('Somebody adds one in the dashboard.', ({ hosting }) =>
          hosting.addInstance('harbour', instance(5_007, 'fresh')),
        ),
        '/instances restart fresh',
      ],
    },
    {
      title: 'An instance is not what the list says any more',
      steps: [
        happens('Somebody deletes it in the dashboard.', ({ hosting }) => hosting.removeInstance(1_007)),
        '/instances restart box-1007',
      ],
    },
  ],
};

const show: Act = {
  heading: 'One instance',
  scenarios: [
    { title: 'It is running', steps: ['/instances show web-1'] },
    { title: 'It is stopped', steps: ['/instances staging'] },
    { title: 'It is paused', steps: ['/instances show paused'] },
    { title: 'It waits for its configuration', steps: ['/instances show needs-owner'] },
    { title: 'The name is a prefix of several', steps: ['/instances show web'] },
    { title: 'Two have that name', steps: ['/instances show twins'] },
    { title: 'There is none', steps: ['/instances show zeppelin'] },
    { title: 'None is named', steps: ['/instances show'] },
    { title: 'A button is pressed', steps: ['/instances show web-2', ':press Restart'] },
    {
      title: 'The button is for an instance that is gone',
      steps: [
        '/instances show db-1',
        happens('Somebody deletes it in the dashboard.', ({ hosting }) => hosting.removeInstance(105)),
        ':press Stop',
      ],
    },
    {
      title: 'The button is for an instance that another has replaced',
      steps: [
        '/instances show worker-1',
        happens('Another takes its place, under its id.', ({ hosting }) => {
          hosting.removeInstance(103);
          hosting.addInstance('harbour', instance(103, 'worker-1'));
        }),
        ':press Stop',
      ],
    },
  ],
};

const lookups: Act = {
  heading: 'Which instance is meant',
  scenarios: [
    { title: 'No instance is named', steps: ['/instances restart', ':pick web-', ':pick worker'] },
    { title: 'A part of a name is no name', steps: ['/instances stop web'] },
    { title: 'A name has a typing error', steps: ['/instances restart wbe-1'] },
    { title: 'Nothing has such a name', steps: ['/instances restart zeppelin'] },
    { title: 'Another customer has it', steps: ['/instances restart not-yours'] },
    { title: 'Two have one name', steps: ['/instances restart twins'] },
    { title: 'The id is that of another', steps: ['/instances restart "web-1 (102)"'] },
    { title: 'Several are named at once', steps: ['/instances stop web-1 web-2'] },
    { title: 'A filter is given', steps: ['/instances stop name:web-*'] },
    { title: 'No instance has the name in a dry run', steps: ['/instances stop web --dry-run'] },
  ],
};

const words: Act = {
  heading: 'Words that are not understood',
  scenarios: [
    { title: 'The verb has a typing error', steps: ['/instances restrat web-1'] },
    { title: 'Nothing like the verb is known', steps: ['/instances frobnicate web-1'] },
    { title: 'A quotation mark is not closed', steps: ['/instances restart "web-1'] },
    { title: 'An option is not known', steps: ['/instances restart web-1 --force'] },
    { title: 'It is very long', steps: [`/instances restart ${'web-1 '.repeat(700)}`.trim()] },
    { title: 'The bot is only greeted', steps: ['@lamplighter hello'] },
    { title: 'The bot is mentioned without a word', steps: ['@lamplighter'] },
    { title: 'The verb of another command', steps: ['/addons restart web-1'] },
    { title: 'A verb of billing is not known', who: 'admin', steps: ['/billing blanace'] },
  ],
};

export const INSTANCES: readonly Act[] = [list, none, pages, cut, perhapsCut, long, show, lookups, words];
