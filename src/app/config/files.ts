import { attempt } from './accounts.ts';
import { environmentNow, loadAccountsFile } from './config.ts';
import { type Environment, readVariable } from './values.ts';
import { VARIABLES } from './variables.ts';

/**
 * The paths of all files from which the configuration is read: those that the environment names, and those that accounts name in
 * theirs. Never throws.
 */
export function filesNow(env: Environment = environmentNow()): readonly string[] {
  const [file] = attempt(() => loadAccountsFile(env));
  const ofAccounts = (file?.accounts ?? []).flatMap(({ key_file: keyFile, settings }) => [
    ...(keyFile === undefined ? [] : [keyFile]),
    ...namedIn(settings),
  ]);
  return [...new Set([...namedIn(env), ...ofAccounts])];
}

function namedIn(env: Environment): readonly string[] {
  return VARIABLES.flatMap(({ name, secret, isFile }) => {
    const path = isFile ? readVariable(env, name) : secret && readVariable(env, `${name}_FILE`);
    return path ? [path] : [];
  });
}
