import { channel, group, person, type Phrase, type Piece, say, time } from './phrase.ts';

/** An id as Slack makes them, bare or as `toPlainText` writes it, or a time as that writes it. An id has a digit; a word seldom. */
const ID = String.raw`(?=[A-Z]*\d)[A-Z0-9]{8,20}`;
const NAMED = new RegExp(
  String.raw`<@([UW]${ID})>|<#([CDG]${ID})>|<!subteam\^(S${ID})>|\b([UWSC]${ID})\b|\b(\d{4}-\d\d-\d\d \d\d:\d\d) UTC`,
  'g',
);

/** A text with its people, groups and channels as mentions, and its times in the reader's zone. Pure. */
export function withMentions(text: string): Phrase {
  const phrase: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(NAMED)) {
    phrase.push(...verbatim(text.slice(from, match.index)), pieceOf(match));
    from = match.index + match[0].length;
  }
  return [...phrase, ...verbatim(text.slice(from))];
}

function pieceOf([text, userId, channelId, groupId, bare = '', at]: RegExpMatchArray): Piece {
  if (at !== undefined) return time(Date.parse(`${at.replace(' ', 'T')}Z`));
  const id = userId ?? channelId ?? groupId ?? bare;
  if (id.startsWith('C') || channelId !== undefined) return channel(id);
  if (id.startsWith('S')) return group(id);
  return id === '' ? { type: 'text', text } : person(id);
}

/** Foreign text with the spaces at its ends, which stand next to a mention. */
function verbatim(text: string): Phrase {
  if (text.trim() === '') return text === '' ? [] : say` `;
  const before = /^\s/.test(text) ? say` ` : [];
  const after = /\s$/.test(text) ? say` ` : [];
  return [...before, ...say`${text}`, ...after];
}
