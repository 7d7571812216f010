import { inWords, mendTimes, oneOf } from '../../../core/ask/mend-words.ts';
import type { Ask, Reply } from '../../../core/ask/ask.ts';
import type { Route } from '../../../core/intake/route.ts';
import type { AccessRule } from '../../../core/policy/decide.ts';
import type { Permission } from '../../../core/policy/permissions.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { With } from '../../../core/records/records.ts';
import { person, say, time } from '../../../platform/slack/phrase.ts';
import { momentOf } from '../../../core/sentences/moment.ts';
import { readEnd } from '../../../core/sentences/end.ts';
import { notYetBegun } from '../../../core/sentences/no-end.ts';
import type { Moment } from '../../../core/sentences/times.ts';
import { parseDuration } from '../../../platform/time/duration.ts';
import { type Alarm, findOpen } from './alarm.ts';
import { ALARM } from './alarm-store.ts';
import { acked, handedBack, snoozed, unsnoozed } from './react.ts';
import { ALERT_ROUTES } from './routes.ts';
import { TELL_JOB } from './tell.ts';
import type { Billing } from '../billing.ts';

/** The buttons of an alert: on it, still on it, hand back, snooze, end the snooze. */
export function answerRoutes(deps: Billing): readonly Route[] {
  const route = (
    id: string,
    verb: string,
    summary: string,
    handle: Route['handle'],
    permission: Permission = 'billing:ack',
  ): Route => ({
    id,
    verb,
    permission,
    writes: true,
    summary,
    handle: (ask, audit, by) => {
      const [of] = (ask.value ?? '').split('/');
      audit({ of });
      return handle(ask, audit, by);
    },
  });
  return [
    route(ALERT_ROUTES.ack, 'ack', 'say that you are on an alert', (ask, _audit, by) =>
      ack(deps, ask, ask.value, by),
    ),
    route(ALERT_ROUTES.still, 'still', 'say that you still are', (ask, _audit, by) =>
      ack(deps, ask, ask.value, by),
    ),
    route(ALERT_ROUTES.handBack, 'hand-back', 'say that you are not any more', (ask, _audit, by) =>
      handBack(deps, ask, by),
    ),
    route(
      ALERT_ROUTES.snooze,
      'snooze',
      'snooze an alert',
      (ask) => {
        const [episodeId = '', forWords = ''] = (ask.value ?? '').split('/');
        return snooze(deps, ask, episodeId, forWords);
      },
      'billing:alerts',
    ),
    route(
      ALERT_ROUTES.unsnooze,
      'unsnooze',
      'end the snooze of an alert',
      (ask) => unsnooze(deps, ask.value),
      'billing:alerts',
    ),
  ];
}

/** The person who asks is on it. `episodeId`: the one that a button was about; `by`: what allows it. */
export async function ack(
  deps: Billing,
  ask: Ask,
  episodeId: string | undefined,
  by?: AccessRule,
): Promise<Reply> {
  const step = (alarm: Alarm, now: number): Alarm => acked(alarm, episodeId, ask.actor.userId, now);
  await change(deps, step, () => deps.access.using([by], ask.id));
  return { lines: [say`You're on it. The alert says so.`] };
}

async function handBack(deps: Billing, ask: Ask, by: AccessRule | undefined): Promise<Reply> {
  const { userId } = ask.actor;
  const step = (alarm: Alarm, now: number): Alarm => handedBack(alarm, ask.value, userId, now);
  const after = await change(deps, step, () => deps.access.using([by], ask.id));
  const from = (after && findOpen(after, 'low')?.handedBack?.from) ?? userId;
  return from === userId
    ? { lines: [say`Handed back. The alert says that nobody is on it.`] }
    : { lines: [say`Handed back for ${person(from)}. The alert says that nobody is on it.`] };
}

/** Snoozed for as long as `typed` says: 30m, "for 2 days", "until friday". Throws a Refusal. */
export async function snooze(
  deps: Billing,
  ask: Ask,
  episodeId: string | undefined,
  typed: string,
): Promise<Reply> {
  const moment = await momentOf(deps, ask.actor.userId, deps.clock.now());
  const forMs = readSnooze(typed.split(' '), moment);
  const after = await change(deps, (alarm, now) => snoozed(alarm, episodeId, ask.actor.userId, forMs, now));
  const until = after?.episodes.find(({ snooze: quiet }) => quiet)?.snooze?.until ?? deps.clock.now();
  return { lines: [say`Snoozed until ${time(until)}. If it gets worse, I'll still say so.`] };
}

/** The snooze is over before its time. */
export async function unsnooze(deps: Billing, episodeId: string | undefined): Promise<Reply> {
  await change(deps, (alarm, now) => unsnoozed(alarm, episodeId, now));
  return { lines: [say`The alert isn't snoozed now, and I'll remind you of it as usual.`] };
}

/** What is offered where somebody doesn't say how long. */
const SNOOZES = oneOf(
  ['snooze', '1h'],
  ['snooze', '4h'],
  ['snooze', '1d'],
  ['snooze', inWords('Time', '2d')],
);

/** How long words say, in ms. Throws a Refusal that names what beside the time isn't understood. */
function readSnooze(words: readonly string[], moment: Moment): number {
  const at = words.findIndex((word) => /^(?:for|until|till|til)$/i.test(word));
  const end = at < 0 ? readEnd(['for', ...words], 0, moment) : readEnd(words, at, moment);
  const length = at < 0 ? words.length + 1 : words.length;
  if (end && end.count === length - Math.max(at, 0) && at <= 0) return end.until - moment.at;
  const early = notYetBegun(words);
  if (early) throw new Refusal('bad-snooze', early);
  const spans = words.map((word) => parseDuration(word.toLowerCase(), ['m', 'h', 'd']));
  const [forMs = 0, ...more] = spans.filter((one) => one !== undefined);
  const unknown = words.filter((_, index) => spans[index] === undefined).join(' ');
  if (forMs === 0 || more.length > 0)
    throw words.join('') === ''
      ? new Refusal('bad-snooze', say`How long?`, SNOOZES)
      : new Refusal('bad-snooze', say`How long? Use 30m, 4h or 2d.`, mendTimes);
  if (unknown !== '')
    throw new Refusal(
      'bad-snooze',
      say`I don't know "${unknown}" here, so nothing was changed. Give only a length of time, as in /billing alerts snooze 4h.`,
      oneOf(['snooze', ...words.filter((_, index) => spans[index] !== undefined)]),
    );
  return forMs;
}

/** Writes a person's answer down, with what is committed beside it, and has the card show it. */
async function change(
  { alarms, queue, clock }: Billing,
  step: (alarm: Alarm, now: number) => Alarm,
  beside?: With<Alarm>,
): Promise<Alarm | undefined> {
  const after = await alarms.change((alarm) => step(alarm, clock.now()), beside);
  // What could not be woken is found by the sweep.
  await queue.wake(TELL_JOB, ALARM.id).catch(() => undefined);
  return after;
}
