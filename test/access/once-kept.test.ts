import { expect, it } from 'vitest';
import type { FaultPoints } from '../../src/core/base.ts';
import { asksThem, dmWith, messageWith } from '../support/asking.ts';
import { answerTo, play, privateMessage, readAll } from '../support/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** A bot of which one call of a part fails once it is told which. */
async function open(
  env: Record<string, string> = {},
): Promise<{ readonly sandbox: Sandbox; readonly breakNext: (call: string | undefined) => () => boolean }> {
  let next: string | undefined;
  const faultPoints: FaultPoints = (part, target) =>
    new Proxy(target, {
      get: (own, asked, receiver): unknown => {
        if (next !== `${part}.${String(asked)}`) return Reflect.get(own, asked, receiver);
        next = undefined;
        return () => Promise.reject(new Error('broken for once'));
      },
    });
  const roles = { LAMPLIGHTER_EVERYONE: 'viewer' };
  const sandbox = await play({ env: { ...roles, ...env }, faultPoints });
  return {
    sandbox,
    breakNext: (call) => {
      next = call;
      return () => next === undefined;
    },
  };
}

/** Fin is refused, asks, and is allowed it once. */
async function allowOnce(sandbox: Sandbox, line: string): Promise<void> {
  await asksThem(sandbox, 'fin', line, 'You need the');
  await sandbox.slack.person('admin').presses(await dmWith(sandbox, 'admin', '@fin asks to'), 'Allow once');
  await dmWith(sandbox, 'fin', '@admin allowed you');
}

it.each([
  ['/instances restart web-1', 'operations.begin', 'Restarted web-1'],
  ['/lamplighter freeze for 2h "the release"', 'access record.change', 'froze everything'],
])(
  'what was allowed once is there still where %s breaks, and the next try alone uses it',
  async (line, call, done) => {
    const { sandbox, breakNext } = await open();
    await allowOnce(sandbox, line);
    const isBroken = breakNext(call);
    await answerTo(sandbox, 'fin', line);
    expect(isBroken()).toBe(true);
    expect(readAll(sandbox).join()).not.toContain(done);
    await sandbox.slack.person('fin').types('#ops', line);
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes(done)));
    await sandbox.slack.person('fin').types('#ops', line);
    await privateMessage(sandbox, 'fin', 'allowed once has been used');
  },
);

it('what was allowed once is there still where an approval breaks, and the next press alone uses it', async () => {
  const { sandbox, breakNext } = await open({ LAMPLIGHTER_APPROVE: 'web-*' });
  const { slack } = sandbox;
  const [admin, fin] = [slack.person('admin'), slack.person('fin')];
  await admin.types('#ops', '/instances restart web-1');
  const card = await messageWith(sandbox, 'Approve');
  await fin.presses(card, 'Approve');
  await fin.presses(await privateMessage(sandbox, 'fin', 'You need the operator role'), 'Ask them');
  await admin.presses(await dmWith(sandbox, 'admin', '@fin asks to'), 'Allow once');
  await dmWith(sandbox, 'fin', '@admin allowed you');
  breakNext('operations.begin');
  await fin.presses(card, 'Approve');
  await privateMessage(sandbox, 'fin', 'Something went wrong on our side');
  await fin.presses(card, 'Approve');
  await slack.until(() => slack.read(card).includes('✅'));
  expect(slack.read(card)).toContain('Approved by @fin');
});
