import { expect, it } from 'vitest';
import { botMessages, deleteCalls, opensModal, play, readAll } from '../support/sandbox.ts';

// Who somebody is is remembered for a minute, so that only a fresh look sees it: the process stays the same.
it('whoever loses the right to it during the grace of a deletion gets no deletion', async () => {
  const sandbox = await play({
    env: { LAMPLIGHTER_EVERYONE: 'admin' },
    timings: { deleteGraceMs: 2_000 },
  });
  const modal = await opensModal(sandbox, 'ana', '/instances delete web-1');
  await sandbox.slack.person('ana').submits(modal, { typed: 'web-1' });
  await sandbox.slack.until(() => botMessages(sandbox).length > 0);
  sandbox.slack.setPerson('ana', { isRestricted: true });
  await sandbox.settled();
  expect(readAll(sandbox)[0]).toContain(
    '⚪ Did not delete web-1 (101): who asked may not do that any more. Nothing was done.',
  );
  expect(deleteCalls(sandbox)).toBe(0);
});
