import { endWithNpm } from './cleanup.ts';
import { runDemo, WHERE, WHO } from './demo.ts';
import { talk } from './talk.ts';

endWithNpm();
runDemo(process.argv.slice(2), process.env, {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  talk: (sandbox) => talk(sandbox, WHO, WHERE),
}).then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    process.stderr.write(`The demo broke: ${String(error)}\n`);
    process.exit(1);
  },
);
