import type { RichTextElement } from '@slack/types';
import { z } from 'zod';

/**
 * What the bot says, as data. Literal words are ours; every value put into a phrase is foreign:
 * it is shown as it is and can't mention, link or format, see
 * docs/decisions/0016-everything-said-is-a-phrase.md.
 */
export type Piece =
  | { readonly type: 'text'; readonly text: string; readonly bold?: true; readonly code?: true }
  | { readonly type: 'user'; readonly userId: string }
  | { readonly type: 'channel'; readonly channelId: string }
  | { readonly type: 'group'; readonly groupId: string }
  | { readonly type: 'link'; readonly url: string; readonly text: string }
  | { readonly type: 'ago'; readonly at: number }
  | { readonly type: 'second'; readonly at: number }
  | { readonly type: 'time'; readonly at: number }
  | { readonly type: 'day'; readonly at: number };

export type Phrase = readonly Piece[];

/** The address of one message in Slack: the only sort of address that a phrase can link to. */
const MESSAGE_URL =
  /^https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*\.slack(-gov)?\.com\/archives\/[CG]\w{1,63}\/p\d{1,21}(\?thread_ts=\d{1,12}\.\d{1,9}&cid=[CG]\w{1,63})?$/;

/** A phrase as it is kept in Redis. */
export const phraseSchema = z.array(
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('text'),
      text: z.string(),
      bold: z.literal(true).optional(),
      code: z.literal(true).optional(),
    }),
    z.object({ type: z.literal('user'), userId: z.string() }),
    z.object({ type: z.literal('channel'), channelId: z.string() }),
    z.object({ type: z.literal('group'), groupId: z.string() }),
    z.object({ type: z.literal('link'), url: z.string().regex(MESSAGE_URL), text: z.string() }),
    z.object({ type: z.literal('ago'), at: z.number() }),
    z.object({ type: z.literal('second'), at: z.number() }),
    z.object({ type: z.literal('time'), at: z.number() }),
    z.object({ type: z.literal('day'), at: z.number() }),
  ]),
) satisfies z.ZodType<Phrase>;

const MAX_FOREIGN_TEXT = 300;
const NO_NAME = '(no name)';

/** Foreign text on one line: no control, bidi or zero-width characters, and cut with an ellipsis when long. */
export function plain(text: string, longest = MAX_FOREIGN_TEXT): string {
  const characters = [...asSeen(text)];
  if (characters.length === 0) return NO_NAME;
  return characters.length <= longest ? characters.join('') : `${characters.slice(0, longest - 1).join('')}…`;
}

/** Text as people see it: on one line, without spaces around it and without what is invisible. */
function asSeen(text: string): string {
  return text
    .replace(/(?![\s\uFE0E\uFE0F])[\p{Cf}\p{Cs}\p{DI}]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s\u2800]+/gu, ' ')
    .replace(/(^| )[\uFE0E\uFE0F]+/g, '$1')
    .trim();
}

/** Whether what was typed is `text` to the eye of the person who typed it; what can't be seen is not typed. */
export function isTyped(typed: string, text: string): boolean {
  return asKeyed(typed) === asKeyed(asSeen(text) || NO_NAME);
}

/** The same without what only says how a letter or an emoji is drawn. */
function asKeyed(text: string): string {
  return asSeen(text.replace(/[\uFE0E\uFE0F]/g, '')).normalize('NFC');
}

/** Foreign text in bold. */
export function strong(text: string): Piece {
  return { type: 'text', text: plain(text), bold: true };
}

/** Foreign text that is to be copied as it stands. */
export function code(text: string): Piece {
  return { type: 'text', text: plain(text), code: true };
}

/** A mention of a person, by id. */
export function person(userId: string): Piece {
  return { type: 'user', userId };
}

/** A link to a channel, by id. */
export function channel(channelId: string): Piece {
  return { type: 'channel', channelId };
}

/** A user group, by id. It calls its members where it is posted, so it stands only in what one person reads alone. */
export function group(groupId: string): Piece {
  return { type: 'group', groupId };
}

/**
 * A link to one message, in the bot's own words. `workspace`: its address as Slack tells it, "https://team.slack.com/".
 * Undefined where that is not known or the whole is no address of Slack's.
 */
export function messageLink(
  workspace: string | undefined,
  {
    channelId,
    ts,
    threadTs,
  }: { readonly channelId: string; readonly ts: string; readonly threadTs?: string },
  text: string,
): Piece | undefined {
  const inThread = threadTs === undefined ? '' : `?thread_ts=${threadTs}&cid=${channelId}`;
  const url = `${workspace ?? ''}archives/${channelId}/p${ts.replace('.', '')}${inThread}`;
  return MESSAGE_URL.test(url) ? { type: 'link', url, text: plain(text) } : undefined;
}

/** A moment as "20 s ago", counted by the reader's own client. `at` in Unix ms. */
export function ago(at: number): Piece {
  return { type: 'ago', at };
}

/** A moment in the reader's own zone. `at` in Unix ms. */
export function time(at: number): Piece {
  return { type: 'time', at };
}

/** A moment of today to the second, in the reader's own zone. `at` in Unix ms. */
export function second(at: number): Piece {
  return { type: 'second', at };
}

/** A day in the reader's own zone. `at` in Unix ms. */
export function day(at: number): Piece {
  return { type: 'day', at };
}

/** Template tag: say`Restarting ${strong(name)} (${id})`. Strings put in are foreign text; pieces and phrases stay. */
export function say(literals: TemplateStringsArray, ...values: (string | number | Piece | Phrase)[]): Phrase {
  const pieces: Piece[] = [];
  literals.forEach((literal, index) => {
    if (literal !== '') pieces.push({ type: 'text', text: literal });
    const value = values[index];
    if (value === undefined || value === '') return;
    if (typeof value === 'string' || typeof value === 'number') {
      pieces.push({ type: 'text', text: plain(String(value)) });
    } else if ('type' in value) pieces.push(value);
    else pieces.push(...value);
  });
  return pieces;
}

/** Phrases joined by a separator from the code. */
export function join(phrases: readonly Phrase[], separator: string): Phrase {
  return phrases.flatMap((phrase, index) =>
    index === 0 ? [...phrase] : [{ type: 'text' as const, text: separator }, ...phrase],
  );
}

/** A phrase as message `text`: & < > escaped, which is what stops mentions and links there. */
export function toText(phrase: Phrase): string {
  return phrase.map(pieceText).join('');
}

/** A phrase where Slack parses nothing: as it is, with people by their id. */
export function toPlainText(phrase: Phrase): string {
  return phrase
    .map((piece) => {
      if (piece.type === 'text' || piece.type === 'link') return piece.text;
      if (piece.type === 'user') return `<@${piece.userId}>`;
      if (piece.type === 'channel') return `<#${piece.channelId}>`;
      if (piece.type === 'group') return `<!subteam^${piece.groupId}>`;
      return piece.type === 'day' ? utcDay(piece.at) : utc(piece.at);
    })
    .join('');
}

function pieceText(piece: Piece): string {
  switch (piece.type) {
    case 'text':
      return escaped(piece.text);
    case 'link':
      return `<${escaped(piece.url)}|${escaped(piece.text)}>`;
    case 'user':
      return `<@${piece.userId}>`;
    case 'channel':
      return `<#${piece.channelId}>`;
    case 'group':
      return `<!subteam^${piece.groupId}>`;
    case 'ago':
      return `<!date^${seconds(piece.at)}^{ago}|at ${utc(piece.at)}>`;
    case 'time':
      return `<!date^${seconds(piece.at)}^{date_short_pretty} {time}|${utc(piece.at)}>`;
    case 'second':
      return `<!date^${seconds(piece.at)}^{time_secs}|${utcSecond(piece.at)}>`;
    case 'day':
      return `<!date^${seconds(piece.at)}^{date_short_pretty}|${utcDay(piece.at)}>`;
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A phrase as rich text elements, where nothing is parsed at all. */
export function toElements(phrase: Phrase): RichTextElement[] {
  return merged(phrase).map((piece): RichTextElement => {
    switch (piece.type) {
      case 'text':
        return { type: 'text', text: piece.text, ...styleOf(piece) };
      case 'user':
        return { type: 'user', user_id: piece.userId };
      case 'channel':
        return { type: 'channel', channel_id: piece.channelId };
      case 'group':
        return { type: 'usergroup', usergroup_id: piece.groupId };
      case 'link':
        return { type: 'link', url: piece.url, text: piece.text };
      case 'ago':
        return {
          type: 'date',
          timestamp: seconds(piece.at),
          format: '{ago}',
          fallback: `at ${utc(piece.at)}`,
        };
      case 'time':
        return {
          type: 'date',
          timestamp: seconds(piece.at),
          format: '{date_short_pretty} {time}',
          fallback: utc(piece.at),
        };
      case 'second':
        return {
          type: 'date',
          timestamp: seconds(piece.at),
          format: '{time_secs}',
          fallback: utcSecond(piece.at),
        };
      case 'day':
        return {
          type: 'date',
          timestamp: seconds(piece.at),
          format: '{date_short_pretty}',
          fallback: utcDay(piece.at),
        };
    }
  });
}

function styleOf({ bold, code: isCode }: Extract<Piece, { type: 'text' }>): {
  style?: { bold?: true; code?: true };
} {
  if (isCode) return { style: { code: true } };
  return bold ? { style: { bold: true } } : {};
}

/** Neighboring texts of one style as one. */
function merged(phrase: Phrase): Phrase {
  const pieces: Piece[] = [];
  for (const piece of phrase) {
    const last = pieces.at(-1);
    const isText = piece.type === 'text' && last?.type === 'text';
    if (isText && piece.bold === last.bold && piece.code === last.code) {
      pieces[pieces.length - 1] = { ...last, text: last.text + piece.text };
    } else pieces.push(piece);
  }
  return pieces;
}

function seconds(at: number): number {
  return Math.floor(at / 1000);
}

function utc(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function utcSecond(at: number): string {
  return `${new Date(at).toISOString().slice(11, 19)} UTC`;
}

function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
