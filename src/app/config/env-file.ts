import { loadEnvFile } from 'node:process';
import { ConfigError } from './config.ts';

/**
 * Puts into the environment what the file `.env` in the folder of the process has and the environment has not, as the bot is
 * started with. Does nothing where there is none. Throws ConfigError where it can't be read, without a word of what it holds.
 */
export function readEnvFile(): void {
  try {
    loadEnvFile();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOENT') throw new ConfigError([".env is there and can't be read"]);
  }
}
