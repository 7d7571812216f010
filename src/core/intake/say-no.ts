import type { Access } from '../policy/access.ts';
import { Frozen, NoRight } from '../policy/no-access.ts';
import { Refusal } from '../refusal.ts';
import type { Ask } from '../ask/ask.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Message } from '../../platform/slack/message.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';
import { type About, aboutOf, saying } from './about.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import { atMost } from '../../platform/time/wait.ts';
import type { Named } from './subject.ts';
import { HostingError, isKeyFault } from '../../platform/hosting/hosting-error.ts';
import type { RouteTable } from './routes.ts';
import type { Answering } from './answering.ts';
import { withAskButton } from './ask-for-right.ts';
import { keepTyped } from './kept-words.ts';
import { errorAnswer } from './error-answer.ts';
import { hideForbidden } from './hide-forbidden.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { type Route, permissionFor } from './route.ts';
import { withInstead } from './typed-button.ts';

/** How long the name behind a button is waited for: before an acknowledgement only a moment, since Slack waits for that. */
const SUBJECT_WITHIN_MS = { decide: 2_000, refuse: 300 };

/** What an ask is about, with the names that are known in time. */
export async function findAbout(
  deps: Answering,
  ask: Ask,
  route: Route,
  when: keyof typeof SUBJECT_WITHIN_MS = 'decide',
): Promise<About> {
  const { findSubject, routes } = deps;
  return aboutOf(ask, route, routes.nounOf(route.id), {
    subject: (value) => inTime(deps, when, findSubject(value)),
    named: (words) => namedIn(deps, ask, words, when),
  });
}

/** The instances that words name by their ids, if they are known in time. */
async function namedIn(
  deps: Answering,
  ask: Ask,
  words: readonly string[],
  when: keyof typeof SUBJECT_WITHIN_MS = 'decide',
): Promise<readonly Named[]> {
  return (await inTime(deps, when, deps.findNamed(ask, words))) ?? [];
}

/** What is found, if that is known in time. */
function inTime<Found>(
  { log }: Answering,
  when: keyof typeof SUBJECT_WITHIN_MS,
  finding: Promise<Found>,
): Promise<Found | undefined> {
  const found = finding.catch((error: unknown) => {
    if (!isRedisAway(error)) log.error({ error }, 'finding what something is about');
    return undefined;
  });
  return atMost(SUBJECT_WITHIN_MS[when], found);
}

/** Whether an error says nothing of what was asked for: it came before that was looked at, or in the middle of it. Pure. */
export function isGeneralNo(error: unknown): boolean {
  return !(error instanceof Refusal) || error.code === 'not-checked';
}

/** What the person reads about an error that ended their request, with what they can press now. */
export async function sayNo(deps: Answering, ask: Ask, route: Route, error: unknown): Promise<Message> {
  const { offers, log } = deps;
  const no = await sayAbout(
    deps,
    ask,
    route,
    errorAnswer(deps, error, ask, route),
    isGeneralNo(error),
    'decide',
  );
  const askable =
    error instanceof NoRight
      ? await orInWords(log, no, () => withAskButton(deps, route, ask, no, error))
      : no;
  const helped = withHelp(deps.routes, error, askable);
  const mendable =
    error instanceof Refusal
      ? await orInWords(log, helped, () => withMeant(deps, ask, route, helped, error))
      : helped;
  const seen = await showOnlyAllowed(deps, ask, mendable);
  return orInWords(log, seen, () => keepTyped(offers, ask, seen));
}

/** A no that says what it is about: not every no is read next to what was asked. */
export async function sayAbout(
  deps: Answering,
  ask: Ask,
  route: Route,
  no: Message,
  isGeneral: boolean,
  when: keyof typeof SUBJECT_WITHIN_MS,
): Promise<Message> {
  return saying(await findAbout(deps, ask, route, when), no, isGeneral);
}

/** Says no in general while a request is decided, with what it is about. */
export function refusing(deps: Answering): (ask: Ask, route: Route, no: Phrase) => Promise<Message> {
  return (ask, route, no) => sayAbout(deps, ask, route, { lines: [no] }, true, 'decide');
}

/** A no with what may have been meant in its place, by the names of what it is about. */
async function withMeant(
  deps: Answering,
  ask: Ask,
  route: Route,
  no: Message,
  refusal: Refusal,
): Promise<Message> {
  const instead = refusal.instead(ask.words);
  const known = await withThaw(deps, ask, no, refusal);
  const words = instead.flat().filter((word) => typeof word === 'string');
  // A label of its own says which of its words are instances.
  const named = route.namesInstances || route.label ? await namedIn(deps, ask, words.flatMap(each)) : [];
  return withInstead(deps.offers, route, known, instead, named, ask);
}

/** A no because of a freeze with the button that ends it, for who may. */
async function withThaw(deps: Answering, ask: Ask, no: Message, refusal: Refusal): Promise<Message> {
  const thaw = deps.routes.byService.get('thaw');
  if (!(refusal instanceof Frozen) || !refusal.ends || !thaw) return no;
  const { on } = refusal.ends;
  const words = on ? ['on', on.join(',')] : [];
  if (await refusedRight(deps, { ...ask, words, route: thaw.id }, thaw, [])) return no;
  return withInstead(deps.offers, thaw, no, [words]);
}

/** Several patterns in one word. */
function each(word: string): readonly string[] {
  return word.split(',');
}

/** An answer without what this person may not press. */
export function showOnlyAllowed(
  { access, routes, log }: Answering,
  ask: Ask,
  answer: Message,
): Promise<Message> {
  return orInWords(log, answer, () => hideForbidden({ access, routes: routes.byId, log }, ask, answer));
}

/** What `making` makes of an answer; where that fails, its words all the same, with nothing to press. */
async function orInWords(log: Log, answer: Message, making: () => Promise<Message>): Promise<Message> {
  try {
    return await making();
  } catch (error) {
    log.error({ error }, 'making an answer that can be pressed');
    const {
      rows = [],
      filters: _,
      buttons: __,
      menu: ___,
      picker: ____,
      blanks: _____,
      several: ______,
      modal: _______,
      ...inWords
    } = answer;
    const bullets = [...(inWords.bullets ?? []), ...rows.map(({ line }) => line)];
    return bullets.length > 0 ? { ...inWords, bullets } : inWords;
  }
}

/**
 * An answer about a fault of the hosting service; where that refuses the key, with a look at how the bot is set up, which not
 * everybody may press. Any other answer as it is. Pure.
 */
function withHelp({ byService }: Pick<RouteTable, 'byService'>, error: unknown, answer: Message): Message {
  const examine = byService.get('examine');
  if (!examine || !(error instanceof HostingError) || !isKeyFault(error.fault)) return answer;
  const button = { label: 'Check the setup', routeId: examine.id, value: error.fault };
  return { ...answer, buttons: [...(answer.buttons ?? []), button] };
}

/** Why this person may not do it now, with these instances or at all, so that they are offered no button in vain. */
export async function refusedRight(
  { access }: { readonly access: Pick<Access, 'require'> },
  ask: Ask,
  route: Route,
  about: readonly Instance[],
): Promise<Refusal | undefined> {
  const { id, actor, words } = ask;
  const { channelId } = ask.place;
  const permission = permissionFor(route, words);
  const targets =
    about.length === 0 ? (['any'] as const) : about.map((one) => ({ id: one.id, name: one.name }));
  try {
    await route.mayOffer?.(ask);
    if (permission === undefined) return undefined;
    for (const target of targets)
      await access.require(actor, permission, target, { channelId, route: route.id, operationId: id });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
