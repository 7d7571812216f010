import { FAR_OFF_HOUR, FAR_OFF_HOURS } from '../far-off-hour.ts';
import { customer, instance } from '../../world.ts';
import { letSchedulesBeDue, letSchedulesLook } from '../due-schedule.ts';
import { type Act, type Backstage, happens, type HappensStep } from '../scenario.ts';

const heading = 'Schedules';
const MINUTE_MS = 60_000;
/** A schedule speaks by itself, without anything that is open. */
const QUIET_MS = 500;
const DAY_MS = 24 * 60 * MINUTE_MS;

const hosting: NonNullable<Act['hosting']> = {
  world: {
    customers: [
      customer('harbour', {
        instances: [
          instance(501, 'staging-1'),
          instance(502, 'staging-2'),
          instance(511, 'staging-db'),
          instance(512, 'staging-old', { status: 'stopped' }),
        ],
      }),
    ],
  },
};

function due(sentence: string, inMs: number, words: string): HappensStep {
  return happens(sentence, (backstage) => letSchedulesBeDue(backstage, inMs), words);
}

/** Of two who are told the same, either may be the first. */
async function isToldInDm({ slack }: Backstage, handle: string, words: string): Promise<void> {
  await slack.until(() => slack.person(handle).dms.some((message) => slack.read(message).includes(words)));
}

/** What else comes of it. */
const rest = happens('', () => undefined);

/** The next day on which clocks in Europe are set, as in 2027-03-28: the last Sunday of a month, counted from 0. */
function nextLastSundayOf(month: number): string {
  for (let year = new Date().getUTCFullYear(); ; year++) {
    const last = new Date(Date.UTC(year, month + 1, 0));
    const sunday = new Date(last.getTime() - last.getUTCDay() * DAY_MS);
    if (sunday.getTime() > Date.now()) return sunday.toISOString().slice(0, 'yyyy-mm-dd'.length);
  }
}

const saving: Act = {
  heading,
  hosting,
  quietMs: QUIET_MS,
  env: { LAMPLIGHTER_PROTECTED: 'staging-db' },
  scenarios: [
    { title: 'Nothing is scheduled yet', steps: ['/instances schedules'] },
    {
      title: 'A filter is shown with what it matches now and the next five runs, and saved',
      steps: [`/instances schedule name:staging-* stop at ${FAR_OFF_HOUR} daily UTC`, ':press Save'],
    },
    {
      title: 'The only schedule, with what can be done with it',
      steps: ['/instances schedules', ':press Skip next'],
    },
    {
      title: 'Names are kept as exact ids; without a time zone it is the own one',
      steps: [`/instances schedule staging-1 staging-2 restart at ${FAR_OFF_HOUR}`, ':press Save'],
    },
    { title: 'Several schedules', steps: ['/instances schedules'] },
    {
      title: 'The clock skips that time',
      steps: [
        `/instances schedule staging-1 stop once at ${nextLastSundayOf(2)} 02:30 Europe/Berlin`,
        ':press Cancel',
      ],
    },
    {
      title: 'The clock shows that time twice',
      steps: [`/instances schedule staging-1 stop once at ${nextLastSundayOf(9)} 02:30 Europe/Berlin`],
    },
    { title: 'No time at all', steps: ['/instances schedule staging-1'] },
    { title: 'A time that there is not', steps: ['/instances schedule staging-1 stop at 25:00'] },
    {
      title: 'Days that there are not',
      steps: ['/instances schedule staging-1 stop at 20:00 monday-fryday'],
    },
    {
      title: 'A zone that there is not',
      steps: ['/instances schedule staging-1 stop at 20:00 daily Berlin'],
    },
    { title: 'A day that is over', steps: ['/instances schedule staging-1 stop once at 2020-01-01 20:00'] },
    { title: 'No such instance', steps: ['/instances schedule staging-7 stop at 20:00'] },
    {
      title: 'Days are left out',
      steps: [
        `/instances schedule staging-1 stop at ${FAR_OFF_HOUR} mon-fri UTC except 24 Dec to 1 Jan, 1 May`,
        ':press Cancel',
      ],
    },
    {
      title: 'Days to leave out that there are not',
      steps: ['/instances schedule staging-1 stop at 20:00 except xmas'],
    },
    {
      title: 'Days to leave out that end before they begin',
      steps: ['/instances schedule staging-1 stop at 20:00 except 26 to 24 Dec'],
    },
  ],
};

const running: Act = {
  heading,
  hosting,
  quietMs: QUIET_MS,
  env: { LAMPLIGHTER_PROTECTED: 'staging-db' },
  scenarios: [
    {
      title: 'A stop is announced, and put off by an hour',
      steps: [
        `/instances schedule name:staging-* stop at ${FAR_OFF_HOUR} daily UTC`,
        ':press Save',
        due('It is ten minutes before the stop.', 10 * MINUTE_MS, '[ Not tonight ]'),
        rest,
        ':as bob',
        ':press One hour more',
      ],
    },
    {
      title: 'It is announced again, and left out',
      who: 'bob',
      steps: [
        due('It is ten minutes before the later stop.', 10 * MINUTE_MS, '[ Not tonight ]'),
        rest,
        ':press Not tonight',
      ],
    },
    {
      title: 'A run stops what its filter finds, and says what it leaves out',
      steps: [due('It is eight in the evening.', -1_000, '2 operations: all done.'), rest],
    },
    {
      title: 'A run finds nothing to do',
      steps: [due('It is eight in the evening of the next day.', -1_000, 'Nothing to stop'), rest],
    },
    {
      title: 'A run is missed',
      steps: [
        due('The bot starts again an hour after the run was due.', -60 * MINUTE_MS, 'was not run'),
        rest,
      ],
    },
    {
      title: 'It is paused, resumed and removed',
      steps: [
        '/instances schedules',
        ':press Pause until…',
        { line: ':type some day', isAnsweredInModal: true },
        ':type 3d',
        '/instances schedules',
        ':press Resume',
        '/instances schedules',
        ':press Remove',
      ],
    },
  ],
};

const kept: Act = {
  heading: 'Kept stopped',
  hosting,
  quietMs: QUIET_MS,
  env: { LAMPLIGHTER_PROTECTED: 'staging-db' },
  scenarios: [
    {
      title: 'Hours that are kept, and a stop without an end',
      steps: [
        '/instances schedule staging-1 stop at 20:00 daily and keep it stopped',
        `/instances schedule name:staging-* hours ${FAR_OFF_HOURS} UTC and keep it stopped`,
        ':press Save',
      ],
    },
    {
      title: 'What somebody starts meanwhile is stopped again, told before',
      who: 'bob',
      steps: [
        due('It is eight in the evening.', -1_000, '2 operations: all done.'),
        rest,
        '/instances start staging-1',
        happens('Ten minutes later.', (backstage) => letSchedulesLook(backstage), 'running again'),
        rest,
      ],
    },
    { title: 'Or it is left on', who: 'bob', steps: [':press Leave it on'] },
  ],
};

const forAWhile: Act = {
  heading: 'For a while',
  hosting,
  quietMs: QUIET_MS,
  env: { LAMPLIGHTER_PROTECTED: 'staging-db' },
  scenarios: [
    { title: 'A start for four hours', steps: ['/instances start staging-old for 4h'] },
    {
      title: 'It is put off, and its stop is announced',
      who: 'bob',
      steps: [
        ':press Longer…',
        { line: ':type soon', isAnsweredInModal: true },
        ':type 2h',
        due('It is ten minutes before the stop.', 10 * MINUTE_MS, 'will be stopped'),
        rest,
      ],
    },
    {
      title: 'It is stopped again, on a card of its own',
      steps: [due('The time is over.', -1_000, '1 operation: done.'), rest],
    },
    {
      title: 'A stop for two days is left as it is',
      steps: ['/instances stop staging-1 for 2 days', ':press Keep it'],
    },
    {
      title: 'A dry run says when it would be turned around',
      steps: ['/instances stop staging-2 for 4h --dry-run'],
    },
    {
      title: 'What could not be turned around is not begun',
      steps: [
        '/instances start staging-old for',
        '/instances stop staging-1 until 2099-01-01',
        '/instances start staging-2 for 4h',
      ],
    },
    {
      title: 'Several for four hours',
      steps: ['/instances stop staging-1 staging-2 staging-old for 4h'],
    },
    {
      title: 'A sentence with an end becomes a button',
      steps: ['@lamplighter keep staging-old on for 4 hours please'],
    },
  ],
};

const rights: Act = {
  heading,
  hosting,
  quietMs: QUIET_MS,
  env: { LAMPLIGHTER_EVERYONE: 'viewer' },
  scenarios: [
    {
      title: 'Who may change nothing can schedule nothing',
      steps: [`/instances schedule staging-1 stop at ${FAR_OFF_HOUR} daily UTC`],
    },
    {
      title: 'The owner loses the right, and the schedule pauses at its next run',
      who: 'admin',
      steps: [
        '/lamplighter access grant operator @ana',
        ':as ana',
        `/instances schedule staging-1 stop at ${FAR_OFF_HOUR} daily UTC`,
        ':press Save',
        ':as admin',
        '/lamplighter access revoke operator @ana',
        happens('It is eight in the evening.', async (backstage) => {
          await letSchedulesBeDue(backstage, -1_000);
          for (const handle of ['ana', 'admin']) await isToldInDm(backstage, handle, 'is paused: they can');
        }),
        '/instances schedules',
      ],
    },
    {
      title: 'Somebody who may change nothing sees it without buttons',
      who: 'bob',
      steps: ['/instances schedules'],
    },
    {
      title: 'Somebody who may change other instances can change nothing about it',
      who: 'admin',
      steps: [
        '/lamplighter access grant operator @bob on web-*',
        ':as bob',
        '/instances schedules',
        ':press Remove',
      ],
    },
  ],
};

export const SCHEDULING: readonly Act[] = [saving, running, kept, rights, forAWhile];
