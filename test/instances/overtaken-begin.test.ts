import { expect, it } from 'vitest';
import { instead } from '../support/instead.ts';
import { answerTo, play, powerCalls, readAll } from '../support/sandbox.ts';
import type { PastStore } from '../../src/core/operations/past.ts';

it('a restart that ends between the look at what was done and a second one leaves that second one undone', async () => {
  let meanwhile: (() => Promise<void>) | undefined;
  const faultPoints = instead('past', 'read', async (own, ...args) => {
    const read = await (own as PastStore).read(...(args as Parameters<PastStore['read']>));
    const once = meanwhile;
    meanwhile = undefined;
    await once?.();
    return read;
  });
  const sandbox = await play({ faultPoints });
  meanwhile = async () => {
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
  };
  expect(await answerTo(sandbox, 'bob', '/instances restart web-1')).toContain(
    "I didn't restart web-1 (101), because it was changed a moment ago by somebody else's request.",
  );
  expect(powerCalls(sandbox, 'restart')).toBe(1);
  expect(await answerTo(sandbox, 'bob', '/instances restart web-1')).toContain('restarted it');
});
