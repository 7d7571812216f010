import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { play, powerCalls, runToEnd } from './support/sandbox.ts';
import { shippedFolder, shippedStart } from './support/shipped.ts';
import { startBotProcess } from '../sandbox/start-bot.ts';
import { FAST, IMPATIENCE } from './support/sandbox.ts';

/** The words after `node` of the image's command. */
function imageStart(): readonly string[] {
  const [, words = '[]'] = /^CMD (\[.*\])$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  const [, ...rest] = JSON.parse(words) as string[]; // the file's own
  return rest.map((word) => (word.includes('/') ? join(shippedFolder(), word) : word));
}

// What a signal does to a process only a process shows.
it.each([
  ['npm start', shippedStart],
  ['the image', imageStart],
])('a signal opens no inspector in the bot as %s starts it, and it works on', async (_, start) => {
  const sandbox = await play({ bot: false });
  const bot = await startBotProcess({
    env: sandbox.env,
    timings: { ...FAST, ...IMPATIENCE },
    script: start(),
  });
  try {
    sandbox.slack.connect({ requestUrl: `http://127.0.0.1:${bot.port}/slack/events` });
    bot.signal('SIGUSR1');
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(powerCalls(sandbox)).toBe(1);
    expect(bot.output()).not.toContain('Debugger listening');
    expect(bot.isRunning()).toBe(true);
  } finally {
    await bot.end('SIGKILL');
  }
});
