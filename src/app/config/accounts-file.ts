import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { faultOfName } from '../../core/accounts/account.ts';
import { readYaml } from '../../core/policy/read-yaml.ts';

const channelId = z.string().regex(/^[CG][A-Za-z0-9_]{1,63}$/, 'must be Slack channel ids like C012ABCDEF');
const userId = z.string().regex(/^[UW][A-Za-z0-9_]{1,63}$/, 'must be Slack user ids like U012ABCDEF');
const teamId = z.string().regex(/^T[A-Za-z0-9_]{1,63}$/, 'must be Slack workspace ids like T012ABCDEF');
const atLeastOne = 'must have at least one; leave it out if it is to limit nothing';
const text = z.string().min(1, 'must not be empty');

const accountSchema = z.strictObject({
  name: z.string().superRefine((name, context) => {
    const message = faultOfName(name);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
  service: text.optional(),
  url: text.optional(),
  key: text.optional(),
  key_file: text.optional(),
  /** The only channels in which it can be used. */
  channels: z.array(channelId).min(1, atLeastOne).optional(),
  /** The channels in which it is meant where none is named. */
  default_in: z.array(channelId).default([]),
  /** The only people who can use it, beside its admins. */
  people: z.array(userId).min(1, atLeastOne).optional(),
  /** The only workspaces that it is for, where the bot works in several. */
  workspaces: z.array(teamId).min(1, atLeastOne).optional(),
  /** Variables of its own. */
  settings: z.record(z.string(), z.string('must be text')).default({}),
});
const fileSchema = z.strictObject({ accounts: z.array(accountSchema).min(1, 'must have at least one') });

/** One account as the file has it. */
export type AccountEntry = z.output<typeof accountSchema>;

/** The path of a file with accounts, made into what stands there. Each fault names the file and the line, and no value. */
export const accountsAt = z.string().transform((path, context): readonly AccountEntry[] => {
  const content = textAt(path);
  if (content === undefined) {
    context.addIssue({ code: 'custom', message: "can't be read" });
    return z.NEVER;
  }
  const read = readAccounts(content);
  if ('accounts' in read) return read.accounts;
  for (const { line, what } of read.faults)
    context.addIssue({ code: 'custom', message: `has a fault in ${basename(path)}, line ${line}: ${what}` });
  return z.NEVER;
});

interface Fault {
  readonly line: number;
  readonly what: string;
}

/** The accounts of a file in YAML, of which JSON is a part, or what is wrong with it. Pure. */
export function readAccounts(
  content: string,
): { readonly accounts: readonly AccountEntry[] } | { readonly faults: readonly Fault[] } {
  const yaml = readYaml(content);
  if ('faults' in yaml) return { faults: yaml.faults };
  const parsed = fileSchema.safeParse(yaml.value);
  if (!parsed.success)
    return {
      faults: parsed.error.issues.map((issue) => ({
        line: yaml.lineOf(issue.path),
        what: `${subjectOf(issue)} ${wordsOf(issue)}`,
      })),
    };
  const { accounts } = parsed.data;
  const faults = [...faultsBetween(accounts)].map(({ at, what }) => ({
    line: yaml.lineOf(['accounts', at]),
    what,
  }));
  return faults.length > 0 ? { faults } : { accounts };
}

function subjectOf({ path }: z.core.$ZodIssue): string {
  return path.findLast((step) => typeof step === 'string') ?? 'the file';
}

/** What is wrong, never with a value. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return 'has a key that there is none of';
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'is missing' : `must be ${A[issue.expected] ?? 'something else'}`;
  return issue.message.startsWith('must') ? issue.message : 'is not valid';
}

const A: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'a map',
  record: 'a map',
  string: 'text',
};

function* faultsBetween(
  accounts: readonly AccountEntry[],
): Generator<{ readonly at: number; readonly what: string }> {
  for (const [at, { name, channels, default_in: ids, key, key_file: keyFile }] of accounts.entries()) {
    const before = accounts.slice(0, at);
    if (before.some((one) => one.name === name)) yield { at, what: `${name} is there twice` };
    const taken = ids.filter((id) => before.some((one) => one.default_in.includes(id)));
    if (taken.length > 0) yield { at, what: `another account is the default in ${taken.join(', ')}` };
    const outside = channels ? ids.filter((id) => !channels.includes(id)) : [];
    if (outside.length > 0) yield { at, what: `default_in has ${outside.join(', ')}, which channels lacks` };
    if (key !== undefined && keyFile !== undefined) yield { at, what: 'it has both key and key_file' };
  }
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
