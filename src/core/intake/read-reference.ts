import type { Ask } from '../ask/ask.ts';
import { isRefusalOf } from '../refusal.ts';
import type { RouteTable } from './routes.ts';
import type { ReadSentence } from './sentence.ts';

/**
 * "Request 2rFsoy-o", "show 2rFsoy-o", or nothing but the reference that a card or a line of the audit shows: eight characters of an id, or
 * all of it. No mere word: the whole audit of a month is read for it.
 */
const TYPED =
  /^(?:(?:[Rr]equest|[Rr]eference|[Rr]ef|[Ss]how|[Cc]ard)[\s:#]+)?[`"]?(?=[\w-]*[^a-z`"\s])([\w-]{8}|[\w-]{22})[`"]?$/;

/** The reference that a line is, or that stands in it after one word; undefined for any other line. Pure. */
function referenceIn(line: string | undefined): string | undefined {
  return TYPED.exec(line?.trim() ?? '')?.[1];
}

/** Reads a line as `next` does, but for the reference of something that is recorded, which leads to its story and its card. */
export function createReadReference(
  { routes }: { readonly routes: Pick<RouteTable, 'byService'> },
  next: ReadSentence,
): ReadSentence {
  return async (ask, code) => {
    const reference = referenceIn(ask.line);
    const story = routes.byService.get('story');
    if (reference === undefined || !story || !isRefusalOf(code, 'names nothing')) return next(ask, code);
    const { id, actor, place, responseUrl, triggerId, replaces, askedAt } = ask;
    const asker = { id, actor, place, responseUrl, triggerId, replaces, askedAt };
    const asked: Ask = { ...asker, route: story.id, words: [], value: reference };
    return (await story.idle?.(asked)) ? next(ask, code) : { ask: asked, route: story };
  };
}
