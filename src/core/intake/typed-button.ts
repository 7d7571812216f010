import { notReadable, nothingFilled, quoteLeftOpen, wordsForgotten } from './messages.ts';
import { answerKept, askedOf, keepWords, typedIdOf, typedValue } from './kept-words.ts';
import type { Offers } from '../offers/offers.ts';
import type { z } from 'zod';
import { splitWords, unmangle } from '../ask/words.ts';
import { type Gap, Refusal, type Instead } from '../refusal.ts';
import { labelOf } from './sentence-messages.ts';
import { type Route, type Shown, isWrite } from './route.ts';
import type { Named } from './subject.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import { actorSchema, placeSchema } from '../../platform/slack/ids.ts';
import type { Blank, Button, Message } from '../../platform/slack/message.ts';
import type { Phrase } from '../../platform/slack/phrase.ts';
import type { Ask } from '../ask/ask.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import type { Routed } from './routes.ts';
import { withChoices } from '../ask/question.ts';

/** The part of an ask that typed words give. */
type TypedAsk = Pick<Ask, 'words' | 'letters' | 'isVerbless' | 'line'>;

/**
 * A button that asks what was typed, as if its presser typed it: rights, the instance and all else are checked then.
 * `asked`: whom it asks whether they want that, who can cancel it. Undefined where the words can't be kept.
 */
export async function typedButton(
  offers: Pick<Offers, 'make'>,
  label: string,
  { route, words, letters, isVerbless, line }: TypedAsk & Pick<Ask, 'route'>,
  asked?: Pick<Ask, 'actor' | 'askedAt'>,
): Promise<Button | undefined> {
  const id = await keepWords(offers, words, { letters, isVerbless, line, ...(asked ? askedOf(asked) : {}) });
  return id === undefined ? undefined : { label, routeId: route, value: typedValue(id, asked !== undefined) };
}

/** A field that asks for what is missing, and a button for who has typed into it, where nothing is picked; undefined where the words can't be kept. */
async function typedBlank(
  offers: Pick<Offers, 'make'>,
  route: Pick<Route, 'id'> & Shown,
  words: readonly (string | Gap)[],
  known: readonly Named[] = [],
  asked?: Pick<Ask, 'actor' | 'askedAt'>,
): Promise<{ readonly blank: Blank; readonly buttons: readonly Button[] } | undefined> {
  const at = words.findIndex((word) => typeof word !== 'string');
  const gap = words[at];
  if (gap === undefined || typeof gap === 'string') return undefined;
  const around = words.filter((word) => typeof word === 'string');
  const keeps = await keepWords(offers, around, {
    gap: { at, asks: gap.asks },
    ...(asked ? askedOf(asked) : {}),
  });
  if (keeps === undefined) return undefined;
  const { id: routeId } = route;
  const asks = gap.asks === 'words' ? 'text' : gap.asks;
  const button = {
    label: await labelOf(route, around.toSpliced(at, 0, '…'), known),
    routeId,
    value: typedValue(keeps, asked !== undefined),
  };
  return { blank: { routeId, asks, label: gap.label, keeps }, buttons: asks === 'text' ? [button] : [] };
}

/**
 * What a button's value asks for: the words that it stands for, with what was `filled` in where one of them is missing, or the value
 * itself. `no`: the words can't be had, or who was asked has canceled it.
 */
export async function askedByValue(
  offers: Pick<Offers, 'find' | 'use'>,
  value: string | undefined,
  filled: string | undefined,
  by: Pick<Ask, 'id' | 'actor'>,
): Promise<(TypedAsk & Pick<Ask, 'value'>) | { readonly no: readonly Phrase[] }> {
  const id = typedIdOf(value);
  if (id === undefined) return { words: [], value };
  try {
    // A field that says nothing is no answer: what was asked stays open.
    const isAnswer = ({ gap }: { readonly gap?: { readonly asks: Gap['asks'] } | undefined }): boolean =>
      !gap || !('no' in readFilled(gap.asks, filled));
    const kept = await answerKept(offers, id, by, isAnswer);
    if (kept === undefined) return { no: [wordsForgotten()] };
    const { gap, ...asked } = kept;
    if (!gap) return asked;
    const words = readFilled(gap.asks, filled);
    if ('no' in words) return { no: [words.no] };
    return { words: asked.words.toSpliced(gap.at, 0, ...words.words) };
  } catch (error) {
    if (error instanceof Refusal) return { no: error.answer.lines };
    if (!isRedisAway(error)) throw error;
    return { no: [notReadable(error)] };
  }
}

const PICKED: Partial<Record<Gap['asks'], z.ZodType>> = {
  person: actorSchema.shape.userId,
  channel: placeSchema.shape.channelId,
};

/** What was picked or typed where something was missing. */
function readFilled(
  asks: Gap['asks'],
  filled = '',
): { readonly words: readonly string[] } | { readonly no: Phrase } {
  const picked = PICKED[asks];
  if (picked) return picked.safeParse(filled).success ? { words: [filled] } : { no: nothingFilled() };
  const { words, doubt } = asks === 'words' ? splitWords(filled) : { words: [unmangle(filled)] };
  if (words.join('') === '') return { no: nothingFilled() };
  return doubt === undefined ? { words } : { no: quoteLeftOpen() };
}

/** So many buttons stand on one line of a phone's screen, and a second. */
const MOST_FIRST = 4;

/** What can be shown of one instance, and what most people want. */
export async function firstButtons(deps: Routed, about: readonly Instance[]): Promise<readonly Button[]> {
  const [only, ...others] = about;
  const show = only && others.length === 0 ? shownBy(deps, only.id) : [];
  const first = [...deps.routes.byId.values()].filter(({ spoken }) => spoken?.isFirst);
  const asked = [...show, ...first.map((route) => ({ route, words: [] }))].slice(0, MOST_FIRST);
  const made = await Promise.all(
    asked.map(async ({ route, words }) =>
      typedButton(deps.offers, await labelOf(route, words, about), { route: route.id, words: [...words] }),
    ),
  );
  return made.filter((button) => button !== undefined);
}

/** The routes that show one instance, by what they are asked for with. */
export function shownBy(
  { routes }: Routed,
  id: string,
): readonly { readonly route: Route; readonly words: readonly string[] }[] {
  return [...routes.byId.values()].flatMap((route) =>
    route.spoken?.asks?.includes('<x>') && !isWrite(route, [id]) ? [{ route, words: [id] }] : [],
  );
}

/**
 * What was said, with a button for each list of words that the route may be asked in, and a field for each that lacks one. `named`:
 * instances whose ids may be among the words, beside those that it is about. `asked`: whom that asks, needed where it is
 * a question: its Cancel is theirs.
 */
export async function withInstead(
  offers: Offers,
  route: Pick<Route, 'id'> & Shown,
  said: Message,
  instead: ReturnType<Instead>,
  named: readonly Named[] = [],
  asked?: Pick<Ask, 'actor' | 'askedAt'>,
): Promise<Message> {
  if (instead.length === 0) return said;
  const known = [...(said.about?.instances ?? []), ...named];
  const made = await Promise.all(
    instead.map(async (words) => {
      const typed = words.filter((word) => typeof word === 'string');
      if (typed.length < words.length) return typedBlank(offers, route, words, known, asked);
      const label = await labelOf(route, typed, known);
      const button = await typedButton(offers, label, { route: route.id, words: typed }, asked);
      return button && { buttons: [button] };
    }),
  );
  const those = made.filter((one) => one !== undefined);
  const blanks = those.flatMap((one) => ('blank' in one ? [one.blank] : []));
  const choices = those.flatMap(({ buttons }) => buttons);
  return withChoices(blanks.length === 0 ? said : { ...said, blanks }, choices);
}
