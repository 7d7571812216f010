import type { Ask } from '../../../core/ask/ask.ts';
import { forChannel, isSentTo } from '../../../core/ask/for-channel.ts';
import { CHANNEL } from '../../../core/ask/mend-words.ts';
import type { Route } from '../../../core/intake/route.ts';
import { type Off, setting, type SettingChange, type SettingShown } from '../../../core/intake/setting.ts';
import { type Job, jobByCalendar } from '../../../core/records/job.ts';
import { momentOf } from '../../../core/sentences/moment.ts';
import { calendarOf } from '../../../platform/redis/clock.ts';
import { isDirect } from '../../../platform/slack/ids.ts';
import { channel, person, say } from '../../../platform/slack/phrase.ts';
import type { Prepaid } from '../billing.ts';
import { createMake } from './make.ts';
import { attemptWords } from './messages.ts';
import type { Bulletin, BulletinRecord } from './record.ts';

/** What sets and shows a bulletin, and what makes it when it is due. */
export function createBulletin<When>(
  deps: Prepaid,
  bulletin: Bulletin<When>,
): { readonly route: Route; readonly job: Job } {
  const { kind, store, called, icon, route } = bulletin;
  const off: Off<BulletinRecord<When>> = {
    called,
    icon,
    step: ({ set }) => set && {},
    where: ({ set }) => set?.channelId,
  };
  return {
    job: jobByCalendar(kind, store, deps.calendar, createMake(deps, bulletin)),
    route: setting(deps, {
      route: {
        ...route,
        namesChannels: true,
        topics: [{ words: ['off'], usage: 'off', summary: 'stop it' }],
        permission: 'billing:alerts',
        mayNameAccount: (before) => !isSentTo(before),
      },
      store,
      off: ([of]) => (of === undefined ? off : undefined),
      read: async (ask) => (ask.words.length === 0 ? undefined : schedule(deps, bulletin, ask)),
      shown: (record, ask) => showOrAsk(deps, bulletin, record, ask),
    }),
  };
}

async function schedule<When>(
  deps: Prepaid,
  { kind, called, icon, parse, nextAt, whenWords }: Bulletin<When>,
  asked: Ask,
): Promise<SettingChange<BulletinRecord<When>>> {
  const { now } = calendarOf(deps.clock);
  const ask = forChannel(asked, `get the ${called}`);
  const { channelId } = ask.place;
  const { userId: by } = ask.actor;
  // As any time that somebody says.
  const { zone } = await momentOf(deps, by, now());
  const when = parse(ask.words, zone);
  await deps.access.require(ask.actor, 'billing:alerts', 'any', { channelId });
  const choice = await deps.places.allow(ask);
  return {
    step: () => ({ set: { schedule: when, channelId, by, dueAt: nextAt(when, now()) } }),
    fact: ({ set }) => {
      const words = set ? whenWords(set.schedule, set.dueAt) : say``;
      return say`${icon} ${person(by)} set the ${called}: it comes here ${words}.`;
    },
    where: () => channelId,
    beside: choice && (() => choice.choosing()),
    wake: () => deps.queue.wake(kind.job, kind.id),
  };
}

async function showOrAsk<When>(
  { places, config }: Prepaid,
  { called, whose, icon, usual, whenWords }: Bulletin<When>,
  { set, attempt }: BulletinRecord<When>,
  ask: Ask,
): Promise<SettingShown> {
  if (!set) {
    const { channelId } = ask.place;
    const isElsewhere = config.channels.length > 0 && !(await places.isAllowed(channelId));
    // A press elsewhere asks for the channel.
    return isElsewhere || isDirect(channelId)
      ? {
          lines: [say`There is no ${called} yet. Do you want one, ${usual.when}?`],
          presses: [[...usual.words, 'in', CHANNEL]],
        }
      : {
          lines: [say`There is no ${called} yet. Do you want one in this channel?`],
          presses: [usual.words, usual.other],
        };
  }
  return {
    lines: [
      say`${icon} The ${called} goes to ${channel(set.channelId)} ${whenWords(set.schedule, set.dueAt)}.`,
      ...(attempt?.of === set.dueAt ? [attemptWords({ whose }, attempt)] : []),
    ],
    presses: [['off']],
  };
}
