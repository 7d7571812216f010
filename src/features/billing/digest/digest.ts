import { momentOf } from '../../../core/sentences/moment.ts';
import { forChannel, isSentTo } from '../../../core/ask/for-channel.ts';
import { CHANNEL, inWords } from '../../../core/ask/mend-words.ts';
import { withInstead } from '../../../core/intake/with-instead.ts';
import { together } from '../../../core/records/commit.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Ask, Reply } from '../../../core/ask/ask.ts';
import { saidHere } from '../../../core/outbox/said-here.ts';
import type { Route, Topic } from '../../../core/intake/route.ts';
import { channel, person, type Phrase, say } from '../../../platform/slack/phrase.ts';
import { isDirect } from '../../../platform/slack/ids.ts';
import { makingWords, scheduleWords } from './messages.ts';
import { DIGEST, type Plan, type PlanStore, scheduled, switchedOff } from './plan.ts';
import { parseSchedule } from './schedule.ts';
import type { Billing } from '../billing.ts';

export interface DigestDeps extends Billing {
  readonly plans: PlanStore;
  readonly now: () => number;
}

const ROUTE = {
  id: 'billing.digest',
  verb: 'digest',
  namesChannels: true,
  label: ([word, ...more]: readonly string[]) =>
    word?.toLowerCase() === 'off' && more.length === 0 ? 'Stop the digest' : undefined,
} as const;
const TOPICS: readonly Topic[] = [{ words: ['off'], usage: 'off', summary: 'stop it' }];

/** `/billing digest [weekly mon 09:00 [zone]|off]`: the week's spending, posted to a channel. */
export function digestRoute(deps: DigestDeps): Route {
  const { plans, now } = deps;
  return {
    ...ROUTE,
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
    topics: TOPICS,
    permission: 'billing:alerts',
    writes: (words) => words.length > 0,
    mayNameAccount: (before) => !isSentTo(before),
    usage: '[weekly mon 09:00 [Europe/Madrid] | off]',
    summary: "the week's spending, posted to this channel",
    idle: async ({ words: [word] }) => (word === 'off' ? nothingToSwitchOff(await plans.get()) : undefined),
    handle: async (asked) => {
      const [word, ...more] = asked.words;
      if (word === undefined) return showOrAsk(deps, await plans.get(), asked);
      if (word.toLowerCase() === 'off' && more.length === 0) return switchOff(deps, asked);
      const ask = forChannel(asked, 'get the digest');
      // As any time that somebody says.
      const { zone } = await momentOf(deps, ask.actor.userId, now());
      const schedule = parseSchedule(ask.words, zone);
      const { channelId } = ask.place;
      await deps.access.require(ask.actor, 'billing:alerts', 'any', { channelId });
      const choice = await deps.places.allow(ask);
      const { userId } = ask.actor;
      const after = await plans.change(
        (plan) => scheduled(plan, schedule, channelId, userId, now()),
        async ({ set }) => {
          const when = set ? scheduleWords(set.schedule, set.dueAt) : say``;
          const lines = [say`🗞️ ${person(userId)} set the digest: it comes here ${when}.`];
          const saying = await deps.outbox.saying([...saidHere(ask, { lines })], 'moved');
          return together(saying, (await choice?.choosing()) ?? {});
        },
      );
      // What could not be woken is found by the sweep.
      await deps.queue.wake(DIGEST.job, DIGEST.id).catch(() => undefined);
      return after && showOrAsk(deps, after, asked);
    },
  };
}

async function showOrAsk(deps: DigestDeps, { set, making }: Plan, ask: Ask): Promise<Reply> {
  const { offers, places, config } = deps;
  if (!set) {
    const { channelId } = ask.place;
    const isElsewhere = config.channels.length > 0 && !(await places.isAllowed(channelId));
    // A press here asks for the channel.
    if (isElsewhere || isDirect(channelId)) {
      const none = { lines: [say`There is no digest yet. Do you want one, each Monday at 09:00?`] };
      return withInstead(offers, ROUTE, none, [['weekly', 'mon', '09:00', 'in', CHANNEL]], [], ask);
    }
    const none = { lines: [say`There is no digest yet. Do you want one in this channel?`] };
    const weekly = [
      ['weekly', 'mon', '09:00'],
      ['weekly', inWords('Day and time', 'fri 16:00')],
    ];
    return withInstead(offers, ROUTE, none, weekly, [], ask);
  }
  const stands = {
    lines: [
      say`🗞️ The digest goes to ${channel(set.channelId)} ${scheduleWords(set.schedule, set.dueAt)}.`,
      ...(making?.dueAt === set.dueAt ? [makingWords(making)] : []),
    ],
  };
  return withInstead(offers, ROUTE, stands, [['off']]);
}

function nothingToSwitchOff({ set }: Plan): Phrase | undefined {
  return set ? undefined : say`There is no digest, so there is nothing to turn off.`;
}

async function switchOff({ plans, outbox }: DigestDeps, ask: Ask): Promise<Reply> {
  const none = nothingToSwitchOff(await plans.get());
  if (none) throw new Refusal('no-digest', none);
  await plans.change(switchedOff, (_after, { set }) => {
    if (!set) return {};
    const lines = [say`🗞️ ${person(ask.actor.userId)} turned the digest off.`];
    return outbox.saying([...saidHere({ id: ask.id, place: set }, { lines })], 'moved');
  });
  return { lines: [say`The digest is off.`] };
}
