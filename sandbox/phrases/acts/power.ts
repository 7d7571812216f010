import { instance, worldOf } from '../../world.ts';
import { type Act, happens, until } from '../scenario.ts';

const heading = 'Start, stop and restart';

/** The service does what it is asked for, or says that it can't. */
const answered: Act = {
  heading,
  scenarios: [
    { title: 'A restart succeeds', steps: ['/instances restart web-1 --because "it leaks memory"'] },
    { title: 'A start succeeds', steps: ['/instances start staging'] },
    { title: 'A stop succeeds', steps: ['/instances stop db-1'] },
    { title: 'A restart by a mention succeeds', steps: ['@lamplighter restart worker-1'] },
    { title: 'A name that tries to be markup is shown as it is', steps: ['/instances stop 211'] },
    {
      title: 'A restart ends in an error, and is tried again',
      steps: ['/instances restart breaks', ':press Try again'],
    },
    { title: 'The instance is gone after the call', steps: ['/instances restart gone-soon'] },
    { title: 'The service says 429 once', steps: ['/instances restart says-429'] },
    { title: 'The service says 503 once', steps: ['/instances stop says-503'] },
    { title: 'The service says 503 to each stop', steps: ['/instances stop always-503'] },
    { title: 'The service says 503 to a restart', steps: ['/instances restart always-503'] },
  ],
};

/** The service gives no answer; what hangs on when something is seen is left out, since a busy machine sees it otherwise. */
const lost: Act = {
  heading,
  timings: { settleMs: 300 },
  scenarios: [
    {
      title: 'A restart never arrives, and is asked again',
      steps: ['/instances restart loses-requests', ':press Restart again'],
    },
    { title: 'A lost start may have done nothing', steps: ['/instances start takes-anything'] },
  ],
};
/** The service behaves otherwise than it documents. */
const documented: Act = {
  heading,
  hosting: { style: 'documented' },
  scenarios: [
    {
      title: 'The service accepts a restart, and nothing more is ever seen of it',
      steps: ['/instances restart web-1'],
    },
  ],
};
const refused: Act = {
  heading,
  scenarios: [
    {
      title: 'The service refuses with a sentence of its own',
      steps: [
        happens('', ({ hosting }) =>
          hosting.failNext(
            { method: 'POST' },
            { answer: 422, done: false, message: 'Host is in maintenance.' },
          ),
        ),
        '/instances restart web-1',
      ],
    },
    {
      title: 'There is not enough credit',
      steps: [
        happens('', ({ hosting }) => hosting.failNext({ method: 'POST' }, 402)),
        '/instances start staging',
      ],
    },
    {
      title: 'The key is refused',
      steps: [
        happens('', ({ hosting }) => hosting.failNext({ method: 'POST' }, 403)),
        '/instances stop web-2',
      ],
    },
    {
      title: 'Slack refuses the bot while it asks',
      steps: [
        happens('', ({ slack }) => slack.setScope('chat:write', false)),
        '/instances stop worker-1',
        happens('', ({ slack }) => slack.setScope('chat:write', true)),
      ],
    },
  ],
};

/** Power actions that are not begun: the state is there from the start, because a list may be a second old. */
const stateful: Act = {
  heading: 'Start, stop and restart that are not begun',
  hosting: {
    world: worldOf([
      instance(1, 'web-1', { status: 'stopping' }),
      instance(2, 'web-2', { status: 'deleting' }),
      instance(3, 'web-3', { status: 'error' }),
      instance(4, 'web-4', { status: 'deploying' }),
      instance(5, 'web-5'),
      instance(6, 'web-6', { status: 'stopped' }),
      instance(7, 'web-7', { status: 'paused' }),
      instance(8, 'web-8', { status: 'pending_configuration' }),
    ]),
    variant: { statusWords: { deploying: 'hibernating' } },
  },
  scenarios: [
    { title: 'It is running already', steps: ['/instances start web-5'] },
    { title: 'It is stopped already', steps: ['/instances stop web-6'] },
    { title: 'What is stopped is restarted', steps: ['/instances restart web-6'] },
    { title: 'It is paused because the credit ran out', steps: ['/instances start web-7'] },
    { title: 'It waits for its configuration', steps: ['/instances start web-8'] },
    { title: 'Somebody stops it in the dashboard', steps: ['/instances restart web-1'] },
    { title: 'Somebody deletes it in the dashboard', steps: ['/instances restart web-2'] },
    { title: 'It reports an error and may not be stopped', steps: ['/instances stop web-3'] },
    { title: 'It has a status that nobody knows', steps: ['/instances stop web-4'] },
    { title: 'A dry run', steps: ['/instances restart web-5 --dry-run'] },
  ],
};

/** Somebody asks for what is under way. */
const busy: Act = {
  heading,
  hosting: { powerMs: 600_000 },
  scenarios: [
    {
      title: 'It is restarting already, and the second person wants to be notified too',
      steps: [
        until('It reports restarting', '/instances restart web-1'),
        ':as bob',
        until('already restarting', '/instances restart web-1'),
        until('mention you', ':press Tell me too'),
        until('Try again when', '/instances stop web-1'),
        until('Address', '/instances show web-1'),
        until('One operation is in progress', '/lamplighter operations'),
        happens('The restart ends.', ({ hosting }) => hosting.hurry(700_000)),
        '/lamplighter operations',
      ],
    },
  ],
};

export const POWER: readonly Act[] = [answered, lost, documented, refused, busy, stateful];
