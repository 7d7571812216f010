import './app/no-inspector.ts';
import { ConfigError, readEnvFile } from './app/config/config.ts';
import { examineOnce } from './app/doctor.ts';
import { isUsageAsked } from './app/usage-asked.ts';
import { examinedText, isAnyFault } from './features/doctor/index.ts';
import { loadSetups } from './app/load-adapter.ts';
import { createLog, createRedactor } from './platform/log/log.ts';

const USAGE = `Usage:
  node dist/doctor.js

Checks the configuration in the environment, Slack, the hosting service and Redis before the bot runs, and prints a line
for each check, those of each of several accounts under its name. It exits with 1 if there is a fault. docs/configuration.md lists
the variables that it reads. Those that are not in the environment are read from .env here, if there is one.
`;

/** Whatever hangs, it is over then. */
const LIMIT_MS = 18_000;

/** `node dist/doctor.js`: the checks of `/lamplighter doctor` before the bot runs. Exits with 1 where there is a fault. */
async function main(): Promise<void> {
  if (isUsageAsked(process.argv.slice(2))) return end(USAGE, 0);
  readEnvFile();
  const accounts = await loadSetups();
  const [{ config }] = accounts;
  const log = createLog('error', config.secrets, process.stderr);
  const examined = await examineOnce(accounts, log);
  const redact = createRedactor(config.secrets);
  end(redact(examinedText(examined)), examined.some(({ findings }) => isAnyFault(findings)) ? 1 : 0);
}

/** Not before the words are out, and without waiting for whatever is open still. */
function end(words: string, exitCode: number): void {
  process.stdout.write(words, () => process.exit(exitCode));
}

setTimeout(() => {
  process.stderr.write(`doctor: the checks took longer than ${LIMIT_MS / 1_000} s, so it stopped.\n`);
  process.exit(1);
}, LIMIT_MS);

main().catch((error: unknown) => {
  const why = error instanceof ConfigError ? error.message : 'something went wrong in the checks themselves';
  process.stderr.write(`doctor: ${why}\n`);
  process.exit(1);
});
