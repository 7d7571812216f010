import { existsSync } from 'node:fs';
import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unknownService } from './config/accounts.ts';
import { ConfigError } from './config/config.ts';

/** What such a file imports its helpers by. */
const KIT = 'lamplighter/adapter';
const KIT_AT = new URL('../platform/hosting/kit.ts', import.meta.url).href;

/** There is no such adapter, or it can't be loaded: what was named may be anything, a key in the wrong place as well. */
export class NotLoaded extends ConfigError {}

/** Whether a name of a service can only be one that stands outside of the bot: a path, or an npm package. */
export function isOutsideAdapter(service: string): boolean {
  return /[./@]/.test(service);
}

/** Loads the module of such an adapter. Throws NotLoaded. */
export async function importOutside(service: string): Promise<unknown> {
  const isPath = /^\.{0,2}\//.test(service);
  const path = resolve(service);
  if (isPath && !existsSync(path)) throw new NotLoaded([`HOSTING_SERVICE ${service}: there is no such file`]);
  findKit();
  try {
    return await import(/* @vite-ignore */ isPath ? pathToFileURL(path).href : service);
  } catch (cause) {
    const isPlain = !isOutsideAdapter(service) && isNotFound(cause);
    const fault = isPlain ? unknownService(service) : `HOSTING_SERVICE ${service} ${whyNot(cause)}`;
    throw new NotLoaded([fault], cause);
  }
}

/** Whether there is no package of that name at all. */
function isNotFound(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
}

function whyNot(cause: unknown): string {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_UNKNOWN_FILE_EXTENSION')
    return `is TypeScript, which Node ${process.version} doesn't run: take Node 24, or name a file with JavaScript`;
  const [why] = String(cause instanceof Error ? cause.message : cause).split('\n', 1);
  return `can't be loaded: ${why}`;
}

let isKitFound = false;

/** Has Node find the helpers from wherever such a file is: they are of this bot, and not of a package beside that file. */
function findKit(): void {
  if (isKitFound) return;
  isKitFound = true;
  const hook = `export const resolve = (name, context, next) =>
    next(name === ${JSON.stringify(KIT)} ? ${JSON.stringify(KIT_AT)} : name, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
