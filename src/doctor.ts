import { ConfigError, loadConfig } from './app/config/config.ts';
import { examineOnce } from './app/doctor.ts';
import { isUsageAsked } from './app/usage-asked.ts';
import { TIMINGS } from './core/timings.ts';
import { doctorText } from './features/doctor/index.ts';
import { instanceHosting } from './platform/hosting/adapters/instance-hosting.ts';
import { createLog } from './platform/log/log.ts';
import { createRedactor } from './platform/log/redact.ts';

const USAGE = `Usage:
  npm run doctor

Checks the configuration in the environment, Slack, the hosting service and Redis before the bot runs, and prints a line
for each check. It exits with 1 if there is a fault. The README lists the variables that it reads.
`;

/** Whatever hangs, it is over then. */
const LIMIT_MS = 18_000;

/** `npm run doctor`: the checks of `/lamplighter doctor` before the bot runs. Exits with 1 where there is a fault. */
async function main(): Promise<void> {
  if (isUsageAsked(process.argv.slice(2))) return end(USAGE, 0);
  const config = loadConfig();
  const log = createLog('error', config.secrets, (line) => process.stderr.write(line));
  const findings = await examineOnce(config, instanceHosting, { ...TIMINGS, ...config.timings }, log);
  const redact = createRedactor(config.secrets);
  end(redact(doctorText(findings)), findings.some(({ level }) => level === 'fault') ? 1 : 0);
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
