import { readFileSync } from 'node:fs';

/** Variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** How a variable is read. */
interface Readable {
  readonly name: string;
  readonly default?: string;
  readonly secret?: true;
  readonly inLowerCase?: true;
}

const QUOTED = /^(["'])(.*)\1$/s;

/**
 * A text without white space and matched quotation marks around it: Docker's env files hand quotes on as they stand. What has
 * such a mark inside as well is left alone: it may be a list of quoted texts.
 */
export function unquoted(text: string): string {
  const bare = text.trim();
  const [, quote = '', inside] = QUOTED.exec(bare) ?? [];
  return inside === undefined || inside.includes(quote) ? bare : unquoted(inside);
}

/** What a variable is set to, without what stands around it. Empty is unset, because Compose and CI write empty ones. */
export function readVariable(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === undefined ? undefined : unquoted(value) || undefined;
}

/** What variables are set to, from the environment, from the files it names, or by default. */
export function readValues(
  env: Environment,
  variables: readonly Readable[],
): { values: Record<string, string>; faults: string[] } {
  const values: Record<string, string> = {};
  const faults: string[] = [];
  for (const variable of variables) {
    const value =
      (variable.inLowerCase && readVariable(env, variable.name.toLowerCase())) ??
      readVariable(env, variable.name);
    const file = variable.secret && readVariable(env, `${variable.name}_FILE`);
    if (value !== undefined) values[variable.name] = value;
    else if (file) {
      const text = textAt(file);
      // Not its path: a secret may stand there by mistake.
      if (typeof text === 'string') values[variable.name] = unquoted(text);
      else faults.push(`${variable.name}_FILE can't be read: ${text.why}`);
    } else if (variable.default !== undefined) values[variable.name] = variable.default;
  }
  return { values, faults };
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  ENAMETOOLONG: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'the bot may not read it',
  EPERM: 'the bot may not read it',
};

const PATH = /^[\w./ -]{1,300}\.(?:ya?ml|json)$/;

/**
 * The text of a file, or why it can't be read: in words, with " at /etc/policy.yaml" as its place. The place is empty where
 * nothing is there and the path ends in nothing that a configuration file ends in: a secret may stand there by mistake.
 */
export function textAt(path: string): string | { readonly why: string; readonly place: string } {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const isThere = code === 'EISDIR' || code === 'EACCES' || code === 'EPERM';
    return {
      why: WHY[code] ?? 'it is no file that can be read',
      place: isThere || PATH.test(path) ? ` at ${path}` : '',
    };
  }
}
