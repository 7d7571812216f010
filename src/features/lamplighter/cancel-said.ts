import { APPROVAL_ROUTES } from '../../core/approvals/messages.ts';
import type { Ask } from '../../core/ask/ask.ts';
import { CANCEL_QUESTION } from '../../core/ask/question.ts';
import { asTyped } from '../../core/ask/words.ts';
import { entryOf } from '../../core/audit/entry.ts';
import { type CalledOff, namesOf, readCalledOff } from '../../core/intake/called-off.ts';
import { openQuestions } from '../../core/intake/open-questions.ts';
import { type AuditAttempt, isWrite, type Route } from '../../core/intake/route.ts';
import { openOperations } from '../../core/operations/messages.ts';
import type { Operation } from '../../core/operations/operation.ts';
import { canBeTakenBack } from '../../core/operations/write-queue.ts';
import { formsOf } from '../../core/sentences/phrasebook.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { join, type Phrase, plain, say, strong, toPlainText } from '../../platform/slack/phrase.ts';
import { ongoingOf, openFor } from './running.ts';
import type { Bot } from '../../core/bot/bot.ts';

const MAX_SAID = 60;
const MAX_LABEL = 75;

/** Something of one's own that waits for an answer, and the button that cancels it. */
interface Unanswered extends Pick<Button, 'routeId' | 'value'> {
  readonly what: Phrase;
  /** What a yes would do: routes, and words that may name instances. */
  readonly yes: readonly Pick<Ask, 'route' | 'words'>[];
}

/**
 * "Cancel", said in a word: takes back what this person asked for here and nothing has come of yet, and the one thing that waits for
 * an answer here. It shows what runs, and what waits where it is several, with a button for each that can be canceled still.
 */
export function cancelSaidRoute(deps: Bot, cancelRoute: string): Route {
  return {
    id: 'lamplighter.cancel-said',
    serves: 'cancel',
    verb: 'cancel',
    permission: undefined,
    writes: false,
    summary: 'take back what was just asked for',
    handle: async (ask, audit) => {
      const called = readCalledOff(ask.words);
      const own = await ownRequests(deps, ask, called);
      const taken = await Promise.all(own.map((one) => takeBack(deps, one)));
      const canceled = taken.map((one) => one?.canceled).filter((one) => one !== undefined);
      const [running, waiting] = await Promise.all([
        runningFor(deps, ask, called),
        waitingFor(deps, ask, called),
      ]);
      // What came of one is shown, unless it was set and nothing is left to show.
      const isShown = running.length + waiting.length > 0;
      const begun = taken
        .map((one) => one?.begun ?? (isShown ? undefined : one?.set))
        .filter((one) => one !== undefined);
      const [first, ...others] = canceled.length + begun.length > 0 ? [] : meantOf(called, waiting);
      if (first) {
        for (const one of [first, ...others]) await press(deps, ask, one, audit);
        return { lines: [say`Canceled: ${first.what}. Nothing was done.`] };
      }
      const said = [
        ...(canceled.length > 0 ? [say`Canceled ${join(canceled, ', ')} before anything was sent.`] : []),
        ...(begun.length > 0
          ? [
              say`I'm working on ${join(begun, ', ')} already, so I can't take it back. I'll say what came of it.`,
            ]
          : []),
        ...(waiting.length > 0 ? [say`This waits for an answer. Press what you want to cancel.`] : []),
      ];
      const lines = said.length > 0 || running.length > 0 ? said : nothingToCancel(deps, called);
      return withHint(called, shown(deps, cancelRoute, { lines, running, waiting }));
    },
    idle: async (ask) => {
      const called = readCalledOff(ask.words);
      const [own, running, waiting] = await Promise.all([
        ownRequests(deps, ask, called),
        runningFor(deps, ask, called),
        waitingFor(deps, ask, called),
      ]);
      return own.length + running.length + waiting.length > 0
        ? undefined
        : say`${join(nothingToCancel(deps, called), ' ')}`;
    },
  };
}

/** What is left to be canceled, with a button for each. */
function shown(
  { operations, clock }: Bot,
  cancelRoute: string,
  {
    lines,
    running,
    waiting,
  }: {
    readonly lines: readonly Phrase[];
    readonly running: readonly Operation[];
    readonly waiting: readonly Unanswered[];
  },
): Message {
  const all = waiting.map(cancels);
  // Two that read the same could not be told apart: the newer comes first.
  const buttons = all.filter(({ label }, at) => all.findIndex((one) => one.label === label) === at);
  if (running.length === 0) return { lines, ...(buttons.length > 0 ? { buttons } : {}) };
  const open: Message = openOperations(ongoingOf(operations, running), clock.now(), cancelRoute);
  const isTooLate = lines.length === 0 && !running.some(canBeTakenBack);
  return {
    ...open,
    lines: [...lines, ...(isTooLate ? tooLate() : []), ...open.lines],
    ...(buttons.length > 0 ? { buttons: [...buttons, ...(open.buttons ?? [])] } : {}),
  };
}

/** "Stop it" may mean an instance after all. */
function withHint(called: CalledOff, message: Message): Message {
  const [only, ...others] = called.how === 'stop' ? namesOf(called) : [];
  if (only === undefined || others.length > 0) return message;
  return { ...message, note: say`To stop the instance itself, say: stop ${only}` };
}

/** The requests of this person here that are being answered still, and are meant. */
async function ownRequests(deps: Bot, ask: Ask, called: CalledOff): Promise<readonly Ask[]> {
  return (await deps.requests.listOpen()).filter((one) => isOwn(deps, ask, one) && isCalled(called)(one));
}

/** Whether words have one of the instances that were named where it was called off; always where none was. */
function isNamed(called: CalledOff, words: readonly string[]): boolean {
  const names = 'names' in called ? called.names : [];
  return names.length === 0 || words.some((word) => names.includes(word));
}

/** Whether something that is asked for is what was called off, also as one of several. */
function isCalled(called: CalledOff): (one: Pick<Ask, 'route' | 'words'>) => boolean {
  return ({ route, words }) => (called.how !== 'not' || called.routeId === route) && isNamed(called, words);
}

/** What runs that may be meant: in a thread what it is of, elsewhere what this person asked for there; or else anything. */
async function runningFor(deps: Bot, ask: Ask, called: CalledOff): Promise<readonly Operation[]> {
  const open = await openFor(deps, ask);
  const { channelId, threadTs } = ask.place;
  const isHere = ({ actor, place, card }: Operation): boolean =>
    place.channelId === channelId &&
    (threadTs === undefined
      ? actor.userId === ask.actor.userId
      : place.threadTs === threadTs || card.ts === threadTs);
  const meant = open.filter(({ kind, subject }) =>
    isCalled(called)({ route: kind, words: [subject.id, subject.name] }),
  );
  if (called.how === 'not') return meant;
  const here = meant.filter(isHere);
  return here.length > 0 || called.how === 'stop' ? here : open;
}

/** What waits for this person's answer here that may be meant. */
async function waitingFor(deps: Bot, ask: Ask, called: CalledOff): Promise<readonly Unanswered[]> {
  const all = await unansweredOf(deps, ask);
  // A question that came of a press has no words of its own.
  const mayBeCalled = ({ route, words }: Pick<Ask, 'route' | 'words'>): boolean =>
    called.how === 'not' ? route === called.routeId : words.length === 0 || isNamed(called, words);
  return all.filter(({ yes }) => yes.some(mayBeCalled));
}

/** What is canceled by the words alone: the one thing that is meant for certain, however often it was asked. */
function meantOf(called: CalledOff, waiting: readonly Unanswered[]): readonly Unanswered[] {
  if (called.how === 'stop') return [];
  const meant = waiting.filter(({ yes }) => yes.some(isCalled(called)));
  const words = new Set(meant.map(({ what }) => toPlainText(what)));
  const isTheirsAlone = called.how === 'cancel' || meant.every(({ routeId }) => routeId === CANCEL_QUESTION);
  return words.size === 1 && isTheirsAlone ? meant : [];
}

function routeOf({ features }: Bot, id: string): Route | undefined {
  return features()
    .flatMap(({ routes }) => routes)
    .find((route) => route.id === id);
}

function isOwn(deps: Bot, ask: Ask, one: Ask): boolean {
  const route = routeOf(deps, one.route);
  return (
    one.id !== ask.id &&
    one.actor.userId === ask.actor.userId &&
    one.place.channelId === ask.place.channelId &&
    route !== undefined &&
    isWrite(route, one.words)
  );
}

/** Gives what was taken back: what has begun by now is no request any more. */
async function takeBack(
  deps: Bot,
  one: Ask,
): Promise<{ readonly canceled?: Phrase; readonly begun?: Phrase; readonly set?: Phrase } | undefined> {
  const { requests, clock } = deps;
  const route = routeOf(deps, one.route);
  const taken = await requests.takeUp(one.id);
  if (!taken) return undefined;
  // A button's verb may be several words, and nobody typed it.
  const words = say`"${plain(`${route?.verb ?? ''} ${asTyped(one.words)}`.trim(), MAX_SAID)}"`;
  // A run that has taken it up may have set something, or asked others to approve it.
  const came = taken.isAgain ? await route?.came?.(one) : 'nothing';
  if (came !== 'nothing') return came === undefined ? { begun: words } : { set: words };
  const entry = entryOf(one, 'refused', clock.now(), { result: 'over' });
  const result = await requests.decide(one, { lines: [say`Canceled: ${words}.`] }, entry, taken.mark);
  if (result !== 'decided') return undefined;
  await requests.finish(one.id);
  return { canceled: words };
}

/** What this person was asked here, and what they asked others here to approve. */
async function unansweredOf({ approvals, offers }: Bot, ask: Ask): Promise<readonly Unanswered[]> {
  const { actor, place } = ask;
  const [questions, open] = await Promise.all([openQuestions(offers, ask), approvals.listOpen()]);
  const own = open.filter(
    (one) => one.actor.userId === actor.userId && one.place.channelId === place.channelId,
  );
  return [
    ...questions.map(({ offered, what, yes }) => ({ what, yes, routeId: CANCEL_QUESTION, value: offered })),
    ...own.map(({ id, what, kind, instance }) => ({
      what: say`your request to ${what}`,
      yes: [{ route: kind, words: [instance.id] }],
      routeId: APPROVAL_ROUTES.withdraw,
      value: id,
    })),
  ];
}

/** Does what its Cancel does. Throws a Refusal. */
async function press(
  deps: Bot,
  ask: Ask,
  { routeId, value }: Unanswered,
  audit: AuditAttempt,
): Promise<void> {
  await routeOf(deps, routeId)?.handle({ ...ask, route: routeId, words: [], value }, audit);
}

function cancels({ what, routeId, value }: Unanswered): Button {
  return { label: plain(`Cancel: ${toPlainText(what)}`, MAX_LABEL), routeId, value };
}

function nothingToCancel(deps: Bot, called: CalledOff): readonly Phrase[] {
  if (called.how !== 'not')
    return [
      say`Nothing is in progress. If I asked you something, press Cancel under it: nothing begins until you answer.`,
    ];
  const { doing } = formsOf(routeOf(deps, called.routeId)?.verb ?? 'change');
  const named = namesOf(called).map((name) => say`${strong(name)}`);
  const what = named.length > 0 ? join(named, ' or ') : say`anything for you`;
  // Of what comes later, in a batch or by a schedule, nothing is known here.
  return [
    say`I'm not ${doing} ${what} right now, so there is nothing to cancel. Batches and schedules go on as planned.`,
  ];
}

function tooLate(): readonly Phrase[] {
  return [say`I can't cancel what the hosting service was asked to do already.`];
}
