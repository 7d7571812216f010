import { type Act, happens } from '../scenario.ts';

const MORE = { tier: 'balanced', dailyCredits: 1, createdDaysAgo: 0, behavior: {} } as const;

const threads: Act = {
  heading: 'Ways in',
  scenarios: [
    {
      title: 'Somebody mentions the bot in the thread of a card',
      steps: ['/instances stop web-1', ':reply @lamplighter show this', ':reply @lamplighter start this'],
    },
    {
      title: 'It is not clear which instance is meant',
      steps: [
        '@lamplighter restart this',
        ':reply @lamplighter stop web-2',
        ':reply @lamplighter start this',
      ],
    },
    {
      title: 'The instance is not the same any more',
      steps: [
        '/instances stop worker-1',
        happens('Somebody gives worker-1 another name.', ({ hosting }) =>
          hosting.renameInstance(103, 'worker-old'),
        ),
        ':reply @lamplighter start this',
        happens('It is deleted.', ({ hosting }) => hosting.removeInstance(103)),
        ':reply @lamplighter start this',
      ],
    },
    {
      title: 'An instance has that very name',
      steps: [
        happens('', ({ hosting }) =>
          hosting.addInstance('harbour', { ...MORE, id: 905, name: 'this', status: 'running' }),
        ),
        '/instances stop db-1',
        ':reply @lamplighter start this',
      ],
    },
    {
      title: 'A thread is about no instance',
      who: 'admin',
      steps: ['/instances watch name:web-*', ':reply @lamplighter restart this'],
    },
  ],
};

const messages: Act = {
  heading: 'Ways in',
  scenarios: [
    {
      title: 'A message names one instance',
      steps: ['web-1 hangs', ':shortcut Act on an instance', ':press Stop'],
    },
    {
      title: 'A message names several',
      steps: ['staging waits for web-1, web-2 and 105', ':shortcut Act on an instance'],
    },
    {
      title: 'A message names more than are shown',
      steps: ['101 102 103 104 105 201 202', ':shortcut Act on an instance'],
    },
    {
      title: 'A message names none',
      steps: ['Lunch?', ':shortcut Act on an instance', ':pick web-2'],
    },
  ],
};

const anywhere: Act = {
  heading: 'Ways in',
  scenarios: [
    {
      title: 'Somebody looks for an instance from anywhere',
      steps: [':shortcut Find an instance', ':pick worker-1', ':press Show'],
    },
  ],
};

export const WAYS_IN: readonly Act[] = [threads, messages, anywhere];
