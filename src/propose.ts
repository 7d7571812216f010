import './app/no-inspector.ts';
import { ConfigError, loadAgentSettings } from './app/config/config.ts';
import { propose } from './app/propose.ts';

/** `node dist/propose.js restart web-1 --because "deploy 41" --wait`: asks people for a change, as an agent with a token. */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  process.exitCode = await propose(process.argv.slice(2), { ...loadAgentSettings(), say });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
