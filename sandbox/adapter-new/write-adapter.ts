import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const TEMPLATE = fileURLToPath(new URL('template', import.meta.url));
/** How the files of the template name the checkout, and how they name themselves from there. */
const UP = '../../../';
const SELF = '../my-cloud';

/**
 * Writes the beginning of an adapter to a folder that is new or empty: the template, with the ways between it and this checkout as
 * they are from there. Gives the names of its files; throws where something is in the way.
 */
export function writeAdapter(folder: string): readonly string[] {
  const at = resolve(folder);
  if (existsSync(at) && !statSync(at).isDirectory())
    throw new Error(`${folder} is a file; name a new folder`);
  if (existsSync(at) && readdirSync(at).length > 0)
    throw new Error(`${folder} is not empty, and nothing in it is overwritten; name a new folder`);
  const [up, self] = [`${relative(at, CHECKOUT)}/`, relative(CHECKOUT, at)];
  const names = readdirSync(TEMPLATE);
  mkdirSync(at, { recursive: true });
  for (const name of names) {
    const text = readFileSync(join(TEMPLATE, name), 'utf8');
    writeFileSync(join(at, name), text.replaceAll(UP, up).replaceAll(SELF, self));
  }
  return names;
}
