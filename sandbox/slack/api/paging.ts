import type { Json } from '../json.ts';
import { countArg, textArg } from './args.ts';
import { SlackNo } from './refusal.ts';

/** One page of a list and what goes beside it. The cursor is an offset in disguise. */
export function page<T>(
  all: readonly T[],
  args: Json,
  { standard = 100, most = 1000 } = {},
): {
  items: T[];
  nextCursor: string;
} {
  const cursor = textArg(args, 'cursor');
  const start =
    cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64').toString().replace('next:', ''));
  if (!Number.isInteger(start) || start < 0) throw new SlackNo('invalid_cursor');
  const end = start + countArg(args, 'limit', { standard, most });
  const next = end < all.length ? Buffer.from(`next:${end}`).toString('base64') : '';
  return { items: all.slice(start, end), nextCursor: next };
}
