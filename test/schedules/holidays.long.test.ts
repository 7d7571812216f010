import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { letSchedulesBeDue, readSchedules } from '../../sandbox/phrases/due-schedule.ts';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { playFleet } from '../batches/fleet.ts';
import { fileWith } from '../support/file-with.ts';
import { answerTo, botMessages, powerCalls } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { reads, saves } from './fleet.ts';

const DAY_MS = 86_400_000;
const day = (ahead: number): string => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10);
/** This day and those around it, and one that is far off. */
const NOW = `holidays:\n  berlin: [${day(-1)}..${day(3)}]\n`;
const LATER = `holidays:\n  berlin: [${day(90)}]\n`;

/** A bot with a policy file, and what has it take another. */
async function open(content: string): Promise<{ sandbox: Sandbox; write: (next: string) => Promise<void> }> {
  const path = fileWith(content);
  const sandbox = await playFleet(1, {
    env: { LAMPLIGHTER_POLICY: path },
    timings: { settingsEveryMs: 40 },
  });
  const taken = (): number => sandbox.logs.filter((line) => line.includes('counts now')).length;
  const write = async (next: string): Promise<void> => {
    const before = taken();
    writeFileSync(path, next);
    await until(() => taken() > before);
  };
  return { sandbox, write };
}

const LINE = `stg-0 stop at ${FAR_OFF_HOUR} daily UTC except berlin`;

it('a run on a holiday is left out, and comes once the file has that day no more', async () => {
  const { sandbox, write } = await open(NOW);
  expect(await answerTo(sandbox, 'ana', `/instances schedule ${LINE.replace('berlin', 'munich')}`)).toContain(
    'There are no holidays called "munich" in the policy file, which has berlin.',
  );
  const preview = await answerTo(sandbox, 'ana', `/instances schedule ${LINE}`);
  expect(preview).toContain('every day (UTC), not on berlin holidays, for exactly stg-0');
  expect(preview).not.toContain(`${day(1)} ${FAR_OFF_HOUR}`);
  expect(preview).toContain(`${day(4)} ${FAR_OFF_HOUR}`);
  await saves(sandbox, LINE);
  await letSchedulesBeDue(sandbox, -1_000);
  await until(async () => ((await readSchedules(sandbox))[0]?.next?.at ?? 0) > Date.now());
  expect(await answerTo(sandbox, 'ana', '/instances schedules')).toContain(
    'not on berlin holidays, for stg-0',
  );
  await sandbox.settled();
  const [passed] = await readSchedules(sandbox);
  expect(passed?.open ?? passed?.last).toBeUndefined();
  expect(powerCalls(sandbox)).toBe(0);

  await write(LATER);
  await letSchedulesBeDue(sandbox, -1_000);
  await sandbox.slack.until(() => powerCalls(sandbox, 'stop') === 1);
});

it('a stop that was announced is left out where its day becomes a holiday, and a list that is gone is named', async () => {
  const { sandbox, write } = await open(LATER);
  await saves(sandbox, LINE);
  await letSchedulesBeDue(sandbox, 300_000);
  await reads(sandbox, '[ Not tonight ]');
  await write(NOW);
  await letSchedulesBeDue(sandbox, -1_000);
  await reads(sandbox, 'It is left out: that day is a holiday.');
  expect(powerCalls(sandbox)).toBe(0);

  await write('holidays:\n  munich: [2026-12-24]\n');
  expect(await answerTo(sandbox, 'ana', '/instances schedules')).toContain(
    "⚠️ The holidays berlin aren't in the policy file any more, so it runs on them.",
  );
  expect(await answerTo(sandbox, 'admin', '/lamplighter doctor')).toContain(
    'The policy file has no holidays berlin any more, which a schedule leaves out: it runs on them.',
  );
  expect(botMessages(sandbox).filter((one) => sandbox.slack.read(one).includes('was not run'))).toEqual([]);
});
