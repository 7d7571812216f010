import type { z } from 'zod';

/** One row of docs/configuration.md and of `.env.example`, and the only way a variable gets in. */
export interface Variable {
  readonly name: string;
  readonly about: string;
  /** What it may be, and what the bot makes of it. Sees no text where the variable is not set and has no default. */
  readonly schema: z.ZodType;
  /** When the bot doesn't start without it: never where this is left out. */
  readonly required?: 'always' | 'over HTTP' | 'one workspace' | 'default service';
  readonly default?: string;
  /** Those that must be set where it is. */
  readonly needs?: readonly string[];
  /** It can also be read from a file, and what `hidden` finds in it stands in no log and no message: all of it by default. */
  readonly secret?: true;
  readonly hidden?: (text: string) => readonly string[];
  /** Other programs read it too, and in lower case first. */
  readonly inLowerCase?: true;
  /** Each account of HOSTING_ACCOUNTS may have its own. */
  readonly ofAccount?: true;
  /** It is the path of a file. */
  readonly isFile?: true;
  /** What changes in its file, or in the file of accounts, counts while the bot runs; else from the next start on. Never a key or a token. */
  readonly isLive?: true;
  /** Without it, something is open that it closes: a name that is nearly this one is refused. */
  readonly isGuard?: true;
}

/** Variables by the part of the configuration that each fills. */
export interface VariableTree {
  readonly [field: string]: Variable | VariableTree;
}

/** What a tree of variables becomes: each is what its schema makes of it. */
export type Filled<T> = {
  readonly [Field in keyof T]: T[Field] extends { readonly schema: z.ZodType }
    ? z.output<T[Field]['schema']>
    : Filled<T[Field]>;
};

function isVariable(part: Variable | VariableTree): part is Variable {
  return 'schema' in part;
}

/** The variables of a tree, in the order in which they are declared. Pure. */
export function rowsIn(tree: VariableTree): readonly Variable[] {
  return Object.values(tree).flatMap((part) => (isVariable(part) ? [part] : rowsIn(part)));
}

/** What trees become together, where each variable has the value of its name. Pure. */
export function filled(trees: readonly VariableTree[], values: ReadonlyMap<string, unknown>): object {
  const fields = new Set(trees.flatMap((tree) => Object.keys(tree)));
  return Object.fromEntries(
    [...fields].map((field) => {
      const parts = trees.flatMap((tree) => tree[field] ?? []);
      const branches = parts.flatMap((part) => (isVariable(part) ? [] : [part]));
      const variable = parts.find(isVariable);
      return [field, variable ? values.get(variable.name) : filled(branches, values)];
    }),
  );
}
