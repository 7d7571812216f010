import { spawn } from 'node:child_process';
import { endWithNpm } from './cleanup.ts';
import { runDemo, WHERE, WHO } from './demo.ts';
import { talk } from './talk.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start'],
};

endWithNpm();
runDemo(process.argv.slice(2), process.env, {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  talk: (sandbox) => talk(sandbox, WHO, WHERE),
  browse: (url) => {
    const [command = 'xdg-open', ...args] = OPENERS[process.platform] ?? [];
    const opener = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    opener.once('error', () =>
      process.stderr.write(`No browser could be opened. Open it yourself: ${url}\n`),
    );
    opener.unref();
  },
  // The signals that end a process end this one, too.
  untilEnd: () => new Promise(() => undefined),
}).then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    process.stderr.write(`The demo broke: ${String(error)}\n`);
    process.exit(1);
  },
);
