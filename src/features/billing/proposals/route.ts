import type { Ask, Reply } from '../../../core/ask/ask.ts';
import type { AuditAttempt, Route } from '../../../core/intake/route.ts';
import { choiceOf, setting, type SettingShown } from '../../../core/intake/setting.ts';
import { Refusal } from '../../../core/refusal.ts';
import { person, say } from '../../../platform/slack/phrase.ts';
import {
  answeredMessage,
  noneMessage,
  offMessage,
  PROPOSAL_ROUTES,
  proposalMessage,
  tryingMessage,
} from './messages.ts';
import { WORKING_HOURS } from './find.ts';
import { look } from './propose.ts';
import { type Proposals, type Proposed, switchedOff, switchedOn, withRefused } from './record.ts';
import type { Prepaid } from '../billing.ts';

/** Shows the schedule that the words of an ask are for, and asks, as if they were typed. Throws a Refusal. */
export type ScheduleThese = (ask: Ask, audit: AuditAttempt) => Promise<Reply>;

/** `/billing proposals [on|off]`, and the buttons of a proposal. */
export function proposalRoutes(deps: Prepaid, scheduleThese: ScheduleThese): readonly Route[] {
  return [proposalsRoute(deps), tryRoute(deps, scheduleThese), answerRoute(deps)];
}

function proposalsRoute(deps: Prepaid): Route {
  return setting(deps, {
    route: {
      id: PROPOSAL_ROUTES.proposals,
      verb: 'proposals',
      permission: 'billing:read',
      writePermission: 'billing:alerts',
      usage: '[on | off]',
      summary: 'what could be stopped at night and on weekends, and what that would save',
    },
    store: deps.proposals,
    read: async (ask) => {
      const set = choiceOf(['on', 'off'], ask);
      if (set === undefined) return undefined;
      const { userId } = ask.actor;
      const isOff = set === 'off';
      const now = await deps.calendar.today();
      const done = isOff
        ? say`Proposals are off.`
        : say`Proposals are on: I post one a week at most, where alerts go.`;
      return {
        step: (record) => (isOff ? switchedOff(record, userId, now) : switchedOn(record)),
        fact: () => say`💡 ${person(userId)} turned proposals ${set}.`,
        answer: ({ isChanged }) => ({ lines: [isChanged ? done : say`Proposals were ${set} already.`] }),
      };
    },
    shown: (record, ask) => show(deps, record, ask),
  });
}

async function show(deps: Prepaid, record: Proposals, ask: Ask): Promise<SettingShown> {
  await deps.access.require(ask.actor, 'instances:read', 'all', { channelId: ask.place.channelId });
  const { off, proposed, trial } = record;
  if (proposed && trial) return tryingMessage(proposed, trial);
  if (off) return { ...offMessage(off), presses: [['on']] };
  if (proposed && !proposed.isTried) return proposalMessage(proposed, deps.unit);
  const { found } = await look(deps, record, await deps.calendar.today());
  if ('why' in found) return noneMessage(found.why);
  const { name } = found.proposal;
  return {
    lines: [
      say`I'd propose to stop ${name} at night and on weekends. I post one proposal a week at most, where alerts go: this comes next.`,
    ],
  };
}

/** "Try it for a week", and "Keep it" after that: an ordinary schedule, which is shown and saved by who may. */
function tryRoute(deps: Prepaid, scheduleThese: ScheduleThese): Route {
  return {
    id: PROPOSAL_ROUTES.try,
    verb: 'try a proposal',
    permission: 'instances:power',
    writes: true,
    summary: 'see the schedule that a proposal comes to, and be asked',
    isAskable: false,
    outlastsOnce: true,
    handle: async ({ value = '', ...ask }, audit) => {
      const [id = '', isKept] = value.split(' ');
      const { instances, zone } = await current(deps, id);
      const there = new Set((await deps.hosting.listInstances()).instances.map((one) => one.id));
      const ids = instances.map((one) => one.id).filter((one) => there.has(one));
      if (ids.length === 0)
        throw new Refusal('changed', say`None of those instances is there any more, so nothing was done.`);
      const end = isKept === 'keep' ? [] : ['for', '7d'];
      return scheduleThese({ ...ask, words: [...ids, ...WORKING_HOURS, zone, ...end] }, audit);
    },
  };
}

function answerRoute(deps: Prepaid): Route {
  return {
    id: PROPOSAL_ROUTES.answer,
    verb: 'answer a proposal',
    permission: 'billing:alerts',
    writes: true,
    summary: 'turn a proposal down',
    isAskable: false,
    handle: async (ask) => {
      const [id = '', which] = (ask.value ?? '').split(' ');
      const isNever = which === 'never';
      const proposed = await current(deps, id);
      const { trial } = await deps.proposals.get();
      const goesOn = trial ? say` Its schedule goes on: to remove it, type /instances schedules.` : '';
      const { userId } = ask.actor;
      const now = await deps.calendar.today();
      const content = answeredMessage(proposed, userId, isNever);
      await deps.proposals.change(
        (record) => {
          const refused = withRefused(record, id, now);
          return refused && isNever ? switchedOff(refused, userId, now) : refused;
        },
        () =>
          deps.outbox.saying(
            [id, `${id}-over`].map((post) => ({ id: post, content, isEdit: true as const })),
            'moved',
          ),
      );
      const said = isNever ? 'Proposals are off.' : "I won't propose that again for 90 days.";
      return { lines: [say`${said}${goesOn}`] };
    },
  };
}

/** The proposal of that id. Throws a Refusal where it doesn't stand any more. */
async function current({ proposals }: Prepaid, id: string): Promise<Proposed> {
  const { proposed } = await proposals.get();
  if (proposed?.id === id) return proposed;
  throw new Refusal(
    'changed',
    say`That proposal was answered, or there is a newer one, so nothing was done. To see it, type /billing proposals.`,
  );
}
