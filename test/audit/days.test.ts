import { expect, it } from 'vitest';
import { answerTo, play, readAll } from '../support/sandbox.ts';

const DAY_MS = 86_400_000;
const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

it('the audit is read for just the days that are asked for', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
  await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
  await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1')));
  await sandbox.settled();
  const audit = (words: string): Promise<string> => answerTo(sandbox, 'ana', `/lamplighter audit ${words}`);
  const now = Date.now();
  const around = `${day(now - DAY_MS)}..${day(now + DAY_MS)}`;
  expect(await audit(`web-1 --in ${around}`)).toMatch(
    /^One attempt from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(UTC\):\n.*restart web-1 \(101\): done/s,
  );
  expect(await audit('web-1 --in 2025-03')).toBe(
    'I found nothing about "web-1" in March 2025 (UTC). You can search for people (@ana), instances, commands (restart), results (failed, refused) and references.',
  );
  expect(await audit('failed --in 2025-03-02')).toBe('I found no such attempts on 2025-03-02 (UTC).');
  expect(await audit('--in march')).toContain('I can\'t read "march". Say --in 2026-10 for a month');
  expect(await audit('--in 2025-03 --last 2d')).toContain('Give me one time');
  expect(await audit('--in')).toContain('Which days?');
});

it('a sentence about a month that is over is answered for that month', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
  const answer = await answerTo(sandbox, 'ana', '@lamplighter what happened last month');
  expect(answer).toMatch(/I read that as "story last month"/);
  expect(answer).toMatch(/^I have no record of anything in \w+ 20\d\d\b/);
});

it('a slip of the name of a day is searched for as it is typed, with the day as a press', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'admin' } });
  const answer = await answerTo(sandbox, 'ana', '/lamplighter audit yesturday');
  expect(answer).toMatch(/^I found nothing about "yesturday"/);
  expect(answer).toContain('[ Audit yesterday ]');
  expect(await answerTo(sandbox, 'ana', '/lamplighter audit mondey web-1')).toContain(
    '[ Audit monday web-1 ]',
  );
});
