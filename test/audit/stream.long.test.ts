import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { answerTo, play } from '../support/sandbox.ts';
import { fileWith } from '../support/file-with.ts';
import { until } from '../support/until.ts';
import { faultIn, has, openCollector, timings } from './collector.ts';

it('a header that is replaced in its file is sent with the next entry', async () => {
  const collector = await openCollector();
  const path = fileWith('Splunk before-abcd');
  const env = { AUDIT_STREAM: collector.url, AUDIT_STREAM_AUTHORIZATION_FILE: path };
  const sandbox = await play({ env, timings: { ...timings, settingsEveryMs: 40 } });
  writeFileSync(path, 'Splunk after-abcd');
  await until(() => sandbox.logs.some((line) => line.includes('what changed in files counts now')));
  await answerTo(sandbox, 'ana', '/instances restart zeppelin');
  await until(() => has(collector.taken, 'zeppelin'));
  expect([...collector.authorizations].at(-1)).toBe('Splunk after-abcd');
});

it('two workers give all of it, each entry once or twice', async () => {
  const collector = await openCollector();
  const sandbox = await play({ env: { AUDIT_STREAM: collector.url }, timings });
  await sandbox.startBot({ LAMPLIGHTER_ROLE: 'worker' });
  for (const name of ['a', 'b', 'c', 'd', 'last'])
    await answerTo(sandbox, 'ana', `/instances restart no-${name}`);
  await until(() => has(collector.taken, 'no-last'));
  expect(faultIn(collector.taken)).toBeUndefined();
});
