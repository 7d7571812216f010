import { expect, it } from 'vitest';
import { z } from 'zod';
import { auditKeys } from '../../src/core/audit/keys.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { ENOUGH_CONFIG } from '../support/enough-config.ts';
import { answerTo, play, runToEnd } from '../support/sandbox.ts';
import { connectTo } from '../support/shared-redis.ts';
import { until } from '../support/until.ts';
import { faultIn, has, type Line, lineSchema, openCollector, timings } from './collector.ts';

it('each entry goes to who collects them, with what shows there that none was changed or left out', async () => {
  const collector = await openCollector();
  const env = { AUDIT_STREAM: collector.url, AUDIT_STREAM_AUTHORIZATION: 'Splunk 1234-abcd' };
  const sandbox = await play({ env, timings });
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  await until(() => has(collector.taken, '"what":"ended"'));
  expect(has(collector.taken, '"route":"instances.restart"')).toBe(true);
  expect(faultIn(collector.taken)).toBeUndefined();
  expect(collector.authorizations).toEqual(new Set(['Splunk 1234-abcd']));
  expect(collector.taken[0]).not.toHaveProperty('of');
});

it('what could not be given is given later, and the log says why and no secret', async () => {
  const collector = await openCollector();
  collector.status = 503;
  const env = { AUDIT_STREAM: collector.url, AUDIT_STREAM_AUTHORIZATION: 'Bearer canary-of-the-stream' };
  const sandbox = await play({ env, timings });
  await answerTo(sandbox, 'ana', '/instances restart zeppelin');
  await until(() => sandbox.logs.some((line) => line.includes('the collector at AUDIT_STREAM answered 503')));
  expect(collector.taken).toEqual([]);
  collector.status = 200;
  await until(() => has(collector.taken, 'zeppelin'));
  expect(faultIn(collector.taken)).toBeUndefined();
  expect(sandbox.logs.join('')).not.toContain('canary-of-the-stream');
});

it('a new process goes on where the one before was, and says what was gone by then', async () => {
  const collector = await openCollector();
  const sandbox = await play({ env: { AUDIT_STREAM: collector.url }, timings });
  await answerTo(sandbox, 'ana', '/instances restart zeppelin');
  const redis = connectTo(sandbox);
  // What was taken and not yet written down as given is given again.
  await until(async () => {
    const given = await redis.hget(auditKeys.streamed, 'seq');
    return has(collector.taken, 'zeppelin') && given === String(collector.taken.at(-1)?.seq);
  });
  await sandbox.stopBots();
  const before = collector.taken.length;
  collector.status = 503;
  await sandbox.startBot();
  await answerTo(sandbox, 'ana', '/instances restart hindenburg');
  await answerTo(sandbox, 'ana', '/instances restart graf');
  await until(() => sandbox.logs.some((line) => line.includes('the collector at AUDIT_STREAM answered 503')));
  await redis.xtrim(auditKeys.entries, 'MAXLEN', 1);
  // The first of these may have been read before that.
  const { refused } = collector;
  await until(() => collector.refused > refused + 1);
  collector.status = 200;
  await until(() => has(collector.taken, 'graf'));
  const later = collector.taken.slice(before);
  expect(has(later, 'zeppelin') || has(later, 'hindenburg')).toBe(false);
  expect(sandbox.logs.join('')).toContain('entries of the audit were gone before they were streamed');
});

it('written to the log, each account says whose entry it is', async () => {
  const sandbox = await play({ env: { AUDIT_STREAM: 'stdout' }, timings, accounts: {} });
  await answerTo(sandbox, 'ana', '/instances restart labs:zeppelin');
  const logged = (): Line[] =>
    sandbox.logs.flatMap((text) => {
      const read = z.object({ audit: lineSchema }).safeParse(JSON.parse(text));
      return read.success ? [read.data.audit] : [];
    });
  await until(() => has(logged(), 'zeppelin'));
  const line = logged().find(({ entry }) => entry.includes('zeppelin'));
  expect(line?.of).toEqual(['labs']);
  expect(faultIn(logged().filter(({ of }) => of?.[0] === 'labs'))).toBeUndefined();
});

it.each([
  [{ AUDIT_STREAM: 'http://siem.example.com/in' }, 'AUDIT_STREAM must be stdout or an https URL'],
  [{ AUDIT_STREAM: 'https://me:secret@siem.example.com/in' }, 'AUDIT_STREAM must be stdout or an https URL'],
  [{ AUDIT_STREAM: 'syslog' }, 'AUDIT_STREAM must be stdout or an https URL'],
  [{ AUDIT_STREAM: 'stdout', LOG_LEVEL: 'warn' }, 'LOG_LEVEL must be info or lower'],
])('%o is refused at the start', (given, why) => {
  expect(() => loadConfig({ ...ENOUGH_CONFIG, ...given })).toThrow(why);
});
