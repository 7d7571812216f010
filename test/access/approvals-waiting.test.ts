import { expect, it } from 'vitest';
import { playFleet } from '../batches/fleet.ts';
import { answerTo, readAll } from '../support/sandbox.ts';

/** More than a message has room for with buttons each. */
const MANY = 26;

it('all that waits for an approval is counted, however much it is, and the first can be decided at once', async () => {
  const sandbox = await playFleet(MANY, {
    env: { LAMPLIGHTER_APPROVE: '*' },
  });
  const { slack } = sandbox;
  for (let nth = 0; nth < MANY; nth++)
    await slack.person('ana').types('#ops', `/instances restart stg-${nth}`);
  await slack.until(
    () => readAll(sandbox).filter((text) => text.includes('asks to restart')).length === MANY,
  );
  const said = await answerTo(sandbox, 'bob', '/lamplighter approvals');
  expect(said).toContain(`${MANY} changes are waiting for an approval:`);
  expect(said).toContain('@ana asks to restart stg-0 (1000)');
  expect(said).toContain('16 more');
  expect(await answerTo(sandbox, 'ana', '/lamplighter approvals')).toContain('[ Cancel the request ]');
  await slack.person('bob').opensHome();
  await slack.until(() => slack.person('bob').home);
});
