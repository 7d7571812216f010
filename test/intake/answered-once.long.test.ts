import { expect, it } from 'vitest';
import type { Access } from '../../src/core/policy/access.ts';
import { instead } from '../support/instead.ts';
import { play, privateMessage, privateTexts } from '../support/sandbox.ts';

/** It says no more that it has what it runs, as a process that stands still, so that another runs it once more. */
const holdsNothing = instead('requests', 'hold', () => Promise.resolve());

it('what one run of a request answers with a no, another does not answer with a question', async () => {
  const sandbox = await play({
    bot: false,
    env: { LAMPLIGHTER_PROTECTED: 'web-1' },
  });
  let release = (): void => undefined;
  let runs = 0;
  const firstRunWaits = instead('access', 'require', async (own, ...asked) => {
    runs += 1;
    if (runs === 1) await new Promise<void>((done) => (release = done));
    return (own as Access).require(...(asked as Parameters<Access['require']>));
  });
  await sandbox.startBot({}, (name, part) => firstRunWaits(name, holdsNothing(name, part)));
  await sandbox.slack.person('ana').mentions('#ops', 'restart web-1');
  await expect.poll(() => runs).toBe(1);

  for (let times = 0; times < 3; times++) sandbox.slack.failNext('users.info', { error: 'internal_error' });
  await sandbox.startBot({}, firstRunWaits);
  await privateMessage(sandbox, 'ana', "I couldn't check your role with Slack, so nothing was done");
  await sandbox.settled();

  release();
  await expect.poll(() => sandbox.logs.some((line) => line.includes('"msg":"answered"'))).toBe(true);
  // The first run is over once it has said what it found; stopping waits for it.
  await sandbox.stopBots();
  expect(privateTexts(sandbox, 'ana')).toHaveLength(1);
});
