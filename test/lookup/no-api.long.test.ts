import { expect, test } from 'vitest';
import { everyRoute } from '../support/phrasebook.ts';
import { answerTo, play, runToEnd } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/** What a read is answered from while the hosting API is down, and the words that it is asked with. */
const ANSWERED: Readonly<
  Record<string, { readonly from: 'own records' | 'the last reading'; readonly words?: string } | NeedsApi>
> = {
  'instances.list': { from: 'the last reading' },
  'instances.show': { from: 'the last reading', words: 'web-1' },
  'instances.favorites': { from: 'own records' },
  'schedules.schedule': { from: 'own records' },
  'instances.schedules': { from: 'own records' },
  'instances.watches': { from: 'own records' },
  'instances.history': { from: 'own records', words: 'web-1' },
  'addons.list': { needs: 'no add-ons are kept: what runs on an instance is told by the service alone' },
  'billing.balance': { from: 'the last reading' },
  'billing.forecast': { needs: 'what is left, and what has been spent since' },
  'billing.usage': { needs: 'a cost that is out of date is wrong, and none is kept' },
  'billing.month': { from: 'own records' },
  'billing.why': { from: 'own records' },
  'billing.transactions': { needs: 'the service keeps them, and the newest are what people look for' },
  'billing.alerts': { from: 'own records' },
  'approval.waiting': { from: 'own records' },
  'billing.top-up': { from: 'own records' },
  'billing.buy-time': { needs: 'what it offers to stop must be what runs now' },
  'billing.budget': { from: 'own records' },
  'billing.what-if': { needs: 'what each costs now, and what is left', words: 'stop web-1' },
  'billing.digest': { from: 'own records' },
  'billing.proposals': { needs: 'only what runs now is proposed' },
  'lamplighter.help': { from: 'own records' },
  'lamplighter.operations': { from: 'own records' },
  'lamplighter.access': { from: 'own records' },
  'lamplighter.approvals': { from: 'own records' },
  'lamplighter.default': { from: 'own records' },
  'lamplighter.can': { from: 'own records', words: 'restart web-1' },
  'lamplighter.freeze': { from: 'own records' },
  'lamplighter.audit': { from: 'own records', words: 'web-1' },
  'lamplighter.doctor': { from: 'own records' },
  'lamplighter.story': { from: 'own records', words: 'web-1' },
  'lamplighter.rehearse': { from: 'own records', words: 'restart web-1' },
  'lamplighter.handover': { from: 'own records' },
  'lamplighter.oncall': { from: 'own records' },
  'lamplighter.agent': { from: 'own records' },
};
interface NeedsApi {
  /** Why it can't be answered without the API. */
  readonly needs: string;
  readonly words?: string;
}

const READS = everyRoute().filter(({ usage, writes }) => usage !== undefined && writes !== true);
const DOWN = /The hosting service (?:does not|doesn't) answer/;
const FROM_BEFORE = /^The hosting service doesn't answer\. This is from .*(?:second|minute)s? ago\.\n/;

test('each read says of itself whether it needs the hosting API', () => {
  expect(READS.map(({ id }) => id).filter((id) => !(id in ANSWERED))).toEqual([]);
});

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
    const how = ANSWERED[id];
    const words = how && 'words' in how ? ` ${how.words}` : '';
    const said = await answerTo(sandbox, 'ana', `/${noun} ${verb}${words}`);
    if (!how || 'needs' in how) expect(said, id).toMatch(DOWN);
    else if (how.from === 'the last reading') expect(said, id).toMatch(FROM_BEFORE);
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
