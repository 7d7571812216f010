import { inWords } from '../../../core/ask/mend-words.ts';
import { nextMoment, WEEKDAYS } from '../../../platform/time/clock-words.ts';
import type { Prepaid } from '../billing.ts';
import { scheduleWords } from '../bulletin/messages.ts';
import type { Bulletin } from '../bulletin/record.ts';
import { lookBack, weeksBefore } from './look.ts';
import { DIGEST, type Schedule, parseSchedule } from './record.ts';

/** `/billing digest [weekly mon 09:00 [zone]|off]`: the week's spending, posted to a channel. */
export function digestOf(deps: Prepaid): Bulletin<Schedule> {
  return {
    kind: DIGEST,
    store: deps.digest,
    called: 'digest',
    whose: "This week's",
    icon: '🗞️',
    route: {
      id: 'billing.digest',
      verb: 'digest',
      spoken: {
        orders: [
          [
            '(turn off|stop|disable|cancel|end|no more) weekly? (report|digest|reports|digests|summary|spending report)',
            'off',
          ],
          ['(turn|switch) weekly? (report|digest|summary) off', 'off'],
          ['weekly? (spending|cost|costs|money)? (report|digest) <when>', 'weekly {weekly}'],
          ['weekly (spending|cost|costs|money)? summary <when>', 'weekly {weekly}'],
          [
            '(send|post|give|share) (us)? weekly? (spending|cost|costs|money)? (report|digest|summary|numbers) (here|in here|to <that> channel)? <when>',
            'weekly {weekly}',
          ],
        ],
        asks: ['(weekly report|weekly digest|weekly summary|digest|spending report|report)'],
      },
      usage: '[weekly mon 09:00 [Europe/Madrid] | off]',
      summary: "the week's spending, posted to this channel",
    },
    usual: {
      when: 'each Monday at 09:00',
      words: ['weekly', 'mon', '09:00'],
      other: ['weekly', inWords('Day and time', 'fri 16:00')],
    },
    parse: parseSchedule,
    whenWords: (schedule, nextAt) =>
      scheduleWords(`every ${WEEKDAYS[schedule.weekday - 1] ?? ''}`, schedule, nextAt),
    nextAt: (schedule, afterMs) => nextMoment(schedule, schedule.zone, afterMs),
    read: async ({ dueAt, schedule: { zone } }, now) => {
      const weeks = await weeksBefore(deps, dueAt, now);
      return { isComing: weeks.isComing, look: () => lookBack(deps, zone, weeks, now) };
    },
  };
}
