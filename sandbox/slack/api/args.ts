import { isRecord, type Json, parseJson } from '../json.ts';
import { SlackNo } from './refusal.ts';

const JSON_FIELDS: Readonly<Record<string, string>> = {
  blocks: 'invalid_blocks_format',
  metadata: 'invalid_metadata_format',
  view: 'invalid_arguments',
  files: 'invalid_arguments',
  outputs: 'invalid_arguments',
};

/** The arguments of a call from its body, form-encoded or JSON; JSON inside a form's field is left as text. */
export function parseBody(contentType: string, body: string): Json {
  if (contentType.startsWith('application/json')) {
    const parsed = parseJson(body);
    if (!isRecord(parsed)) throw new SlackNo('invalid_json');
    return parsed;
  }
  return Object.fromEntries(new URLSearchParams(body));
}

/** Reads the fields that carry JSON; throws SlackNo for one that does not. */
export function decodeFields(args: Json): Json {
  const decoded = { ...args };
  for (const [field, code] of Object.entries(JSON_FIELDS)) {
    const value = args[field];
    if (typeof value !== 'string') continue;
    const parsed = value === '' ? undefined : parseJson(value);
    if (parsed === undefined && value !== '') throw new SlackNo(code);
    decoded[field] = parsed;
  }
  return decoded;
}

/** A text argument; undefined when it is missing or empty. */
export function textArg(args: Json, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A yes-or-no argument, as a form or JSON gives it. */
export function flagArg(args: Json, name: string): boolean {
  const value = args[name];
  return value === true || value === 'true' || value === '1';
}

/** A whole number between `least` and `most`, or the standard. */
export function countArg(args: Json, name: string, range: { standard: number; most: number }): number {
  const value = Number(args[name] ?? range.standard);
  if (!Number.isInteger(value) || value < 1) return range.standard;
  return Math.min(value, range.most);
}
