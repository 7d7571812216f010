import type { Approvals } from '../../core/approvals/approvals.ts';
import { APPROVAL_ROUTES } from '../../core/approvals/messages.ts';
import type { Ask } from '../../core/ask/ask.ts';
import { CANCEL_QUESTION } from '../../core/ask/question.ts';
import { asTyped } from '../../core/ask/words.ts';
import { entryOf } from '../../core/audit/entry-of.ts';
import type { Feature } from '../../core/intake/feature.ts';
import { openQuestions } from '../../core/intake/open-questions.ts';
import type { RequestStore } from '../../core/intake/request-store.ts';
import { type AuditAttempt, isWrite, type Route } from '../../core/intake/route.ts';
import type { Offers } from '../../core/offers/offers.ts';
import { openOperations } from '../../core/operations/messages.ts';
import { canBeTakenBack } from '../../core/operations/write-queue.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import { join, type Phrase, plain, say, toPlainText } from '../../platform/slack/phrase.ts';
import { ongoingOf, openFor, type OperationsDeps } from './running.ts';

export interface CancelSaidDeps extends OperationsDeps {
  readonly requests: Pick<RequestStore, 'listOpen' | 'decide' | 'finish'>;
  readonly approvals: Pick<Approvals, 'listOpen'>;
  readonly offers: Offers;
  readonly features: () => readonly Feature[];
}

const MAX_SAID = 60;
const MAX_LABEL = 75;

/** Something of one's own that waits for an answer, and the button that cancels it. */
interface Unanswered extends Pick<Button, 'routeId' | 'value'> {
  readonly what: Phrase;
}

/**
 * "Cancel", said in a word: takes back what this person asked for here and nothing has come of yet, and the one thing that waits for
 * an answer here. It shows what runs, and what waits where it is several, with a button for each that can be canceled still.
 */
export function cancelSaidRoute(deps: CancelSaidDeps, cancelRoute: string): Route {
  const { requests, operations, clock } = deps;
  return {
    id: 'lamplighter.cancel-said',
    serves: 'cancel',
    verb: 'cancel',
    permission: undefined,
    writes: false,
    summary: 'take back what was just asked for',
    handle: async (ask, audit) => {
      const own = (await requests.listOpen()).filter((one) => isOwn(deps, ask, one));
      const taken = await Promise.all(own.map((one) => takeBack(deps, one)));
      const canceled = taken.filter((one) => one !== undefined);
      const [running, waiting] = await Promise.all([openFor(deps, ask), unansweredOf(deps, ask)]);
      const [only, ...others] = waiting;
      const isPlain = only && others.length === 0 && canceled.length === 0 && ask.words.length > 0;
      if (isPlain) await press(deps, ask, only, audit);
      const lines = [
        ...(canceled.length > 0 ? [say`Canceled ${join(canceled, ', ')} before anything was sent.`] : []),
        ...(isPlain ? [say`Canceled: ${only.what}. Nothing was done.`] : []),
      ];
      const buttons = isPlain ? [] : waiting.map(cancels);
      if (buttons.length > 0) lines.push(say`This waits for an answer. Press what you want to cancel.`);
      if (running.length === 0)
        return lines.length === 0
          ? { lines: nothingToCancel() }
          : { lines, ...(buttons.length > 0 ? { buttons } : {}) };
      const open: Message = openOperations(ongoingOf(operations, running), clock.now(), cancelRoute);
      const isTooLate = lines.length === 0 && !running.some(canBeTakenBack);
      return {
        ...open,
        lines: [...lines, ...(isTooLate ? tooLate() : []), ...open.lines],
        ...(buttons.length > 0 ? { buttons: [...buttons, ...(open.buttons ?? [])] } : {}),
      };
    },
  };
}

function routeOf({ features }: CancelSaidDeps, id: string): Route | undefined {
  return features()
    .flatMap(({ routes }) => routes)
    .find((route) => route.id === id);
}

function isOwn(deps: CancelSaidDeps, ask: Ask, one: Ask): boolean {
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
async function takeBack(deps: CancelSaidDeps, one: Ask): Promise<Phrase | undefined> {
  const { requests, clock } = deps;
  const verb = routeOf(deps, one.route)?.verb ?? '';
  const words = say`"${plain(asTyped([verb, ...one.words]), MAX_SAID)}"`;
  const entry = entryOf(one, 'refused', clock.now(), { result: 'over' });
  const result = await requests.decide(one, { lines: [say`Canceled: ${words}.`] }, entry);
  if (result !== 'decided') return undefined;
  await requests.finish(one.id);
  return words;
}

/** What this person was asked here, and what they asked others here to approve. */
async function unansweredOf({ approvals, offers }: CancelSaidDeps, ask: Ask): Promise<readonly Unanswered[]> {
  const { actor, place } = ask;
  const [questions, open] = await Promise.all([openQuestions(offers, ask), approvals.listOpen()]);
  const own = open.filter(
    (one) => one.actor.userId === actor.userId && one.place.channelId === place.channelId,
  );
  return [
    ...questions.map(({ offered, what }) => ({ what, routeId: CANCEL_QUESTION, value: offered })),
    ...own.map(({ id, what }) => ({
      what: say`your request to ${what}`,
      routeId: APPROVAL_ROUTES.withdraw,
      value: id,
    })),
  ];
}

/** Does what its Cancel does. Throws a Refusal. */
async function press(
  deps: CancelSaidDeps,
  ask: Ask,
  { routeId, value }: Unanswered,
  audit: AuditAttempt,
): Promise<void> {
  await routeOf(deps, routeId)?.handle({ ...ask, route: routeId, words: [], value }, audit);
}

function cancels({ what, routeId, value }: Unanswered): Button {
  return { label: plain(`Cancel: ${toPlainText(what)}`, MAX_LABEL), routeId, value };
}

function nothingToCancel(): readonly Phrase[] {
  return [
    say`Nothing is in progress. If I asked you something, press Cancel under it: nothing begins until you answer.`,
  ];
}

function tooLate(): readonly Phrase[] {
  return [say`I can't cancel what the hosting service was asked to do already.`];
}
