import { WebClient } from '@slack/web-api';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import { everyElement } from '../../sandbox/slack/acting/target.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { View } from '../../sandbox/slack/workspace/views.ts';
import type { Json } from '../../sandbox/slack/json.ts';
import { botMessages } from '../support/sandbox.ts';
import { playTwoAccounts } from './two-accounts.ts';

const PEOPLE_WHO_ASK = ['ana', 'admin'];

/** Everything that people can have an account keep, typed in its channel; each answers alone or in the channel. */
const KEEPS = [
  ['ana', '/instances'],
  ['ana', '/instances web-1'],
  ['ana', '/instances restart web-1'],
  ['ana', '/instances stop name:web-*'],
  ['ana', '/instances restart web-2'],
  ['ana', '/instances save crew-9 = name:web-*'],
  ['ana', `/instances schedule web-1 stop at ${FAR_OFF_HOUR} daily UTC`],
  ['admin', '/instances watch name:web-*'],
  ['admin', '/lamplighter access grant viewer @guest'],
  ['admin', '/lamplighter access'],
  ['admin', '/lamplighter freeze on db-* "an audit"'],
  ['admin', '/billing alerts set warn 11d critical 3d'],
  ['admin', '/billing alerts'],
  ['ana', '/billing'],
  ['ana', '/billing buy-time 3d'],
  ['ana', '/instances watches'],
  ['ana', '/instances schedules'],
  ['ana', '/instances favorites'],
  ['ana', '/lamplighter operations'],
  ['ana', '/addons'],
] as const;

/** What shows what is kept, and what none of it may be said in the other account's channel. */
const SHOWN = [
  ['/instances schedules', new RegExp(`${FAR_OFF_HOUR}[^]*Owner`)],
  ['/instances watches', /name:web-\*/],
  ['/instances favorites', /crew-9/],
  ['/instances crew-9', /2 of 3 instances/],
  ['/instances history web-1', /restart/i],
  ['/lamplighter access', /guest/],
  ['/lamplighter audit', /crew-9|web-1/],
  ['/billing alerts', /11 days/],
  ['/instances db-1', /an audit/],
] as const;

/**
 * What all accounts share: a key's budget and list go by the key, a lane by Slack's channel, and who looks at which Home; the clock,
 * what is known of Redis itself, and the queue, in which each has its own jobs.
 */
const SHARED =
  /^\{lamplighter\}:((budget|instances|lane|home-account|line-account|sweeper|redis):|clock$|queue:jobs:([a-z-]+$|(acme|labs)\/))/;

/** What a person reads in answer to a line: alone, as a modal, or in the channel. */
async function answers(sandbox: Sandbox, who: string, channel: string, line: string): Promise<string> {
  const { slack } = sandbox;
  const before = { views: slack.person(who).views.length, posts: botMessages(sandbox, channel).length };
  const interaction = await slack.person(who).types(channel, line);
  const opened = (): readonly View[] => slack.person(who).views.slice(before.views);
  const posted = (): readonly PostedMessage[] => botMessages(sandbox, channel).slice(before.posts);
  await slack.until(() => interaction.ephemeral.length + opened().length + posted().length > 0);
  const messages = [...interaction.ephemeral, ...posted()].map((one) => slack.read(one));
  return [...messages, ...opened().map((view) => slack.readView(view))].join('\n');
}

/** What an admin alone reads in answer to a line. */
async function aloneTo({ slack }: Sandbox, channel: string, line: string): Promise<string> {
  const interaction = await slack.person('admin').types(channel, line);
  return slack.read(await slack.until(() => interaction.ephemeral[0]));
}

/** Two accounts of which each is in a channel of its own: acme in #ops, labs in #billing. */
async function playApart(): Promise<Awaited<ReturnType<typeof playTwoAccounts>>> {
  const two = await playTwoAccounts((idOf) => ({
    acme: { channels: [idOf('#ops')] },
    labs: { channels: [idOf('#billing')], settings: { LAMPLIGHTER_APPROVE: 'web-2' } },
  }));
  const { slack } = two.sandbox;
  for (const [who, line] of KEEPS) await answers(two.sandbox, who, '#billing', line);
  const drawn = await slack.until(() =>
    slack
      .channel('#billing')
      .ephemeralFor('ana')
      .find((one) => slack.read(one).includes('[ Save ]')),
  );
  await slack.person('ana').presses(drawn, 'Save');
  const isSaid = (words: RegExp): boolean =>
    botMessages(two.sandbox, '#billing').some((one) => words.test(slack.read(one)));
  await slack.until(() => isSaid(/✅ Restarted/) && isSaid(/@ana scheduled/));
  await two.sandbox.settled();
  return two;
}

/** Everything on anybody's screen that can be pressed or picked, once each. */
function everythingToUse({ slack }: Sandbox): readonly Json[] {
  const messages = [
    ...slack.channel('#billing').messages,
    ...PEOPLE_WHO_ASK.flatMap((who) => slack.channel('#billing').ephemeralFor(who)),
  ];
  const views = PEOPLE_WHO_ASK.flatMap((who) => slack.person(who).views);
  const found = [...messages, ...views].flatMap((one) => everyElement(one.blocks));
  return [...new Map(found.map(({ element }) => [JSON.stringify(element), element])).values()];
}

describe('two accounts with the same names and ids', () => {
  it('keep everything apart: what one shows, the other has never heard of', async () => {
    const { sandbox } = await playApart();
    for (const [line, words] of SHOWN) {
      expect(await aloneTo(sandbox, '#billing', line)).toMatch(words);
      expect(await aloneTo(sandbox, '#ops', line)).not.toMatch(words);
    }
    const redis = new Redis(sandbox.redisUrl);
    const keys = await redis.keys('*');
    redis.disconnect();
    const said = ['ana', 'admin'].flatMap((who) => sandbox.slack.channel('#billing').ephemeralFor(who));
    for (const one of [...botMessages(sandbox, '#billing'), ...said]) {
      expect(sandbox.slack.read(one)).toMatch(/^(`labs`\n|labs · )/);
      expect(one.text).toMatch(/^labs · /);
    }
    const apart = keys.filter((key) => /^\{lamplighter\}:@(acme|labs):/.test(key));
    expect(apart.length).toBeGreaterThan(20);
    expect(keys.filter((key) => !apart.includes(key) && !SHARED.test(key))).toEqual([]);
  });

  it('no button and no picker of the other account changes anything, nor one forged with this account\u2019s name', async () => {
    const two = await playApart();
    const { sandbox, acme, labs } = two;
    const { slack } = sandbox;
    const elements = everythingToUse(sandbox);
    expect(elements.length).toBeGreaterThan(15);
    const changes = (): number[] =>
      [acme, labs].map((hosting) => hosting.calls.filter(({ method }) => method !== 'GET').length);
    const shown = (): unknown[] =>
      botMessages(sandbox, '#billing').map(({ ts, edits, deleted }) => [ts, edits.length, deleted]);
    const before = { changes: changes(), shown: shown() };
    const asBot = new WebClient(slack.botToken, { slackApiUrl: sandbox.env['SLACK_API_URL'] ?? '' });
    const asThisOnes = (element: Json): Json => ({
      ...element,
      action_id: String(element['action_id']).replace(/^labs\//, 'acme/'),
    });
    for (const [at, forged] of [...elements, ...elements.map(asThisOnes)].entries()) {
      const text = `forged ${at}`;
      await asBot.chat.postMessage({
        channel: slack.channel('#ops').id,
        text,
        blocks: [blockOf(forged) as never],
      });
      const card = botMessages(sandbox).find((one) => one.text === text);
      if (!card) throw new Error(`not posted: ${text}`);
      for (const who of ['admin', 'ana']) await use(sandbox, who, card, forged);
    }
    await sandbox.settled();
    expect({ changes: changes(), shown: shown() }).toEqual(before);
    // The same are good for something where they belong.
    const question = botMessages(sandbox, '#billing').find((one) => slack.read(one).includes('[ Approve ]'));
    await slack.person('admin').presses(question!, 'Approve');
    await slack.until(() => changes()[1] === (before.changes[1] ?? 0) + 1);
    expect(changes()[0]).toBe(before.changes[0]);
  });
});

/** A field stands in a block of its own, and everything else beside others. */
function blockOf(element: Json): Json {
  return element['type'] === 'plain_text_input'
    ? {
        type: 'input',
        block_id: 'b',
        dispatch_action: true,
        label: { type: 'plain_text', text: 'x' },
        element,
      }
    : { type: 'actions', block_id: 'b', elements: [element] };
}

/** Uses an element in every way that it has. */
async function use({ slack }: Sandbox, who: string, card: PostedMessage, element: Json): Promise<void> {
  const person = slack.person(who);
  const spot = { blockId: 'b', actionId: String(element['action_id']) };
  if (element['type'] === 'button') await person.presses(card, spot);
  else if (element['type'] === 'plain_text_input') person.fills(card, spot, 'web-1');
  else if (element['type'] === 'overflow')
    for (const { value } of element['options'] as { value: string }[])
      await person.presses(card, { ...spot, value });
  else {
    const { options } = await person.searches(card, spot, '');
    if (element['type'] === 'external_select')
      for (const { value } of options) await person.chooses(card, spot, String(value));
  }
}
