import { expect, it } from 'vitest';
import type { FaultPoints } from '../../src/core/base.ts';
import type { Access } from '../../src/core/policy/access.ts';
import { asksThem, dmWith, messageWith } from '../support/asking.ts';
import { play, powerCalls, readAll } from '../support/sandbox.ts';

it('what was allowed once is not withdrawn while somebody approves it', async () => {
  const sandbox = await play({
    bot: false,
    env: { LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_APPROVE: 'web-*' },
  });
  const { slack } = sandbox;
  let checksLeft = 0;
  let looked = (): void => undefined;
  let isApproving = false;
  let isHeld = false;
  /** Between the yes and the beginning, what looks after approvals looks twice. */
  const slowly: FaultPoints = (name, part) => {
    if (name !== 'access') return part;
    const access = part as unknown as Access; // the part of that name
    const held: Access = {
      ...access,
      check: (...asked) => {
        checksLeft -= 1;
        if (checksLeft === 0) looked();
        return access.check(...asked);
      },
      using: async (rules, ...used) => {
        const using = await access.using(rules, ...used);
        if (!isApproving || isHeld || !rules.some((rule) => rule?.by === 'grant')) return using;
        isHeld = true;
        checksLeft = 2;
        await new Promise<void>((done) => {
          looked = done;
        });
        return using;
      },
    };
    return held as unknown as typeof part;
  };
  await sandbox.startBot({}, slowly);
  await asksThem(sandbox, 'bob', '/instances restart web-1', 'You need the operator role');
  const admin = slack.person('admin');
  await admin.presses(await dmWith(sandbox, 'admin', '@bob asks to restart web-1'), 'Allow once');
  await slack.person('bob').presses(await dmWith(sandbox, 'bob', '@admin allowed you'), 'Restart it');
  const card = await messageWith(sandbox, 'asks to restart');
  isApproving = true;
  await admin.presses(card, 'Approve');
  await slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
  expect(isHeld).toBe(true);
  expect(slack.read(card)).not.toContain('Canceled');
  expect(powerCalls(sandbox)).toBe(1);
});
