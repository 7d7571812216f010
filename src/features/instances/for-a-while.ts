import { MAX_DAYS_AHEAD } from '../../core/schedules/when.ts';
import { z } from 'zod';
import type { Declared, ToCheck } from '../../core/changes/declaration.ts';
import { nameOf } from '../../core/instances/messages.ts';
import { endWords, type KeptEnd, keptEnd, keptEndSchema } from '../../core/operations/way-back.ts';
import type { Decision } from '../../core/policy/decide.ts';
import { approvalOf } from '../../core/policy/pattern.ts';
import { Refusal } from '../../core/refusal.ts';
import { readEnd } from '../../core/sentences/end.ts';
import { type EndExamples, looksLikeTime, noEnd, notYetBegun } from '../../core/sentences/no-end.ts';
import { momentOf } from '../../core/sentences/moment.ts';
import type { Moment } from '../../core/sentences/times.ts';
import type { Instance, Power } from '../../platform/hosting/service.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { DAY_MS } from '../../platform/time/duration.ts';
import type { InstanceVerbs } from './instances.ts';

/** A start or a stop for a while: `start web-1 for 4h`, `stop web-1 until friday`. */

/** What turns each around; a restart leaves nothing to turn. */
export const OPPOSITE: Readonly<Record<Power, 'start' | 'stop' | undefined>> = {
  start: 'stop',
  stop: 'start',
  restart: undefined,
};

const argsSchema = z.object({ end: keptEndSchema.optional() });
export type WhileArgs = z.infer<typeof argsSchema>;

/** The arguments of a power action: until when, if anything is said of that. */
export function forAWhile(
  power: Power,
  deps: InstanceVerbs,
): Required<Pick<Declared<WhileArgs>, 'args' | 'read' | 'typed' | 'turnsBack' | 'object' | 'takesEnd'>> {
  return {
    args: argsSchema,
    takesEnd: true,
    read: async ({ ask, words, end, buttonToken }) => {
      if (buttonToken?.args) return { names: [], args: argsSchema.parse(buttonToken.args) };
      if (!end) return { names: words, args: {} };
      if (!OPPOSITE[power])
        throw new Refusal(
          'bad-argument',
          say`A restart leaves nothing to turn around later, so nothing was done.`,
        );
      // As it was typed: who waits in line until after 18:00 didn't mean tomorrow's.
      const askedAt = deps.calendar.now() - (deps.clock.now() - ask.askedAt);
      const moment = await momentOf(deps, ask.actor.userId, askedAt);
      return { names: words, args: { end: readKept(end, moment) } };
    },
    typed: ({ id }, { end }) => [id, ...(end?.words ?? [])],
    turnsBack: ({ end }) => {
      const verb = OPPOSITE[power];
      return end && verb ? { verb, end } : undefined;
    },
    object: (instance, { end }) => (end ? say`${instance} ${endWords(end)}` : instance),
  };
}

/** What was typed as an end. Throws a Refusal for what is none. */
function readKept(typed: readonly string[], moment: Moment): KeptEnd {
  const [keyword = '', ...more] = typed;
  const end = readEnd(typed, 0, moment);
  if (end?.count === typed.length) {
    if (end.until <= moment.at + MAX_DAYS_AHEAD * DAY_MS) return keptEnd(end, moment);
    throw new Refusal(
      'bad-end',
      say`That is more than ${MAX_DAYS_AHEAD} days ahead, which is the furthest I go, so nothing was done.`,
    );
  }
  // "For the demo" may be a reason, as in a sentence.
  const isReason = /^for$/i.test(keyword) && more.length > 0 && !notYetBegun(more) && !looksLikeTime(more);
  const code = isReason ? 'bad-argument' : 'bad-end';
  throw noEnd(typed, moment, (why, instead) => new Refusal(code, why, instead), EXAMPLES);
}

const TRIES = 'for 4h, until 18:00 or until fri 08:00';
const EXAMPLES: EndExamples = {
  lengths: ['1h', '4h', '8h'],
  longer: '2d',
  tries: [TRIES, TRIES],
  undone: ', so nothing was done',
};

/** Throws a Refusal where it could be begun, and the schedule that turns it around later would not do that. */
export async function refuseUnlessBack(
  power: Power,
  { access, approvalRules, isProtected }: InstanceVerbs,
  {
    ask: { id, actor, place },
    instance,
    args: { end },
  }: Pick<ToCheck<WhileArgs>, 'ask' | 'instance' | 'args'>,
): Promise<void> {
  const back = OPPOSITE[power];
  if (!end || !back) return;
  const target = { id: instance.id, name: instance.name };
  const at = { channelId: place.channelId, route: `instances.${back}`, operationId: id };
  const decision = await access.check(actor, 'instances:power', target, at);
  // A freeze of now says nothing of then.
  if (!decision.allowed && decision.reason !== 'frozen')
    await access.require(actor, 'instances:power', target, at);
  const why = whyNotBack(back, { approvalRules, isProtected }, instance, decision);
  if (why)
    throw new Refusal(
      'not-possible',
      say`I couldn't ${back} ${nameOf(instance)} again by myself: ${why}. Nothing was done. Ask without a time if you still want it.`,
    );
}

/** Why one of several could not be turned around later, as what follows its name; undefined where it could. */
export async function stuckFor(
  power: Power,
  deps: InstanceVerbs,
  { ask: { actor, place }, instance }: Pick<ToCheck<WhileArgs>, 'ask' | 'instance' | 'args'>,
): Promise<Phrase | undefined> {
  const back = OPPOSITE[power];
  if (!back) return undefined;
  const target = { id: instance.id, name: instance.name };
  const at = { channelId: place.channelId, route: `instances.${back}` };
  const decision = await deps.access.check(actor, 'instances:power', target, at);
  const isForbidden = !decision.allowed && decision.reason !== 'frozen';
  const why = isForbidden ? say`you can't ${back} it` : whyNotBack(back, deps, instance, decision);
  return why && say`couldn't be ${back === 'stop' ? 'stopped' : 'started'} again by itself: ${why}`;
}

/** What keeps a schedule from doing it later, of one that may be changed. */
function whyNotBack(
  back: 'start' | 'stop',
  { approvalRules, isProtected }: Pick<InstanceVerbs, 'approvalRules' | 'isProtected'>,
  instance: Instance,
  decision: Decision,
): Phrase | undefined {
  if (decision.allowed && decision.rule.by === 'grant' && decision.rule.grant.once)
    return say`you were allowed to change it once`;
  if (approvalOf(approvalRules(), back, instance)) return say`that needs an approval`;
  return back === 'stop' && isProtected(instance) ? say`it is protected` : undefined;
}

/** That it is turned around later, before it is begun. */
export function backAhead(power: Power, { end }: WhileArgs): readonly Phrase[] {
  const back = OPPOSITE[power];
  if (!end || !back) return [];
  const verb = back === 'stop' ? 'stopped' : 'started';
  return [
    end.until === undefined
      ? say`It would be ${verb} again after that: ${endWords(end)} from its beginning.`
      : say`It would be ${verb} again then: ${endWords(end)}.`,
  ];
}
