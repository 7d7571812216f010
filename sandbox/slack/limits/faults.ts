import type { z } from 'zod';
import { isRecord, shown } from '../json.ts';

/** One broken rule: what is wrong, and where. */
export interface BrokenRule {
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

/** What a schema finds wrong, in Slack's words. */
export function brokenRules(schema: z.ZodType, value: unknown): BrokenRule[] {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : parsed.error.issues.map((issue) => inSlackWords(issue, value));
}

/** `… [json-pointer:/blocks/0/text]`, under the argument's name. */
export function pointed(rule: BrokenRule, root: string): string {
  const steps = rule.path.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'));
  return `${rule.message} [json-pointer:/${[root, ...steps].join('/')}]`;
}

function inSlackWords(issue: z.core.$ZodIssue, root: unknown): BrokenRule {
  const { path } = issue;
  switch (issue.code) {
    case 'unrecognized_keys':
      return { message: `invalid additional property: ${issue.keys.join(', ')}`, path };
    case 'too_big':
      return { message: tooBig(issue.origin, Number(issue.maximum)), path };
    case 'too_small':
      return { message: tooSmall(issue.origin, Number(issue.minimum)), path };
    case 'invalid_union':
    case 'invalid_type':
    case 'invalid_value':
      return missing(path, root) ?? { message: wrongValue(issue, root), path };
    case 'invalid_format':
      return { message: `input must match regex pattern: ${issue.pattern ?? issue.format}`, path };
    default:
      return { message: issue.message, path };
  }
}

function missing(path: readonly PropertyKey[], root: unknown): BrokenRule | undefined {
  const field = path.at(-1);
  if (typeof field !== 'string' || valueAt(root, path) !== undefined) return undefined;
  return { message: `missing required field: ${field}`, path: path.slice(0, -1) };
}

function wrongValue(issue: z.core.$ZodIssue, root: unknown): string {
  const value = valueAt(root, issue.path);
  if (issue.path.at(-1) === 'type') return `unsupported type: ${shown(value).slice(0, 100)}`;
  if (issue.code === 'invalid_type')
    return `must provide ${issue.expected === 'object' ? 'an object' : `a ${issue.expected}`}`;
  return 'must be a valid enum value';
}

function tooBig(origin: string, most: number): string {
  if (origin === 'string') return `must be less than ${most + 1} characters`;
  if (origin === 'array') return `no more than ${most} items allowed`;
  return `must be less than or equal to ${most}`;
}

function tooSmall(origin: string, least: number): string {
  if (origin === 'string') return `must be more than ${least - 1} characters`;
  if (origin === 'array') return `must have at least ${least} items`;
  return `must be greater than or equal to ${least}`;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (isRecord(value) && typeof step === 'string') value = value[step];
    else return undefined;
  }
  return value;
}
