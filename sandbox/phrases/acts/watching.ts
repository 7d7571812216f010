import { type Act, happens, type HappensStep, WELCOME } from '../scenario.ts';

const heading = 'Watches';
const who = 'admin';
/** The bot looks so often, and what it tells takes a moment. */
const timings = { watchEveryMs: 40, unhealthyAfterMs: 150, sweepEveryMs: 100 };
const QUIET_MS = 500;
const MORE = { tier: 'balanced', dailyCredits: 1, createdDaysAgo: 0, behavior: {} } as const;
const NODES = Array.from({ length: 6 }, (_, index) => 1_001 + index);

/** Somebody does something with an instance at the hosting company. */
function elsewhere(
  sentence: string,
  status: 'stopped' | 'running' | 'error' | 'paused',
  words: string,
  ids: readonly number[] = [101],
): HappensStep {
  return happens(sentence, ({ hosting }) => ids.forEach((id) => hosting.changeStatus(id, status)), words);
}

const settings: Act = {
  heading,
  timings,
  quietMs: QUIET_MS,
  scenarios: [
    { title: 'Nothing is watched yet', steps: ['/instances watches', '/instances unwatch'] },
    {
      title: 'An operator wants a channel to hear of instances that no admin chose',
      steps: ['/instances watch name:web-*'],
    },
    {
      title: 'What is to be watched is not clear',
      who,
      steps: ['/instances watch', '/instances watch status:running', '/instances watch zeppelin'],
    },
    {
      title: 'An admin sets watches',
      who,
      steps: [
        '/instances watch name:web-*',
        '/instances watch name:web-*',
        '/instances watch db-1',
        '/instances watches',
      ],
    },
    {
      title: 'They are ended',
      who,
      steps: ['/instances unwatch', '/instances unwatch db-1', '/instances watches', ':press Unwatch'],
    },
  ],
};

const incidents: Act = {
  heading,
  timings,
  quietMs: QUIET_MS,
  scenarios: [
    {
      title: 'An instance is stopped elsewhere',
      who,
      steps: [
        '/instances watch name:web-*',
        elsewhere('Somebody stops web-1 elsewhere.', 'stopped', 'was stopped'),
        ":press I'm on it",
        elsewhere('Somebody starts it.', 'running', 'is running again'),
        elsewhere('It is stopped once more.', 'stopped', 'came and went'),
        elsewhere('And started.', 'running', '2 times'),
      ],
    },
    {
      title: 'An instance is snoozed, and its trouble becomes another',
      who,
      steps: [
        elsewhere('web-2 reports an error.', 'error', 'web-2 (102) reports an error', [102]),
        ':press Snooze for four hours',
        ':press End snooze',
        elsewhere('It runs again.', 'running', 'web-2 (102) is running again', [102]),
      ],
    },
    {
      title: 'Trouble becomes other trouble',
      who,
      steps: [
        '/instances watch name:worker-*',
        elsewhere('worker-1 is stopped.', 'stopped', 'worker-1 (103) was stopped', [103]),
        elsewhere('The host pauses it.', 'paused', 'it is paused now', [103]),
      ],
    },
    {
      title: 'An instance is unhealthy, one is created, one is deleted',
      who,
      steps: [
        '/instances watch name:db-*',
        happens(
          'db-1 is unhealthy.',
          ({ hosting }) => hosting.changeHealth(105, 'unhealthy'),
          'has been unhealthy',
        ),
        happens(
          'It is healthy again.',
          ({ hosting }) => hosting.changeHealth(105, 'healthy'),
          'is healthy again',
        ),
        happens(
          'Somebody creates db-9.',
          ({ hosting }) =>
            hosting.addInstance('harbour', { id: 905, name: 'db-9', status: 'running', ...MORE }),
          'was created',
        ),
        happens('And deletes it.', ({ hosting }) => hosting.removeInstance(905), 'was deleted'),
      ],
    },
  ],
};

const many: Act = {
  heading,
  timings,
  quietMs: QUIET_MS,
  scenarios: [
    {
      title: 'Many change at once',
      who,
      steps: [
        happens('', ({ hosting }) => {
          for (const id of NODES)
            hosting.addInstance('harbour', {
              ...MORE,
              id,
              name: `node-${id}`,
              status: 'running',
              createdDaysAgo: 3,
            });
        }),
        '/instances watch name:node-*',
        elsewhere('Six instances are stopped.', 'stopped', '6 instances changed', NODES),
        ":press I'm on it",
        ':press Start all',
        elsewhere('Four run again.', 'running', '4 are running again', NODES.slice(0, 4)),
        elsewhere('All run again.', 'running', 'node-1006 (1006) is running again', NODES),
      ],
    },
    {
      title: 'What was asked for here is not reported',
      steps: ['/instances stop node-1001', '/instances start node-1001'],
    },
  ],
};

const rights: Act = {
  heading,
  timings,
  quietMs: QUIET_MS,
  env: { LAMPLIGHTER_EVERYONE: 'none' },
  awaits: WELCOME,
  scenarios: [
    {
      title: 'The person who set a watch may see nothing any more, and then again',
      who,
      steps: [
        '/instances watch name:web-*',
        '/instances unwatch name:web-*',
        '/lamplighter access grant operator @ana',
        ':as ana',
        '/instances watch name:web-*',
        ':as admin',
        '/lamplighter access revoke operator @ana',
        '/instances watches',
        '/lamplighter access grant operator @ana',
      ],
    },
  ],
};

const gone: Act = {
  heading,
  timings,
  quietMs: QUIET_MS,
  scenarios: [
    {
      title: 'The bot can not post in the channel any more',
      who,
      steps: [
        '/instances watch name:web-*',
        happens(
          'The channel is archived, and web-1 is stopped.',
          ({ slack, hosting }) => {
            slack.channel('#ops').archive();
            hosting.changeStatus(101, 'stopped');
          },
          'I stopped watching',
        ),
      ],
    },
  ],
};

export const WATCHING: readonly Act[] = [settings, incidents, many, rights, gone];
