import { expect, test } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { find, OPS, reads, watch } from '../billing/watching.ts';
import { botMessages, readAll } from '../support/sandbox.ts';
import { startSettableRedis } from '../support/settable-redis.ts';

/** Pushed forward as soon as a second is over. */
const OFTEN = { billingCheckEveryMs: 100, watchdogEveryMs: 50, farewellEveryMs: 1_500 };
const SILENT = /I have been silent since/;

/** Resolves once another farewell stands ahead than that one, and no other beside it. */
function pushedFrom({ slack }: Sandbox, id: string | undefined) {
  return slack.until(() => {
    const [one, ...others] = slack.scheduled();
    return one !== undefined && one.id !== id && others.length === 0 && one;
  });
}

const replies = ({ slack }: Sandbox, { ts }: PostedMessage): readonly string[] =>
  slack
    .channel('#ops')
    .replies(ts)
    .map((one) => slack.read(one));

test('a bot that falls silent is missed: Slack says so in the channel of the alerts, and once it is back, it says so below', async () => {
  const redis = await startSettableRedis();
  let ahead = 0;
  const clock = () => Date.now() + ahead * 1_000;
  const sandbox = await watch({ ownRedis: true, redisUrl: redis.url, slack: { clock }, timings: OFTEN });
  const { slack } = sandbox;
  const first = await pushedFrom(sandbox, undefined);
  expect(first.channel.id).toBe(OPS);
  await pushedFrom(sandbox, first.id);

  // What was asked for elsewhere isn't everybody's to read there.
  for (const id of [101, 102]) sandbox.hosting.setBehavior(id, { powerMs: 60_000 });
  await slack.person('admin').types('#billing', '/instances restart web-2');
  await slack.until(() => readAll(sandbox, '#billing').some((text) => text.includes('web-2')));
  await slack.person('admin').types('#ops', '/instances restart web-1');
  await slack.until(() => slack.scheduled().some(({ content }) => JSON.stringify(content).includes('web-1')));

  await sandbox.stopBots();
  expect(slack.scheduled()).toHaveLength(1);
  expect(JSON.stringify(slack.scheduled())).not.toContain('web-2');
  ahead = 21 * 60;
  redis.setAhead(ahead);
  slack.postDue();
  const farewell = find(sandbox, SILENT);
  expect(slack.read(farewell)).toMatch(
    /^🔕 I have been silent since .+, so nobody watches the balance\.\n💰 .+ left(?:, empty .+| \(most likely .+, empty .+\).*) · as of .+/,
  );

  await sandbox.startBot();
  await slack.until(() => replies(sandbox, farewell).length > 0);
  await pushedFrom(sandbox, undefined);
  await sandbox.said();
  expect(replies(sandbox, farewell)).toEqual([
    expect.stringMatching(/^▶️ I'm back\. From .+ to .+ nobody watched the balance\./),
  ]);
  expect(botMessages(sandbox).filter((one) => SILENT.test(slack.read(one)))).toHaveLength(1);
  // Nobody is told that alerts go nowhere, so Slack is to say nothing either.
  await slack.person('fin').types('#ops', '/billing alerts off');
  await reads(sandbox, /turned the alerts off/);
  await slack.until(() => slack.scheduled().length === 0);
});
