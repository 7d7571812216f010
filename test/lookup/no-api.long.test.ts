import { expect, test } from 'vitest';
import { everyRoute } from '../support/phrasebook.ts';
import { answerTo, play, runToEnd } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/** What a read is asked with and answered from while the hosting API is down, where that isn't only the bot's own records. */
interface Answered {
  /** Why it can't be answered without the API. */
  readonly needs?: string;
  readonly isLastReading?: true;
  readonly words?: string;
}
const ANSWERED: Readonly<Record<string, Answered>> = {
  'instances.list': { isLastReading: true },
  'instances.show': { isLastReading: true, words: 'web-1' },
  'instances.history': { words: 'web-1' },
  'addons.list': { needs: 'no add-ons are kept: what runs on an instance is told by the service alone' },
  'billing.balance': { isLastReading: true },
  'billing.forecast': { needs: 'what is left, and what has been spent since' },
  'billing.usage': { needs: 'a cost that is out of date is wrong, and none is kept' },
  'billing.transactions': { needs: 'the service keeps them, and the newest are what people look for' },
  'billing.buy-time': { needs: 'what it offers to stop must be what runs now' },
  'billing.what-if': { needs: 'what each costs now, and what is left', words: 'stop web-1' },
  'billing.proposals': { needs: 'only what runs now is proposed' },
  'lamplighter.can': { words: 'restart web-1' },
  'lamplighter.audit': { words: 'web-1' },
  'lamplighter.story': { words: 'web-1' },
  'lamplighter.rehearse': { words: 'restart web-1' },
};

const READS = everyRoute().filter(({ usage, writes }) => usage !== undefined && writes !== true);
const DOWN = /The hosting service (?:does not|doesn't) answer/;
const FROM_BEFORE = /^The hosting service doesn't answer\. This is from .*(?:second|minute)s? ago\.\n/;

test('while the API is down, each read is answered from what is written down, or says that it needs the service', async () => {
  const sandbox = await play({
    env: { LAMPLIGHTER_EVERYONE: 'admin' },
    timings: { billingCheckEveryMs: 60_000 },
  });
  await answerTo(sandbox, 'ana', '/instances');
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  await until(async () => !(await answerTo(sandbox, 'ana', '/billing alerts')).includes("hasn't been"));
  await sandbox.hosting.stop();
  for (const { id, noun, verb } of READS) {
    const { needs, isLastReading, words = '' } = ANSWERED[id] ?? {};
    const said = await answerTo(sandbox, 'ana', `/${noun} ${verb} ${words}`);
    if (needs !== undefined) expect(said, id).toMatch(DOWN);
    else if (isLastReading) expect(said, id).toMatch(FROM_BEFORE);
    else expect(said, id).not.toMatch(DOWN);
  }
  expect(await answerTo(sandbox, 'ana', '/lamplighter audit web-1')).toContain('restart web-1 (101): done');
  expect(await answerTo(sandbox, 'ana', '@lamplighter who restarted web-1')).toMatch(/@ana · restart: done/);
});

test('while the API is down, the Home shows what was seen last', async () => {
  const sandbox = await play();
  await answerTo(sandbox, 'ana', '/instances');
  await sandbox.hosting.stop();
  const ana = sandbox.slack.person('ana');
  await ana.opensHome();
  const said = await sandbox.slack.until(() => ana.home && sandbox.slack.readView(ana.home));
  expect(said).toMatch(FROM_BEFORE);
  expect(said).toContain('paused (208)');
});

test('a service that hangs does not hold up a history', async () => {
  const sandbox = await play({ timings: { apiTimeoutMs: 60_000 } });
  await runToEnd(sandbox, 'ana', '/instances restart web-1');
  const held = sandbox.hosting.hold({ method: 'GET', path: '/api/v1/instances' });
  expect(await answerTo(sandbox, 'bob', '/instances history web-1')).toMatch(/@ana · restart: done/);
  held.drop();
});
