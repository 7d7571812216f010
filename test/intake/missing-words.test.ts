import { WebClient } from '@slack/web-api';
import { expect, it } from 'vitest';
import { createBareFeatures } from '../../src/app/bare-features.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { answeredWith, play } from '../support/sandbox.ts';
import { expectDone, fieldOf, FIRST, LACKING } from './lacking.ts';

/** Routes that show something without any words, or take none that they can't do without. */
const NEEDS_NOTHING = [
  'approval.waiting',
  'instances.favorites',
  'instances.schedules',
  'instances.watches',
  'addons.list',
  'billing.balance',
  'billing.forecast',
  'billing.usage',
  'billing.month',
  'billing.proposals',
  'billing.why',
  'billing.buy-time',
  'billing.top-up',
  'lamplighter.help',
  'lamplighter.operations',
  'lamplighter.doctor',
  'lamplighter.handover',
  'lamplighter.oncall',
];

it('of every route that can be typed, each word that may be missing is tried', () => {
  const typed = createBareFeatures().flatMap(({ routes }) =>
    routes.flatMap(({ id, usage }) => (usage === undefined ? [] : [id])),
  );
  expect([...Object.keys(LACKING), ...NEEDS_NOTHING].toSorted()).toEqual(typed.toSorted());
});

it.each(FIRST)('"%s" asks for what is missing, and what is given does the whole thing', expectDone);

/** The same message for everybody, as only a forger could get one. */
async function forge({ slack, env }: Sandbox, { blocks }: PostedMessage): Promise<PostedMessage> {
  const asBot = new WebClient(slack.botToken, { slackApiUrl: env['SLACK_API_URL'] ?? '' });
  await asBot.apiCall('chat.postMessage', { channel: slack.channel('#ops').id, text: 'forged', blocks });
  return slack.until(() => slack.channel('#ops').messages.find(({ text }) => text === 'forged'));
}

it.each([
  ['/lamplighter access grant admin', '@guest'],
  ['/lamplighter freeze for 2h', 'release'],
  ['/instances restart web-1 --because', 'fun'],
])('a stranger who fills in what "%s" lacks does nothing', async (line, given) => {
  const sandbox = await play();
  const { slack } = sandbox;
  const forged = await forge(sandbox, await answeredWith(sandbox, 'admin', line));
  const before = slack.channel('#ops').messages.length;
  const stranger = slack.person('guest');
  await stranger.chooses(forged, fieldOf(forged), given);
  const answer = await slack.until(() => slack.channel('#ops').ephemeralFor('guest')[0]);
  expect(slack.read(answer)).toMatch(/role|can't|may/);
  await sandbox.settled();
  expect(slack.channel('#ops').messages).toHaveLength(before);
  expect(sandbox.hosting.countCalls('POST', /restart/)).toBe(0);
});

it('on a phone it is typed, and a button does the rest; without it nothing is done', async () => {
  const sandbox = await play();
  const { slack } = sandbox;
  const admin = slack.person('admin');
  const asked = await answeredWith(sandbox, 'admin', '/lamplighter freeze for 2h');
  const empty = await admin.presses(asked, 'Freeze everything for 2 hours: …');
  expect(slack.read(await slack.until(() => empty.ephemeral[0]))).toContain('The field is empty');
  admin.fills(asked, fieldOf(asked), 'a *release* for <!channel>');
  await admin.presses(asked, 'Freeze everything for 2 hours: …');
  await slack.until(() =>
    slack.channel('#ops').messages.some((one) => slack.read(one).includes('froze everything')),
  );
  const [card] = slack.channel('#ops').messages;
  expect(JSON.stringify(card?.blocks)).not.toContain('broadcast');
  // What was not filled in was not answered.
  const other = await answeredWith(sandbox, 'admin', '/lamplighter freeze for 3h');
  await admin.presses(other, 'Freeze everything for 3 hours: …');
  await admin.presses(other, 'Cancel');
  await slack.until(() => slack.read(other) === 'Canceled. Nothing was changed.');
});
