import { expect, it } from 'vitest';
import { play, powerCalls, readAll } from '../support/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

const DOWN = "The hosting service isn't answering right now. I'll keep trying.";
const RESTART = { method: 'POST', path: /\/restart$/ } as const;

/** Ana asks for a restart, and the service goes down once that is accepted, just before it is called. */
async function downAtTheCall(sandbox: Sandbox): Promise<void> {
  const held = sandbox.slack.hold('chat.postMessage');
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await held.arrived;
  await sandbox.hosting.stop();
  held.release();
}

const saysDown = ({ slack }: Sandbox, isSaid = true): Promise<unknown> =>
  slack.until(() => readAllOf(slack).some((text) => text.includes(DOWN)) === isSaid);

const readAllOf = (slack: Sandbox['slack']): string[] =>
  slack.channel('#ops').messages.map((one) => slack.read(one));

it('a service that goes down just before the call is said on the card at once, and it is done when it answers', async () => {
  const sandbox = await play({ timings: { progressAfterMs: 600_000 } });
  await downAtTheCall(sandbox);
  await saysDown(sandbox);
  expect(readAll(sandbox)[0]).toContain('Restarting');
  await sandbox.hosting.start();
  await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
  expect(powerCalls(sandbox)).toBe(1);
  await sandbox.settled();
  expect(readAll(sandbox).join('\n')).not.toContain(DOWN);
});

it.each([
  ['after the call was taken', { answer: 200, done: true }],
  ['in the middle of the call', { answer: 503, done: true }],
])('a service that goes down %s is said on the card at once', async (_name, fault) => {
  const sandbox = await play({ timings: { progressAfterMs: 600_000 } });
  const { slack, hosting } = sandbox;
  hosting.failNext(RESTART, fault, 1);
  const held = hosting.hold(RESTART, 'after');
  await slack.person('ana').types('#ops', '/instances restart web-1');
  await held.arrived;
  const end = hosting.failNext({ method: 'GET' }, 503, 100_000);
  held.release();
  await saysDown(sandbox);
  end();
  await slack.until(() => readAll(sandbox).some((text) => /^✅|^📨|^❔/.test(text)));
  await sandbox.settled();
  expect(powerCalls(sandbox)).toBe(1);
  expect(readAll(sandbox).join('\n')).not.toContain(DOWN);
});
