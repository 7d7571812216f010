import { basename } from 'node:path';
import { z } from 'zod';
import { faultOfName } from '../../core/accounts/account.ts';
import { type FileFault, readYaml } from '../../core/policy/read-yaml.ts';
import { textAt } from './values.ts';

const channelId = z.string().regex(/^[CG][A-Za-z0-9_]{1,63}$/, 'must be Slack channel ids like C012ABCDEF');
const userId = z.string().regex(/^[UW][A-Za-z0-9_]{1,63}$/, 'must be Slack user ids like U012ABCDEF');
const teamId = z
  .string()
  .regex(
    /^[TE][A-Za-z0-9_]{1,63}$/,
    'must be ids of Slack workspaces like T012ABCDEF, or of organizations like E012ABCDEF',
  );
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
  /** The only workspaces that it is for, where the bot works in several; an organization stands for all of its own. */
  workspaces: z.array(teamId).min(1, atLeastOne).optional(),
  /** Variables of its own. */
  settings: z.record(z.string(), z.string('must be text')).default({}),
});
const fileSchema = z.strictObject({ accounts: z.array(z.unknown()).min(1, 'must have at least one') });

/** One account as the file has it. */
export interface AccountEntry extends z.output<typeof accountSchema> {
  /** A fault of it, or of one of its fields or settings, with its place in the file. */
  faultAt(what: string, ...path: readonly string[]): FileFault;
}

/** What stands in a file with accounts: those that can be read, and what is wrong with the others. */
export interface AccountsFile {
  readonly accounts: readonly AccountEntry[];
  readonly faults: readonly FileFault[];
}

/** The same, with the file's name for sentences. */
export interface NamedAccountsFile extends AccountsFile {
  readonly name: string;
}

/** The path of a file with accounts, made into what stands there. */
export const accountsAt = z.string().transform((path, context): NamedAccountsFile => {
  const content = textAt(path);
  if (typeof content === 'string') return { name: basename(path), ...readAccounts(content) };
  context.addIssue({ code: 'custom', message: `can't be read${content.place}: ${content.why}` });
  return z.NEVER;
});

/** "HOSTING_ACCOUNTS has a fault in accounts.yaml, line 3, column 7: …". */
export function faultWords(name: string, { line, column, what }: FileFault): string {
  const place = `line ${line}${column === undefined ? '' : `, column ${column}`}`;
  return `HOSTING_ACCOUNTS has a fault in ${name}, ${place}: ${what.replace(/\.$/, '')}`;
}

/**
 * The accounts of a file in YAML, of which JSON is a part, and all that is wrong with it. No fault has a value of the file in it:
 * whatever stands in the wrong place may be a key. Pure.
 */
export function readAccounts(content: string): AccountsFile {
  const yaml = readYaml(content);
  if ('faults' in yaml) return { accounts: [], faults: yaml.faults };
  const file = fileSchema.safeParse(yaml.value);
  const faultAt = (path: readonly PropertyKey[], what: string): FileFault => ({
    ...yaml.placeOf(path),
    what,
  });
  const faultsOf = (error: z.ZodError | undefined, at: readonly PropertyKey[] = []): FileFault[] =>
    (error?.issues ?? []).map((issue) =>
      faultAt([...at, ...issue.path], `${subjectOf(issue)} ${wordsOf(issue)}`),
    );
  const items = file.data?.accounts ?? itemsIn(yaml.value);
  const read = items.map((item) => accountSchema.safeParse(item));
  const accounts = read.flatMap(({ data }, at): AccountEntry[] =>
    data ? [{ ...data, faultAt: (what, ...path) => faultAt(['accounts', at, ...path], what) }] : [],
  );
  return {
    accounts,
    faults: [
      ...faultsOf(file.error),
      ...read.flatMap(({ error }, at) => faultsOf(error, ['accounts', at])),
      ...faultsBetween(accounts),
    ],
  };
}

/** The accounts of a file that has a fault elsewhere. */
function itemsIn(value: unknown): readonly unknown[] {
  return z.object({ accounts: z.array(z.unknown()) }).safeParse(value).data?.accounts ?? [];
}

const FIELDS: readonly string[] = [...Object.keys(accountSchema.shape), 'accounts'];

/** The field that a fault is in: a name that the schema has, and none that somebody wrote. */
function subjectOf({ path }: z.core.$ZodIssue): string {
  return path.map(String).findLast((step) => FIELDS.includes(step)) ?? 'this';
}

/** What is wrong, never with a value. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return `has a key that there is none of; there are ${FIELDS.join(', ')}`;
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

function* faultsBetween(accounts: readonly AccountEntry[]): Generator<FileFault> {
  for (const [at, entry] of accounts.entries()) {
    const { name, channels, default_in: ids, key, key_file: keyFile, faultAt } = entry;
    const before = accounts.slice(0, at);
    if (before.some((one) => one.name === name)) yield faultAt('another account has this name', 'name');
    if (ids.some((id) => before.some((one) => one.default_in.includes(id))))
      yield faultAt('another account is the default in one of these channels', 'default_in');
    if (channels && ids.some((id) => !channels.includes(id)))
      yield faultAt('default_in has a channel that channels lacks', 'default_in');
    if (key !== undefined && keyFile !== undefined) yield faultAt('it has both key and key_file', 'key');
  }
}
