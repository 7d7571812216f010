import type { ToCheck } from '../../core/changes/declaration.ts';
import { toAsker } from '../../core/offers/confirmation.ts';
import { subjectOf } from '../../core/operations/begin.ts';
import { type KeptEnd, momentOfEnd } from '../../core/operations/way-back.ts';
import { Refusal } from '../../core/refusal.ts';
import { DRAFTS, type Schedule } from '../../core/schedules/schedule-record.ts';
import { turnButtons } from '../../core/schedules/messages.ts';
import type { When } from '../../core/schedules/when.ts';
import type { Instance, Power } from '../../platform/hosting/service.ts';
import type { Button } from '../../platform/slack/message.ts';
import { person, type Phrase, say, time } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import { clockAt } from '../../platform/time/zoned-time.ts';
import { OPPOSITE, refuseUnlessBack, type WhileArgs } from './for-a-while.ts';
import { SAVE_ROUTE } from './schedules/messages.ts';
import type { InstanceVerbs } from './instances.ts';

/** What is asked for a while of an instance that is so already: what turns it around then stands, or is offered. */

type Asked = Pick<ToCheck<WhileArgs>, 'ask' | 'instance' | 'args'>;

/** A refusal because it is as wanted already, with what turns it around later, or the offer of that; any other error as it is. */
export async function withWayBack(
  power: Power,
  deps: InstanceVerbs,
  asked: Asked,
  error: unknown,
): Promise<unknown> {
  const { end } = asked.args;
  const back = OPPOSITE[power];
  if (!(error instanceof Refusal) || error.code !== 'already' || !end || !back) return error;
  const at = momentOfEnd(end, deps.calendar.now());
  const standing = nextOf(back, asked.instance, await deps.schedules.list());
  const does = back === 'stop' ? 'stops' : 'starts';
  const lines =
    standing?.next === undefined
      ? []
      : [say`It ${does} ${time(standing.next.at)}, as ${person(standing.owner.userId)} asked.`];
  // What stands turns it around by then; else what was asked for is offered beside it.
  const isInTime = standing?.next !== undefined && (at === undefined || standing.next.at <= at);
  if (standing?.next && isInTime) return alreadySo(error, lines, turnButtons(standing.id, standing.next.at));
  if (at === undefined) return error;
  const no = await refuseUnlessBack(power, deps, asked).catch(asRefusal);
  if (no) return alreadySo(error, [...lines, ...no.answer.lines], []);
  const offer = say`If you want it ${back === 'stop' ? 'stopped' : 'started'} ${time(at)}, press below.`;
  return alreadySo(error, [...lines, offer], [await scheduleButton(deps, asked, back, end, at)]);
}

/** That it is so already, and more of it. */
function alreadySo({ answer }: Refusal, lines: readonly Phrase[], buttons: readonly Button[]): Refusal {
  return new Refusal('already', {
    ...answer,
    lines: [...answer.lines, ...lines],
    buttons: [...(answer.buttons ?? []), ...buttons],
  });
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** What does that with this instance alone, and once; of several, the first. */
function nextOf(
  verb: Power,
  { id, createdAt }: Instance,
  schedules: readonly Schedule[],
): Schedule | undefined {
  const those = schedules.filter(({ when, target, next }) => {
    const [only, another] = 'instances' in target ? target.instances : [];
    const isIt = only?.id === id && only.createdAt === createdAt && another === undefined;
    return isIt && next?.verb === verb && when.kind === 'once';
  });
  return those.toSorted((one, other) => (one.next?.at ?? 0) - (other.next?.at ?? 0))[0];
}

/** One press schedules it to run once, at `at`, Unix ms. */
async function scheduleButton(
  deps: InstanceVerbs,
  { ask, instance }: Asked,
  verb: 'start' | 'stop',
  { zone }: KeptEnd,
  at: number,
): Promise<Button> {
  const shows = clockAt(at, zone);
  const date = shows.toPlainDate().toString();
  const when: When = { kind: 'once', zone, verb, date, hour: shows.hour, minute: shows.minute, at };
  const draftId = await deps.offers.make(DRAFTS, {
    ...toAsker(ask, deps),
    channelId: ask.place.channelId,
    target: { instances: [subjectOf(instance)] },
    when,
  });
  const isSoon = at - deps.calendar.now() < DAY_MS;
  const clock = shows.toPlainTime().toString({ smallestUnit: 'minute' });
  const label = `${verb === 'stop' ? 'Stop' : 'Start'} it at ${isSoon ? clock : `${date} ${clock}`}`;
  return { label, routeId: SAVE_ROUTE, value: draftId };
}
