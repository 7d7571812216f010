import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Redis } from 'ioredis';
import { readVersion } from '../../src/app/version.ts';
import { endWithNpm } from '../cleanup.ts';
import { FAR_OFF_HOUR } from '../phrases/far-off-hour.ts';
import { openSandbox, type Sandbox } from '../sandbox.ts';
import type { PostedMessage } from '../slack/index.ts';
import { ENV_OF_STORED, TIMINGS_OF_STORED } from './options.ts';
import { takeSnapshot } from './snapshot.ts';

/**
 * `npm run store -- FILE`: plays a team's day, with something of every kind that has ended and something that is still open, and writes what
 * stands in Redis then. Done once for each release; the tests read each of them for good.
 */
async function main(file: string): Promise<void> {
  const sandbox = await openSandbox({ env: ENV_OF_STORED, timings: TIMINGS_OF_STORED });
  const redis = new Redis(sandbox.redisUrl);
  await ended(sandbox);
  await open(sandbox);
  const stored = await takeSnapshot(redis, readVersion().version ?? '', Date.now());
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(stored, undefined, 1)}\n`);
  redis.disconnect();
  process.stdout.write(`Wrote ${stored.keys.length} keys to ${file}.\n`);
}

/** The newest message that somebody sees, in #ops or from the bot alone, with these words. */
function seen(sandbox: Sandbox, who: string, words: string): Promise<PostedMessage> {
  const { slack } = sandbox;
  return slack.until(() =>
    [...slack.channel('#ops').seenBy(who), ...slack.person(who).dms].findLast((message) =>
      slack.read(message).includes(words),
    ),
  );
}

/** Somebody types a line in #ops and sees these words. */
async function says(sandbox: Sandbox, who: string, line: string, words: string): Promise<PostedMessage> {
  await sandbox.slack.person(who).types('#ops', line);
  return seen(sandbox, who, words);
}

/** The same, and a press on what came. */
async function presses(
  sandbox: Sandbox,
  who: string,
  [line, words]: readonly [string, string],
  label: string,
): Promise<void> {
  await sandbox.slack.person(who).presses(await says(sandbox, who, line, words), label);
}

async function ended(sandbox: Sandbox): Promise<void> {
  await says(sandbox, 'ana', '/instances restart worker-1', 'Restarted worker-1');
  await presses(sandbox, 'ana', ['/instances restart web-2 comes-back', '[ Restart 2 ]'], 'Restart 2');
  await seen(sandbox, 'ana', 'Both restarted');
  await says(sandbox, 'admin', '/lamplighter access grant operator @bob', 'operator');
  await says(sandbox, 'ana', '/instances restart web-1', 'asks to restart');
  const approval = await seen(sandbox, 'bob', 'asks to restart');
  await sandbox.slack.person('bob').presses(approval, 'Approve');
  await seen(sandbox, 'ana', 'Restarted web-1');
  await says(sandbox, 'ana', '/instances stop subscribed for 4h', 'Stopped subscribed');
  await says(sandbox, 'admin', '/instances save nightly = name:staging-*', 'nightly');
}

async function open(sandbox: Sandbox): Promise<void> {
  await says(sandbox, 'admin', '/instances watch name:web-*', 'web-*');
  await presses(
    sandbox,
    'admin',
    [`/instances schedule worker-1 stop at ${FAR_OFF_HOUR} UTC`, '[ Save ]'],
    'Save',
  );
  await says(sandbox, 'admin', '/billing digest weekly mon 09:00', 'every Monday');
  await says(sandbox, 'admin', '/billing budget all 640 at 80 100', '640');
  await says(sandbox, 'admin', '/lamplighter oncall first @bob, after 10 min @fin', 'after 10 min');
  await says(sandbox, 'admin', '/lamplighter agent add deploy-bot as @ana on worker-1', 'deploy-bot');
  await says(sandbox, 'admin', '/lamplighter freeze on web-2 for 30d "release week"', 'Frozen');
  await says(sandbox, 'admin', '/billing alerts set warn 900d critical 2d', '900');
  await sandbox.slack.person('admin').opensHome();
  await says(sandbox, 'ana', '/instances restart breaks', 'asks to restart breaks');
  // Their calls are done, and their answers never come.
  const held = sandbox.hosting.hold({ method: 'POST' }, 'after');
  await sandbox.slack.person('ana').types('#ops', '/instances restart db-1');
  await held.arrived;
  await says(sandbox, 'ana', '/lamplighter handover @bob', 'I have it');
  const admin = sandbox.slack.person('admin');
  await admin.types('#ops', '/instances delete staging');
  const modal = await sandbox.slack.until(() => admin.views.at(-1));
  await admin.submits(modal, { typed: 'staging' });
  await seen(sandbox, 'ana', 'Deleting staging');
}

endWithNpm();
const [file = ''] = process.argv.slice(2);
main(file).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`Nothing was stored: ${String(error)}\n`);
    process.exit(1);
  },
);
