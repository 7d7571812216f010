import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../../hosting/behavior.ts';
import { type Act, type Backstage, happens, type HappensStep, type Scenario, until } from '../scenario.ts';

const UNDER_WAY = 'A start, stop or restart under way';
/** What is in progress stays so until it is hurried, and nothing is given up meanwhile. */
const LONG_MS = 600_000;
const LIMIT_MS = 20_000;
/** An answer that holds nothing of what was asked for. */
const UNREADABLE: Fault = { answer: 200, done: false, body: '{}' };
const lasting: Pick<Act, 'heading' | 'hosting'> = { heading: UNDER_WAY, hosting: { powerMs: LONG_MS } };
const patient = { slowAfterMs: LONG_MS, patienceMs: LONG_MS };

function finishes(sentence: string): HappensStep {
  return happens(sentence, async (backstage) => {
    await looksAround(backstage);
    backstage.hosting.hurry(2 * LONG_MS);
  });
}

/** Three looks from now, by which the first has certainly been written down. */
async function looksAround({ hosting }: Backstage): Promise<void> {
  const looks = (): number => hosting.countCalls('GET', /\/instances/);
  const enough = looks() + 3;
  for (const last = Date.now() + LIMIT_MS; looks() < enough; await wait(10))
    if (Date.now() > last) throw new Error('the bot does not look');
}

const lost: Act = {
  ...lasting,
  timings: patient,
  scenarios: [
    {
      title: 'The answer is lost, and the restart is seen on its way',
      steps: [until('still checking', '/instances restart loses-answers'), finishes('The restart ends.')],
    },
  ],
};
const lostStop: Act = {
  ...lasting,
  timings: patient,
  scenarios: [
    {
      title: 'The answer is lost, and the stop is seen on its way',
      steps: [until('still checking', '/instances stop loses-answers'), finishes('The stop ends.')],
    },
  ],
};
const slow: Act = {
  ...lasting,
  timings: { ...patient, slowAfterMs: 1 },
  scenarios: [
    {
      title: 'It takes longer than usual',
      steps: [until('longer than usual', '/instances restart web-1'), finishes('The restart ends.')],
    },
  ],
};

/** Reads fail while a restart is under way, until it ends. */
function unread(name: string, title: string, fault: number | Fault, words: string): Scenario {
  let mend = (): void => undefined;
  return {
    title,
    steps: [
      until('It reports restarting', `/instances restart ${name}`),
      happens(
        'Each look fails.',
        ({ hosting }) => {
          mend = hosting.failNext({ method: 'GET' }, fault, Infinity);
        },
        words,
      ),
      happens('The restart ends, and the service answers again.', ({ hosting }) => {
        hosting.hurry(2 * LONG_MS);
        mend();
      }),
    ],
  };
}

const blind: Act = {
  ...lasting,
  timings: patient,
  scenarios: [
    unread('web-1', 'The service is down for a while', 501, "isn't answering right now"),
    unread('web-2', 'The service gives no usable answer for a while', UNREADABLE, 'giving a usable answer'),
  ],
};

/** Every read fails for as long as the act lasts. */
function failing(title: string, fault: number | Fault): Act {
  return {
    heading: 'The hosting service fails while it is read',
    scenarios: [
      {
        title,
        steps: [
          happens('', ({ hosting }) => hosting.failNext({ method: 'GET' }, fault, Infinity)),
          '/instances',
        ],
      },
      { title: `${title}, and somebody asks for the balance`, who: 'admin', steps: ['/billing'] },
    ],
  };
}

const wentDown: Act = {
  heading: 'The hosting service fails while it is read',
  scenarios: [
    {
      title: 'It is down after the list was read',
      who: 'admin',
      steps: [
        '/instances list name:w*',
        happens('The service goes down.', ({ hosting }) => {
          hosting.failNext({ method: 'GET' }, 503, Infinity);
        }),
        '/instances list name:w*',
        '/instances show web-1',
        '/instances restart web-1',
        '/billing usage',
      ],
    },
  ],
};

export const FAULTS: readonly Act[] = [
  wentDown,
  lost,
  lostStop,
  slow,
  blind,
  failing('It answers with an error', 500),
  failing("It isn't taking more requests", { answer: 429, done: false, retryAfterSeconds: 100 }),
  failing('It can not be reached', { answer: 'reset', done: false }),
  failing('It refuses the key', 401),
  failing('Its answer can not be read', { answer: 200, done: false, body: '<html>Welcome</html>' }),
];
