import { isRefusalOf, type Refusal, type RefusalCode } from '../refusal.ts';
import { looksLikeName, namesMissingIn } from '../sentences/read-name.ts';
import { type Phrasebook, phrasebookOf } from '../sentences/phrasebook.ts';
import { answerIn, saysCancel, saysKeep, saysStop, type Understood } from '../sentences/understood.ts';
import { understand } from '../sentences/understand.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';
import type { Ask } from '../ask/ask.ts';
import { question } from '../ask/question.ts';
import { asTyped } from '../ask/words.ts';
import { firstButtons, shownBy } from './typed-button.ts';
import { notReadable } from './messages.ts';
import { refusedRight } from './say-no.ts';
import { isWrittenDown, isWrite, type Route } from './route.ts';
import {
  cannotDo,
  doYouWant,
  labelOf,
  noneCalled,
  nothingCanceled,
  pressForYes,
  readAs,
  saidApart,
  withCount,
  whichOne,
  youAreWelcome,
} from './sentence-messages.ts';
import { isSlipOfVerb, knowingNone, mayName, spotOf } from './spot.ts';
import { type CalledOff, idsAndNames, calledOffWords } from './called-off.ts';
import { askChoices, type Choice } from './open-questions.ts';
import { answerAbout } from '../threads/threads.ts';
import type { Routed } from './routes.ts';

/** What a line that is no command comes to. */
type Meant =
  /** Something that only shows, which is asked for in its place. `note`: how the line was read. */
  | { readonly ask: Ask; readonly route: Route; readonly note?: Message['note'] }
  /** What the person reads, mostly buttons. */
  | { readonly reply: Message }
  /** What may have been meant, beside the refusal. */
  | { readonly buttons: readonly Button[]; readonly isRepair?: boolean }
  /** A change that this person may not do now. */
  | { readonly ask: Ask; readonly route: Route; readonly refused: Refusal };

/**
 * Reads a line whose words were refused, as no command or as one; undefined where the refusal says it best. Throws a HostingError
 * or a Refusal where that can't be known now.
 */
export type ReadSentence = (ask: Ask, code: RefusalCode) => Promise<Meant | undefined>;

const OPTION = /(?:^|\s)[-\u2013\u2014]{1,2}(?=[a-z]{2})/iu;

export function createReadSentence(deps: Routed): ReadSentence {
  let book: Phrasebook | undefined;
  return async (ask, code) => {
    // Who gives options writes commands, and reads what is wrong with them.
    if (ask.line === undefined || OPTION.test(ask.line)) return undefined;
    const answer = answerIn(ask.line);
    if (answer === 'yes') return { reply: pressForYes() };
    if (saysKeep(ask.line)) return { reply: nothingCanceled() };
    // No list is needed for it.
    if (answer === 'no') return calledOff(deps, ask, { how: saysCancel(ask.line) ? 'cancel' : 'all' });
    // Every route is known only once all are made.
    book ??= phrasebookOf([...deps.routes.byId.values()]);
    if (code === 'no-right') return otherThing(deps, ask, understand(book, ask.line, knowingNone(ask)));
    const { spot, failed, down } = await spotOf(deps, ask);
    const stopped = saysStop(ask.line) ? await stopsWork(deps, ask, spot.about) : undefined;
    if (stopped) return stopped;
    const understood = understand(book, ask.line, spot);
    // Without the list, what names an instance means nothing to anybody.
    if (failed && mayName(understood)) throw failed;
    if (!understood) {
      const { names } = spot.known;
      // Who may see nothing isn't told what there is.
      const none = names.all.length > 0 ? namesMissingIn(ask.line, names) : [];
      // "Show me zeus-9" names one, and not "me zeus-9".
      const isNamed = isRefusalOf(code, 'names nothing') && none.length > 0 && none.length < ask.words.length;
      if (code !== 'unknown-word' && !isNamed) return undefined;
      // What isn't on a list of before may be there by now.
      if (none.length > 0 && down) throw down;
      const buttons = await firstButtons(deps, []);
      return none.length > 0 ? { reply: { lines: noneCalled(none), buttons } } : { buttons };
    }
    if (code === 'unknown-word' && isSlipOfVerb(deps.routes, understood)) return undefined;
    const route = deps.routes.byId.get(ask.route);
    if (!route || isSaidBetter(ask, route, code, understood)) return undefined;
    if (down && 'unknown' in understood && (understood.unknown ?? []).length > 0) throw down;
    return meantBy(deps, ask, understood, spot.known.names.all);
  };
}

/**
 * What a line whose first word takes a right that somebody lacks asks for in all of its words, where that is something else: "stop
 * the digest". No list is read for them.
 */
async function otherThing(
  deps: Routed,
  ask: Ask,
  understood: Understood | undefined,
): Promise<Meant | undefined> {
  if (understood?.what === 'read' && understood.isWhole && understood.routeId !== ask.route)
    return readOf(deps, ask, understood, []);
  const isOther =
    understood?.what === 'offers' &&
    (understood.unknown ?? []).length === 0 &&
    understood.offers.every(({ routeId }) => routeId !== ask.route);
  return isOther ? offersOf(deps, ask, understood, []) : undefined;
}

/** What is called off in words begins nothing, and ends what can be ended. */
function calledOff(
  deps: Routed,
  ask: Ask,
  called: CalledOff,
): { readonly ask: Ask; readonly route: Route } | undefined {
  const cancel = deps.routes.byService.get('cancel');
  return cancel && { ask: askFor(deps, ask, cancel.id, calledOffWords(called)).asked, route: cancel };
}

/** "Stop it" where something is being done or asked here: that, and no instance. */
async function stopsWork(deps: Routed, ask: Ask, about: readonly Instance[]): Promise<Meant | undefined> {
  const stops = calledOff(deps, ask, { how: 'stop', names: idsAndNames(about) });
  return stops && !(await stops.route.idle?.(stops.ask)) ? stops : undefined;
}

/** Whether what was refused says more than what the line may mean. */
function isSaidBetter(
  asked: Pick<Ask, 'route' | 'words'>,
  route: Route,
  code: RefusalCode,
  understood: Understood,
): boolean {
  if (code === 'unknown-word') return false;
  switch (understood.what) {
    case 'which':
      // "Stop the running server" has no name in it, and no instance is called "the".
      return (
        understood.routeId === route.id &&
        (understood.unknown.length > 0 || !isRefusalOf(code, 'names nothing'))
      );
    case 'read':
      // Read as just what was refused, it says nothing new.
      if (understood.routeId === route.id && isSame(understood.words, asked.words, understood.about))
        return true;
      // "can you show web-1" is no question about rights.
      if (code === 'no-such-verb') return understood.unread.length > 0;
      return !understood.isWhole && !isAboutOther(route, code, understood);
    case 'offers':
    case 'refrain':
      return false;
    case 'cannot':
      if (understood.isOrder) return isRefusalOf(code, 'says which');
      return !isRefusalOf(code, 'names nothing') || isWrite(route, asked.words);
    case 'thanks':
      return !isRefusalOf(code, 'names nothing') || isWrite(route, asked.words);
  }
}

/** Whether a command's words name an instance in a sentence, and nothing else that may be one. */
function isAboutOther(
  { id }: Route,
  code: RefusalCode,
  { routeId, about, unread }: Extract<Understood, { what: 'read' }>,
): boolean {
  if (routeId === id || !isRefusalOf(code, 'names nothing')) return false;
  return about.length > 0 && !unread.some(looksLikeName);
}

async function meantBy(
  deps: Routed,
  ask: Ask,
  understood: Understood,
  known: readonly Instance[],
): Promise<Meant | undefined> {
  switch (understood.what) {
    case 'thanks':
      return { reply: youAreWelcome() };
    case 'read':
      return readOf(deps, ask, understood, known);
    case 'refrain': {
      const names = idsAndNames(understood.about);
      return calledOff(deps, ask, { how: 'not', routeId: understood.routeId, names });
    }
    case 'which': {
      // It names nothing that there is, so its own refusal asks of what.
      const words = [...understood.unknown, ...understood.words];
      const { route, asked } = askFor(deps, ask, understood.routeId, words);
      const asksItself = route?.spoken?.verbs !== undefined || route?.spoken?.isForOne === true;
      if (route && asksItself) return { ask: asked, route };
      const lines = known.length > 0 ? noneCalled(understood.unknown) : [];
      return lines.length > 0 ? { reply: { lines, buttons: await firstButtons(deps, []) } } : undefined;
    }
    case 'cannot': {
      const { about } = understood;
      const [only, ...others] = about;
      const page = only && others.length === 0 ? deps.links.console(only.id) : [];
      const buttons = [...page, ...(await firstButtons(deps, about))];
      return { reply: { ...cannotDo(understood.cannot, about, buttons), ...answerAbout('', about) } };
    }
    case 'offers':
      return offersOf(deps, ask, understood, known);
  }
}

/** The same person asking a route in words of its own. */
function askFor(
  { routes }: Routed,
  { id, actor, place, responseUrl, triggerId, replaces, askedAt }: Ask,
  routeId: string,
  words: readonly string[],
): { readonly route: Route | undefined; readonly asked: Ask } {
  const said = { id, actor, place, responseUrl, triggerId, replaces, askedAt };
  const asked = { ...said, route: routeId, words: [...words] };
  return { route: routes.byId.get(routeId), asked };
}

async function readOf(
  deps: Routed,
  ask: Ask,
  { routeId, words, about, unread }: Extract<Understood, { what: 'read' }>,
  known: readonly Instance[],
): Promise<Meant | undefined> {
  const { route, asked } = askFor(deps, ask, routeId, words);
  if (!route) return undefined;
  const isTried = words.includes(DRY_RUN);
  // Who may not do it is shown what it would be done with, and what that costs.
  const [only] = isTried && about.length === 1 ? about : [];
  const [card] = only ? shownBy(deps, only.id) : [];
  if (card && (await refusedRight(deps, asked, route, about))) {
    const shown = askFor(deps, ask, card.route.id, card.words).asked;
    return { ask: shown, route: card.route, note: readAs(card.route, card.words, known, unread) };
  }
  if (isTried || !isWrittenDown(route, words))
    return { ask: asked, route, note: readAs(route, words, known, unread) };
  const idle = await route.idle?.(asked);
  if (idle) return { reply: { lines: [idle] } };
  const choice = { label: await labelOf(route, words, known), route: route.id, words: [...words] };
  const made = await askChoices(deps.offers, ask, [choice]);
  return made
    ? { reply: { lines: [readAs(route, words, known, unread)], buttons: made.buttons } }
    : { reply: { lines: [notReadable(undefined)] } };
}

const DRY_RUN = '--dry-run';

async function offersOf(
  deps: Routed,
  ask: Ask,
  { offers, isWhich, unknown = [], apart = [] }: Extract<Understood, { what: 'offers' }>,
  known: readonly Instance[],
): Promise<Meant | undefined> {
  const choices: Choice[] = [];
  const idle: Phrase[] = [];
  let people: string | undefined;
  const [first, ...others] = offers;
  const isOneThing = first && others.every(({ routeId }) => routeId === first.routeId);
  const spokenOf = answerAbout(isOneThing ? first.routeId : '', [
    ...new Set(offers.flatMap(({ about }) => about)),
  ]);
  for (const { routeId, words, about } of offers) {
    const { route, asked } = askFor(deps, ask, routeId, words);
    // It was refused just so.
    if (!route || (routeId === ask.route && isSame(words, ask.words, about))) continue;
    const refused = await refusedRight(deps, asked, route, about);
    if (refused) return { ask: asked, route, refused };
    const nothing = await route.idle?.(asked);
    if (nothing) {
      idle.push(nothing);
      continue;
    }
    if (route.namesPeople) people = asTyped([route.verb, ...words]);
    const label = withCount(await labelOf(route, words, about), words, known, ask.askedAt);
    choices.push({ label, route: route.id, words: [...words] });
  }
  if (choices.length === 0) return idle.length > 0 ? { reply: { lines: idle } } : undefined;
  const isRepaired = (isWhich || unknown.length > 0) && offers.every(({ routeId }) => routeId === ask.route);
  const made = await askChoices(deps.offers, ask, choices, isRepaired);
  if (!made) return { reply: { lines: [notReadable(undefined)] } };
  const { buttons, cancels } = made;
  if (isRepaired) return { buttons, isRepair: true };
  const asked = isWhich ? whichOne() : doYouWant(buttons.length, people);
  const lines = [...noneCalled(unknown), ...idle, asked, ...saidApart(apart)];
  return { reply: { ...question({ lines, buttons }, cancels), ...spokenOf } };
}

/** Whether words ask for the same, whatever they call the instances. */
function isSame(words: readonly string[], asked: readonly string[], about: readonly Instance[]): boolean {
  const called = (word: string): string => about.find(({ name }) => name === word)?.id ?? word;
  const [one, other] = [words.map(called).toSorted(), asked.map(called).toSorted()];
  return one.length === other.length && one.every((word, at) => word === other[at]);
}
