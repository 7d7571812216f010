import './app/no-inspector.ts';
import { readFileSync } from 'node:fs';
import { ConfigError, loadHostingService, readEnvFile } from './app/config/config.ts';
import { loadAdapter } from './app/load-adapter.ts';
import { checkPolicy, type Checked } from './app/policy-check.ts';

/**
 * `node dist/check-policy.js FILE`: says what a policy file fixes, or each fault with its line; with --explain, who may what. The
 * verbs are those of the service in HOSTING_SERVICE.
 */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

async function check(): Promise<Checked> {
  try {
    readEnvFile();
    return checkPolicy(process.argv.slice(2), readText, await loadAdapter(loadHostingService()));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { lines: [error.message], exitCode: 2 };
  }
}

const { lines, exitCode } = await check();
(exitCode === 2 ? process.stderr : process.stdout).write(lines.map((line) => `${line}\n`).join(''));
process.exitCode = exitCode;
