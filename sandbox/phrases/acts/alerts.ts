import { type Act, happens, type HappensStep, WELCOME } from '../scenario.ts';
import { DIGEST } from '../../../src/features/billing/digest/record.ts';
import { letBeDue } from '../due-bulletin.ts';
import { letBotBeBack, letFarewellBePosted } from '../posted-farewell.ts';

const heading = 'Alerts';
const OPS = 'C0OPS000001';
const who = 'fin';
const env = { LAMPLIGHTER_EVERYONE: 'finance', BILLING_CHANNELS: OPS };
/** What the instances of harbour cost a day. */
const PER_DAY = 677;
const PAUSE_MS = 25;
/** Alerts are sent by a job of their own. */
const QUIET_MS = 700;

/** The balance falls or rises to so many days, and the bot looks. */
function lasts(days: number): HappensStep {
  return happens(`The balance is set to ${days} days.`, async ({ hosting, look }) => {
    hosting.setBalance('harbour', Math.round(days * PER_DAY));
    await look();
  });
}

/** Time passes, and the bot looks once more. */
const looksAgain: HappensStep = happens('Time passes.', async ({ look }) => {
  await new Promise((done) => {
    setTimeout(done, PAUSE_MS);
  });
  await look();
});

const settings: Act = {
  quietMs: QUIET_MS,
  heading,
  env,
  timings: { billingCheckEveryMs: 3_600_000 },
  scenarios: [
    { title: 'How they are set, while all is well', who, steps: [lasts(9), '/billing alerts'] },
    { title: 'The thresholds are changed', who, steps: ['/billing alerts set warn 6d critical 3d'] },
    { title: 'The thresholds are credits', who, steps: ['/billing alerts set warn 900 critical 300'] },
    { title: 'The thresholds are mixed', who, steps: ['/billing alerts set warn 5d critical 300'] },
    { title: 'Warn is below critical', who, steps: ['/billing alerts set warn 2d critical 5d'] },
    {
      title: 'A threshold can not be read',
      who,
      steps: ['/billing alerts set warn soon', '/billing alerts set', '/billing alerts set loud 5d'],
    },
    { title: 'The word is not known', who, steps: ['/billing alerts louder', '/billing alerts off 4h'] },
    { title: 'A test', who, steps: ['/billing alerts test'] },
    { title: 'They go to this channel', who, steps: ['/billing alerts here'] },
    { title: 'They can not go to this channel', who, where: '#billing', steps: ['/billing alerts here'] },
    { title: 'There is nothing to answer', who, steps: ['/billing alerts ack', '/billing alerts snooze 4h'] },
    {
      title: 'They are switched off and on',
      who,
      steps: ['/billing alerts off', '/billing alerts', '/billing alerts on'],
    },
  ],
};
const kept: Act = {
  quietMs: QUIET_MS,
  heading,
  env: { LAMPLIGHTER_EVERYONE: 'none', BILLING_WARN: '5d' },
  awaits: WELCOME,
  timings: { billingCheckEveryMs: 3_600_000 },
  scenarios: [
    {
      title: 'The thresholds are kept in the configuration, and no channel is named',
      who: 'admin',
      steps: [lasts(9), '/billing alerts', '/billing alerts set warn 6d', '/billing alerts here'],
    },
  ],
};

const episode: Act = {
  quietMs: QUIET_MS,
  heading: 'A low balance',
  env,
  scenarios: [
    {
      title: 'It falls to zero and rises again',
      who,
      steps: [
        lasts(9),
        lasts(4),
        '/billing alerts',
        ":press I'm on it",
        ':as ana',
        ':press Hand back',
        ':as fin',
        ':press Snooze for an hour',
        lasts(1.5),
        ':press Snooze for a day',
        '/billing alerts snooze 3d',
        '/billing alerts ack',
        '/billing alerts',
        lasts(0.4),
        lasts(0),
        '/billing alerts',
        lasts(40),
      ],
    },
  ],
};
const toppedUp: Act = {
  quietMs: QUIET_MS,
  heading: 'A balance that is topped up automatically',
  env: { ...env, BILLING_AUTO_TOPUP: 'yes', BILLING_TOPUP_URL: 'https://console.example.com/billing' },
  scenarios: [
    {
      title: 'No top-up comes, then one that is not enough, then one that is',
      who,
      steps: [
        lasts(4),
        '/billing',
        '/billing alerts',
        lasts(40),
        lasts(4),
        lasts(1.5),
        '/billing alerts',
        lasts(1.8),
        lasts(0),
        lasts(40),
      ],
    },
  ],
};
const heeded: Act = {
  quietMs: QUIET_MS,
  heading: 'A low balance',
  env,
  timings: { stillOnItAfterMs: 1, handBackAfterMs: 1 },
  scenarios: [
    {
      title: 'Somebody is on it, and is asked whether they still are',
      who,
      steps: [lasts(4), ":press I'm on it", looksAgain, ':press Still on it', looksAgain, looksAgain],
    },
  ],
};
const snoozed: Act = {
  quietMs: QUIET_MS,
  heading: 'A low balance',
  env,
  scenarios: [
    {
      title: 'Alerts are switched off meanwhile',
      who,
      steps: [lasts(4), '/billing alerts snooze 8d', '/billing alerts snooze', '/billing alerts off'],
    },
  ],
};
const escalated: Act = {
  quietMs: QUIET_MS,
  heading: 'A low balance',
  env: { ...env, BILLING_ESCALATE_TO: 'U0ANA000001' },
  timings: { escalateAfterMs: 1 },
  scenarios: [
    {
      title: 'Nobody is on a critical one, so that somebody gets a direct message',
      who,
      steps: [lasts(1), looksAgain],
    },
  ],
};
const moved: Act = {
  quietMs: QUIET_MS,
  heading: 'A low balance',
  env: { LAMPLIGHTER_EVERYONE: 'none' },
  awaits: WELCOME,
  scenarios: [
    {
      title: 'The first admin hears of it alone, and moves it to a channel',
      who: 'admin',
      steps: [lasts(4), '/billing alerts here'],
    },
  ],
};
const blind: Act = {
  quietMs: QUIET_MS,
  heading: 'A low balance',
  env,
  timings: { unknownAfterMs: 1 },
  scenarios: [
    {
      title: 'The balance can not be read for long, and then again',
      who,
      steps: [
        lasts(9),
        happens('Reading the balance is answered 500.', async ({ hosting, look }) => {
          hosting.breakBalance('harbour', { answer: 500, done: false });
          await look();
        }),
        looksAgain,
        '/billing alerts',
        happens('It can be read again.', async ({ hosting, look }) => {
          hosting.mendBalance('harbour');
          await look();
        }),
      ],
    },
  ],
};

/** Looks at what Slack has follow each other closely. */
const silent: Act = {
  quietMs: QUIET_MS,
  heading: 'A bot that falls silent',
  env,
  timings: { billingCheckEveryMs: 3_600_000, watchdogEveryMs: 100 },
  scenarios: [
    {
      title:
        'Slack posts by itself what the bot has scheduled ahead, and the bot says below it that it is back',
      who,
      steps: [
        lasts(4),
        happens(
          'Every process is killed. Within 20 minutes:',
          ({ slack }) => letFarewellBePosted(slack),
          'I have been silent since',
        ),
        happens(
          'A process is started again.',
          async ({ redisUrl, replaceBot }) => {
            await letBotBeBack(redisUrl);
            await replaceBot({});
          },
          "I'm back",
        ),
      ],
    },
  ],
};

const digest: Act = {
  quietMs: QUIET_MS,
  heading: 'The weekly digest',
  env,
  timings: { billingCheckEveryMs: 3_600_000 },
  scenarios: [
    { title: 'There is none', who, steps: ['/billing digest', '/billing digest off'] },
    {
      title: 'The schedule can not be read',
      who,
      steps: [
        '/billing digest weekly',
        '/billing digest weekly someday 09:00',
        '/billing digest weekly mon 25:00',
        '/billing digest weekly mon 09:00 Atlantis',
        '/billing digest weekly mon 09:00 UTC loudly',
      ],
    },
    {
      title: 'It can not go to this channel',
      who,
      where: '#billing',
      steps: ['/billing digest weekly mon 09:00'],
    },
    {
      title: 'It is set, comes, and is switched off',
      who,
      steps: [
        '/billing digest weekly mon 09:00 Europe/Madrid',
        happens('It is due.', (to) => letBeDue(to, DIGEST), 'In the last seven days'),
        '/billing digest off',
      ],
    },
  ],
};

export const ALERTS: readonly Act[] = [
  settings,
  kept,
  episode,
  toppedUp,
  heeded,
  snoozed,
  escalated,
  moved,
  blind,
  silent,
  digest,
];
