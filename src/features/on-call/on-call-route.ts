import type { Ask } from '../../core/ask/ask.ts';
import type { Route } from '../../core/intake/route.ts';
import { setting } from '../../core/intake/setting.ts';
import { labelWithPeople } from '../../core/intake/with-people.ts';
import { refuseUnknownPatterns } from '../../core/lookup/known-names.ts';
import { isKind, type Quiet, type ChannelOnCall, withChannel } from '../../core/on-call/on-call.ts';
import { stepsOfAllowed, ADMINS, type Step } from '../../core/on-call/escalation.ts';
import { granteeOf } from '../../core/policy/grant.ts';
import { requireSomebody } from '../../core/policy/somebody.ts';
import { Refusal } from '../../core/refusal.ts';
import { momentOf } from '../../core/sentences/moment.ts';
import { isDirect, isGroupId } from '../../platform/slack/ids.ts';
import { person, type Phrase, say, group, join } from '../../platform/slack/phrase.ts';
import { parseOnCall, type Typed } from './parse-on-call.ts';
import type { Bot } from '../../core/bot/bot.ts';
import { clockWords } from '../../platform/time/clock-words.ts';
import { duration } from '../../platform/time/duration.ts';
import type { Message } from '../../platform/slack/message.ts';

/** Who is on call in a channel, as it stands. `unheard`: the steps in which nobody may see instances there now. Pure. */
function onCallMessage({ steps, quiet }: ChannelOnCall, unheard: ReadonlySet<number>): Message {
  const lines = quiet ? [quietLine(quiet)] : [];
  if (!steps)
    return {
      lines: [
        ...lines,
        say`If nobody picks up an incident here, I message no one directly. To name somebody, type /lamplighter oncall first @oncall, after 10 min @lead, after 30 min the admins`,
      ],
    };
  const warning = (at: number): Phrase =>
    unheard.has(at) ? say` ⚠️ Nobody there may see instances in this channel, so they hear nothing.` : say``;
  return {
    lines: [
      ...lines,
      say`When nobody is on an incident or a critical alert in this channel, I tell directly:`,
    ],
    bullets: steps.map((step, at) => say`${stepWords(step)}${warning(at)}`),
    note: say`Whoever has paused their notifications counts as away. If everybody told so far is away, the next step comes at once.`,
  };
}

/** "At once @oncall, after 10 min @lead". Pure. */
function stepsWords(steps: readonly Step[]): Phrase {
  return join(steps.map(stepWords), ', ');
}

function stepWords({ afterMs, who }: Step): Phrase {
  const names = join(who.map(nameOf), ' and ');
  return afterMs === 0 ? say`at once ${names}` : say`after ${duration(afterMs)} ${names}`;
}

function nameOf(one: string): Phrase {
  if (one === ADMINS) return say`the admins`;
  return [isGroupId(one) ? group(one) : person(one)];
}

/** "Quiet from 22:00 to 07:00 (Europe/Berlin), except for critical alerts and prod-*." Pure. */
function quietLine({ from, until, zone, breaks }: Quiet): Phrase {
  const words = breaks.map((one) => {
    if (one === 'critical') return say`critical alerts`;
    return one === 'errors' ? say`instances that are deleted, paused or in error` : say`${one}`;
  });
  const last = words.at(-1);
  const before = words.slice(0, -1);
  const all = before.length === 0 ? last : last && say`${join(before, ', ')} and ${last}`;
  const but = all ? say`, except for ${all}` : say``;
  return say`🌙 Quiet from ${clockWords(from)} to ${clockWords(until)} (${zone})${but}. What can wait is said afterwards, if it is still so.`;
}

export interface OnCallDeps extends Bot {
  /** The name of the policy file, where there is one. */
  readonly policyFile: () => string | undefined;
}

/** `/lamplighter oncall [first @oncall, after 10 min @lead|quiet 22:00-07:00|off]`: who is told in this channel when nobody is on it. */
export function onCallRoute(deps: OnCallDeps): Route {
  const { onCall, people } = deps;
  return setting(deps, {
    route: {
      id: 'lamplighter.oncall',
      verb: 'oncall',
      aliases: ['on-call'],
      namesPeople: true,
      mayNameAccount: () => true,
      spoken: {
        orders: [
          ['(put|set|have) <who> on call', 'first {who}'],
          ['<who> (is|are) on call (now)?', 'first {who}'],
        ],
        asks: [
          '(who is on call|who is on duty|on call|oncall|who has the pager)',
          '(who is on call|who is on duty|who has the pager) *',
          '(is|are) <who> on call',
          ['(quiet hours|when is it quiet)', ''],
        ],
      },
      permission: 'operations:read',
      writePermission: 'instances:place',
      usage: '[first @who, after 10 min @who | quiet 22:00-07:00 | off]',
      summary: 'who is told in this channel when nobody is on an incident or alert, and its quiet hours',
      label: (words, named) => labelOf(deps, words, named),
    },
    // Not there yet where features are only listed.
    get store() {
      return onCall.store;
    },
    read: async (ask, by) => {
      const { channelId } = ask.place;
      if (isDirect(channelId))
        throw new Refusal(
          'not-a-place',
          say`Who is on call is set for each channel. Type it in the channel whose incidents or alerts it is for.`,
        );
      const { zone } = await momentOf({ people }, ask.actor.userId, deps.clock.now());
      const typed = parseOnCall(ask.words, zone);
      if (typed.do === 'show') return undefined;
      refuseFixed(deps, typed, onCall.fixed(channelId));
      await refuseVain(deps, ask, typed);
      return {
        step: (record) => {
          const { steps, quiet } = record.channels[channelId] ?? {};
          return withChannel(record, channelId, changed({ steps, quiet }, typed));
        },
        using: () => deps.access.using([by], ask.id),
        fact: () => say`${person(ask.actor.userId)} ${factWords(typed)}`,
      };
    },
    shown: async (_record, { place: { channelId } }) => {
      const [of, fixed] = [await onCall.of(channelId), onCall.fixed(channelId)];
      return {
        ...onCallMessage(of, await unheardIn(deps, of, channelId)),
        presses: [
          ...(of.steps && !fixed?.steps ? [['off']] : []),
          ...(of.quiet && !fixed?.quiet ? [['quiet', 'off']] : []),
        ],
      };
    },
  });
}

/** The steps of a channel in which nobody may see instances there now; none where that can't be told. */
async function unheardIn(
  deps: OnCallDeps,
  { steps = [] }: ChannelOnCall,
  channelId: string,
): Promise<ReadonlySet<number>> {
  const allowed = await stepsOfAllowed(deps, steps, async (userId) => {
    const decision = await deps.access.check({ userId }, 'instances:read', 'any', { channelId });
    return decision.allowed || decision.reason !== 'not checked' ? decision.allowed : undefined;
  });
  return new Set(allowed.flatMap(({ userIds, isRead }, at) => (userIds.length === 0 && isRead ? [at] : [])));
}

/** Throws a Refusal where somebody is named whom nothing reaches, or what breaks the quiet hours is no instance's name. */
async function refuseVain(deps: OnCallDeps, { actor, place }: Ask, typed: Typed): Promise<void> {
  if (typed.do === 'quiet') {
    const names = typed.quiet.breaks.filter((word) => !isKind(word));
    const maySee = await deps.access.which(actor, 'instances:read', place.channelId);
    await refuseUnknownPatterns(deps.hosting, names, maySee, true);
  }
  if (typed.do !== 'steps') return;
  const without = { cannot: say`be on call`, undone: say`nothing was changed` };
  for (const who of typed.steps.flatMap((step) => step.who)) {
    const to = granteeOf(who);
    if (to) await requireSomebody(deps, to, without);
  }
}

/** Throws a Refusal where the policy file says it. */
function refuseFixed(
  { policyFile }: Pick<OnCallDeps, 'policyFile'>,
  typed: Typed,
  fixed: ChannelOnCall | undefined,
): void {
  const isOfQuiet = typed.do === 'quiet' || typed.do === 'no quiet';
  const isFixed = isOfQuiet ? fixed?.quiet !== undefined : fixed?.steps !== undefined;
  if (!isFixed) return;
  const file = policyFile() ?? 'the policy file';
  throw new Refusal(
    'set-elsewhere',
    isOfQuiet
      ? say`The quiet hours of this channel are kept in ${file}, so nothing was changed.`
      : say`Who is on call in this channel is kept in ${file}, so nothing was changed.`,
  );
}

type Parts = Parameters<typeof withChannel>[2];

function changed(before: Parts, typed: Typed): Parts {
  switch (typed.do) {
    case 'steps':
      return { ...before, steps: [...typed.steps] };
    case 'quiet':
      return { ...before, quiet: typed.quiet };
    case 'no steps':
      return { ...before, steps: undefined };
    case 'no quiet':
      return { ...before, quiet: undefined };
    case 'show':
      return before;
  }
}

function factWords(typed: Typed): Phrase {
  switch (typed.do) {
    case 'steps':
      return say`set who is on call in this channel: ${stepsWords(typed.steps)}.`;
    case 'quiet':
      return say`set the quiet hours of this channel. ${quietLine(typed.quiet)}`;
    case 'no steps':
      return say`turned off direct messages for incidents in this channel.`;
    case 'no quiet':
    case 'show':
      return say`ended the quiet hours of this channel.`;
  }
}

function labelOf(
  { people }: Pick<OnCallDeps, 'people'>,
  words: readonly string[],
  named: (word: string) => string,
): ReturnType<typeof labelWithPeople> | string {
  const typed = words.join(' ').toLowerCase();
  if (typed === 'off') return 'Call nobody';
  if (typed === 'quiet off') return 'End quiet hours';
  return labelWithPeople(people, 'on call', words, named);
}
