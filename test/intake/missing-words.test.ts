import { WebClient } from '@slack/web-api';
import { expect, it } from 'vitest';
import { createBareFeatures } from '../../src/app/features.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { messageWith } from '../support/asking.ts';
import { answeredWith, answerTo, play } from '../support/sandbox.ts';
import { says } from '../sentences/says.ts';
import { expectDone, fieldOf, FIRST, LACKING } from './lacking.ts';

it('every route that is asked for in a word and asks back is tried with what it lacks', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_AGENTS: 'yes' } });
  const tried = Object.values(LACKING).flatMap((rows) => rows.map(({ line }) => line));
  const lines = createBareFeatures().flatMap(({ noun, routes }) =>
    routes.flatMap(({ id, verb, usage }) =>
      usage === undefined || id in LACKING ? [] : [`/${noun} ${verb}`],
    ),
  );
  const asksBack: string[] = [];
  for (const line of lines)
    if ((await answerTo(sandbox, 'admin', line)).includes('[ Cancel ]')) asksBack.push(line);
  expect(lines.length).toBeGreaterThan(10);
  expect(asksBack.filter((line) => !tried.includes(line))).toEqual([]);
});

it.each(FIRST)('"%s" asks for what is missing, and what is given does the whole thing', expectDone);

it('a sentence that names no instance asks which, and one with a name that nothing has says that', async () => {
  const sandbox = await play();
  expect(await says(sandbox, 'stop the running server')).toMatch(/^Which instance do you want to stop\?/);
  const none = /No instance has exactly the name or id "zeus-9"/;
  for (const line of ['stop zeus-9', 'please stop zeus-9', 'could you start zeus-9 and zeus-8'])
    expect(await says(sandbox, line)).toMatch(none);
  for (const line of [
    'please restart zeus-9 at 22:00',
    'is zeus-9 down?',
    'show me zeus-9',
    'how is zeus-9 doing',
  ])
    expect(await says(sandbox, line)).toMatch(/^There is no instance "zeus-9"\./);
  expect(await says(sandbox, 'see you at 9:30pm')).toMatch(/^I don't know "see"/);
  // Nobody can tell what there is, and who may see nothing is told nothing.
  for (const line of ['is web-1 down?', 'please restart web-1 at 22:00'])
    expect(await says(sandbox, line, { who: 'guest' })).toMatch(/^I don't know/);
  const away = await play();
  away.hosting.failNext({ method: 'GET' }, 503, 1_000);
  expect(await says(away, 'is zeus-9 down?')).toMatch(/^"is zeus-9 down\?": The hosting service/);
});

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
  const card = await messageWith(sandbox, 'froze everything');
  expect(JSON.stringify(card.blocks)).not.toContain('broadcast');
  // What was not filled in was not answered.
  const other = await answeredWith(sandbox, 'admin', '/lamplighter freeze for 3h');
  await admin.presses(other, 'Freeze everything for 3 hours: …');
  await admin.presses(other, 'Cancel');
  await slack.until(() => slack.read(other) === 'Canceled. Nothing was changed.');
});
