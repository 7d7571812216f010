import { momentOf } from '../../../core/sentences/moment.ts';
import { forChannel, isSentTo } from '../../../core/ask/for-channel.ts';
import { CHANNEL, inWords } from '../../../core/ask/mend-words.ts';
import { setting, type SettingChange, type SettingShown } from '../../../core/intake/setting.ts';
import type { Ask } from '../../../core/ask/ask.ts';
import type { Route } from '../../../core/intake/route.ts';
import { channel, person, say } from '../../../platform/slack/phrase.ts';
import { isDirect } from '../../../platform/slack/ids.ts';
import { attemptWords, scheduleWords } from './messages.ts';
import { DIGEST, type DigestRecord, scheduled, switchedOff } from './record.ts';
import { parseSchedule } from './schedule.ts';
import { calendarOf } from '../../../platform/redis/clock.ts';
import type { Prepaid } from '../billing.ts';

/** `/billing digest [weekly mon 09:00 [zone]|off]`: the week's spending, posted to a channel. */
export function digestRoute(deps: Prepaid): Route {
  return setting(deps, {
    route: {
      id: 'billing.digest',
      verb: 'digest',
      namesChannels: true,
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
      topics: [{ words: ['off'], usage: 'off', summary: 'stop it' }],
      permission: 'billing:alerts',
      mayNameAccount: (before) => !isSentTo(before),
      usage: '[weekly mon 09:00 [Europe/Madrid] | off]',
      summary: "the week's spending, posted to this channel",
    },
    store: deps.digest,
    off: ([of]) =>
      of === undefined
        ? {
            called: 'digest',
            icon: '🗞️',
            step: (record) => record.set && switchedOff(record),
            where: ({ set }) => set?.channelId,
          }
        : undefined,
    read: async (ask) => (ask.words.length === 0 ? undefined : schedule(deps, ask)),
    shown: (record, ask) => showOrAsk(deps, record, ask),
  });
}

async function schedule(deps: Prepaid, asked: Ask): Promise<SettingChange<DigestRecord>> {
  const { queue } = deps;
  const { now } = calendarOf(deps.clock);
  const ask = forChannel(asked, 'get the digest');
  const { channelId } = ask.place;
  const { userId } = ask.actor;
  // As any time that somebody says.
  const { zone } = await momentOf(deps, userId, now());
  const weekly = parseSchedule(ask.words, zone);
  await deps.access.require(ask.actor, 'billing:alerts', 'any', { channelId });
  const choice = await deps.places.allow(ask);
  return {
    step: (record) => scheduled(record, weekly, channelId, userId, now()),
    fact: ({ set }) => {
      const when = set ? scheduleWords(set.schedule, set.dueAt) : say``;
      return say`🗞️ ${person(userId)} set the digest: it comes here ${when}.`;
    },
    where: () => channelId,
    beside: choice && (() => choice.choosing()),
    wake: () => queue.wake(DIGEST.job, DIGEST.id),
  };
}

async function showOrAsk(
  { places, config }: Prepaid,
  { set, attempt }: DigestRecord,
  ask: Ask,
): Promise<SettingShown> {
  if (!set) {
    const { channelId } = ask.place;
    const isElsewhere = config.channels.length > 0 && !(await places.isAllowed(channelId));
    // A press here asks for the channel.
    if (isElsewhere || isDirect(channelId))
      return {
        lines: [say`There is no digest yet. Do you want one, each Monday at 09:00?`],
        presses: [['weekly', 'mon', '09:00', 'in', CHANNEL]],
      };
    return {
      lines: [say`There is no digest yet. Do you want one in this channel?`],
      presses: [
        ['weekly', 'mon', '09:00'],
        ['weekly', inWords('Day and time', 'fri 16:00')],
      ],
    };
  }
  return {
    lines: [
      say`🗞️ The digest goes to ${channel(set.channelId)} ${scheduleWords(set.schedule, set.dueAt)}.`,
      ...(attempt?.of === set.dueAt ? [attemptWords(attempt)] : []),
    ],
    presses: [['off']],
  };
}
