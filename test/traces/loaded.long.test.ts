import { expect, it } from 'vitest';
import { play, runToEnd } from '../support/sandbox.ts';
import { startProcess } from '../support/process.ts';

const asUrl = (script: string): string => `data:text/javascript,${encodeURIComponent(script)}`;

/** Has a process write down when it loads what only traces need: the built bot has a file for each package. */
const TELLS = asUrl(`
  import { register } from 'node:module';
  register(${JSON.stringify(
    asUrl(`
      import { writeSync } from 'node:fs';
      export const load = (url, context, next) => {
        if (/@opentelemetry-(?:sdk|otlp|resources)/.test(url)) writeSync(1, 'loads what traces need\\n');
        return next(url, context);
      };
    `),
  )});
`);

// Processes of their own, since what is loaded once stays so, and files of tests share theirs.
it.each([
  ['is not loaded', {}, false],
  ['is loaded where a collector is named', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, true],
])('what only traces need %s', async (_name, env, isLoaded) => {
  const sandbox = await play({ bot: false });
  const bot = await startProcess(sandbox, { env: { ...env, NODE_OPTIONS: `--import=${TELLS}` } });
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  await bot.end('SIGTERM');
  expect(bot.output().includes('loads what traces need')).toBe(isLoaded);
});
