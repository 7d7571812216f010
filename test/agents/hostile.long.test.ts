import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { FAR_OFF_HOUR } from '../../sandbox/phrases/far-off-hour.ts';
import { objectsOfType } from '../../sandbox/slack/reading/text-objects.ts';
import { pings } from '../../sandbox/slack/reading/pings.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { customer } from '../../sandbox/world.ts';
import { signed, slackbotOf, tokenOf } from '../support/agent.ts';
import { dumpOf } from '../support/redis-dump.ts';
import { isChaos } from '../support/runs.ts';
import { play, ready, runToEnd, urlOf } from '../support/sandbox.ts';
import {
  type HostileCall,
  hostileCall,
  hostileInstances,
  MARKED,
  MONEY,
  MONEY_OF_OTHERS,
  NARROW,
  proposing,
  TOOLS,
} from './hostile-calls.ts';

/** One process takes so many in one person's name that none is told to wait. */
const EACH = isChaos ? 2_500 : 300;
const ROUNDS = isChaos ? [0, 1, 2, 3] : [0];
const AT_ONCE = 8;
/** So often people turn down what was proposed to them, so that more can be. */
const DECLINE_EVERY = 100;
const PROPOSED_TO = ['ana', 'admin'];
/** What they read alone who have turned it down. */
const DECLINED = 'Declined. Nothing was done.';
/** Longer than any answer takes on a busy machine. */
const GIVE_UP_MS = 20_000;
/** Who may see which instances, by how their names begin. All others see none. */
const SEES: Readonly<Record<string, string>> = {
  admin: '',
  fin: '',
  ana: 'web-',
  bob: 'db-',
  [NARROW]: 'web-',
};
const SEES_MONEY = new Set(['admin', 'fin']);
const INVISIBLE = /[\u200b\u202a-\u202e\u2066-\u2069\ufeff]/;
/** What they gave as a reason themselves, in an answer. */
const REASON = /\\*"because\\*":\\*".*?(?=\\*"[,}])/g;
/** What somebody gave as a reason for what is done with an instance, in a line about that. */
const REASON_IN_LINE = / · because \\*".*?\\*" · [\w-]{8}(?=\\*")/g;
/** All keys but those that change by themselves, and those of proposals, their messages and who turned them down. */
const KEPT =
  /^(?!.*:(?:agents|audit|redis:checks|post:agent-|posts:|lane:|clock|instances:|budget:|queue:|sweeper|heartbeat|probe|operations:poll|taken:|delivery:|request|reply:))/;

interface Sent extends HostileCall {
  readonly status: number;
  readonly answer: string;
}

/** A team in which nobody but Ada sees all, with something done to each instance by words that give orders. */
async function open(): Promise<Sandbox> {
  const sandbox = await play({
    env: { LAMPLIGHTER_AGENTS: 'yes', LAMPLIGHTER_EVERYONE: 'none' },
    hosting: {
      world: { customers: [customer('harbour', { balanceCredits: 7_654, instances: hostileInstances() })] },
    },
  });
  for (const line of [
    '/lamplighter access grant operator @ana on web-*',
    '/lamplighter access grant viewer @bob on db-*',
    '/lamplighter access grant finance @fin',
    '/lamplighter access grant viewer @bob on "pay-1 quetzal" for 8h',
    '/lamplighter access revoke viewer @bob on "pay-1 quetzal"',
    '/lamplighter freeze on web-3*,*quetzal* "an audit"',
    `/instances schedule 91000004 stop at ${FAR_OFF_HOUR} UTC`,
    ...MARKED.map(({ id }) => `/instances restart ${id} --because "<!channel> restart all, *now*"`),
  ])
    await runToEnd(sandbox, 'admin', line);
  return sandbox;
}

/** Sends a request as it says, and what is signed once more in place of some. `token`: of the agent that has one. */
function sender(sandbox: Sandbox, token: string): (call: HostileCall) => Promise<Sent> {
  const url = urlOf(sandbox, '/mcp');
  const secret = sandbox.slack.signingSecret;
  const references: string[] = [];
  let before: (HostileCall & { headers: Record<string, string> }) | undefined;
  const headersFor = ({ who, signed: how, body }: HostileCall): Record<string, string> => {
    if (who === NARROW) return { authorization: `Bearer ${token}` };
    if (how === 'not') return {};
    if (how === 'wrongly') return signed('another secret', body);
    return signed(secret, body, how === 'long ago' ? Date.now() - 600_000 : Date.now());
  };
  return async (given) => {
    const isAgain = given.signed === 'again' && before !== undefined;
    const reference = references.at(-1) ?? 'aaaaaaaa';
    const call =
      isAgain && before
        ? { ...before, signed: given.signed }
        : {
            ...given,
            signed: given.signed === 'again' ? ('well' as const) : given.signed,
            body: given.body.replace('REFERENCE', reference),
          };
    const headers = isAgain ? call.headers : { ...call.headers, ...headersFor(call) };
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: call.body,
      signal: AbortSignal.timeout(GIVE_UP_MS),
    });
    const answer = await response.text();
    if (given.signed === 'well' && given.who !== NARROW && response.status === 200)
      before = { ...call, headers };
    references.push(...[...answer.matchAll(/"reference":"(\w{8})"/g)].map(([, found = '']) => found));
    return { ...call, status: response.status, answer };
  };
}

/** What is wrong with an answer. */
function wrongIn({ who, body, signed: how, status, answer }: Sent): readonly string[] {
  const prefix = SEES[who];
  const told = answer.replaceAll(REASON, '').replaceAll(REASON_IN_LINE, '');
  const hidden = MARKED.filter(({ short }) => prefix === undefined || !short.startsWith(prefix))
    .flatMap(({ id, word }) => [id, word])
    // What somebody typed themselves is nothing that they are told.
    .filter((mark) => !body.includes(mark));
  return [
    ...(status >= 500 ? [`${status}`] : []),
    ...(['not', 'wrongly', 'long ago'].includes(how) && status < 400
      ? ['answered what Slack did not sign']
      : []),
    ...(how === 'again' && body.includes('"method":"tools/call"') && status < 400
      ? ['answered a replay']
      : []),
    ...hidden.filter((mark) => told.includes(mark)).map((mark) => `tells ${who} of ${mark}`),
    ...(!SEES_MONEY.has(who) && (who === NARROW ? MONEY_OF_OTHERS : MONEY).test(answer)
      ? [`tells ${who} of money`]
      : []),
    ...(INVISIBLE.test(answer) && !INVISIBLE.test(body) && !body.includes('\\u')
      ? ['gives what is invisible']
      : []),
  ];
}

/** What is wrong with a message that a proposal of somebody's is to be, in all that it ever said. */
function wrongWith(sandbox: Sandbox, message: PostedMessage, userId: string): readonly string[] {
  const said = sandbox.slack.read(message);
  const handle = sandbox.slack.person(userId).handle;
  const contents = [message.content, ...message.edits];
  const words = new RegExp(
    `^🤖 (?:Slackbot|one) proposes to (?:re)?(?:start|stop|delete) [^\\n]*, in the name of @${handle}\\.\\nBecause: [^\\n]*\\n(?:It asks once more before anything is done\\.\\n)?(?:Nothing has been done|⛔ @${handle} declined)`,
  );
  const pinged = contents.map((content) => pings({ content }));
  const texts = contents.flatMap(({ text }) => text);
  return [
    ...(words.test(said) ? [] : [`says ${said}`]),
    ...(INVISIBLE.test(said) ? ['has what is invisible'] : []),
    ...(pinged.some(({ users }) => users.some((one) => one !== userId)) ? ['mentions somebody else'] : []),
    ...(pinged.some(({ broadcasts, subteams }) => broadcasts.length + subteams.length > 0)
      ? ['calls many']
      : []),
    ...(texts.some((text) => /<(?!@|!date\^)/.test(text)) ? ['has markup in its text'] : []),
    ...(contents.some(
      ({ blocks }) =>
        objectsOfType(blocks, ['link', 'channel', 'usergroup', 'broadcast', 'mrkdwn']).length > 0,
    )
      ? ['has markup in its blocks']
      : []),
  ].map((fault) => `${fault}: ${JSON.stringify(contents)}`);
}

/** What the bot keeps that no agent may change. */
async function kept(sandbox: Sandbox): Promise<readonly string[]> {
  const dump = await dumpOf(sandbox.redisUrl, KEPT);
  return dump.split('\n').filter((line) => !line.startsWith('at '));
}

function proposalsTo(sandbox: Sandbox, who: string): readonly PostedMessage[] {
  return sandbox.slack.person(who).dms.filter((message) => sandbox.slack.read(message).startsWith('🤖'));
}

async function declineAll(sandbox: Sandbox): Promise<void> {
  await sandbox.said();
  for (const who of PROPOSED_TO)
    for (const message of proposalsTo(sandbox, who))
      if (sandbox.slack.read(message).includes('[ Decline ]'))
        await sandbox.slack.person(who).presses(message, 'Decline');
  await sandbox.settled();
}

/** Every message of the bot that stands or stood anywhere but where somebody talks to it alone. */
function inChannels({ slack }: Sandbox): number {
  return ['#ops', '#billing', '#random', '#vault', '#secret', '#attic', '#shared', '#old-client'].reduce(
    (count, name) => count + slack.channel(name).history.length,
    0,
  );
}

describe('whatever agents send', () => {
  it('is sent to each tool that there is', async () => {
    const slackbot = await slackbotOf(await play({ env: { LAMPLIGHTER_AGENTS: 'yes' } }), 'ana');
    const { tools } = await slackbot.client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(TOOLS.toSorted());
  });

  it.each(ROUNDS)('nothing is done, told to others or shown that may not be, in round %d', async (round) => {
    const sandbox = await open();
    const token = await tokenOf(sandbox, 'one as @admin admin on web-*');
    const { slack, hosting } = sandbox;
    const people = slack.everybody().map(({ handle }) => slack.person(handle));
    const stood = new Map(people.map(({ handle, dms }) => [handle, dms.length]));
    const [calls, messages, before] = [hosting.calls.length, inChannels(sandbox), await kept(sandbox)];
    const send = sender(sandbox, token);
    const left = fc.sample(hostileCall, { numRuns: EACH, seed: inject('seed') + round });
    left.push(...PROPOSED_TO.map((who) => proposing(who)));
    // What is frozen together with others.
    left.push(proposing(NARROW, '91000003'));
    const wrong: string[] = [];
    const statuses = new Map<number, number>();
    const one = async (most: number): Promise<void> => {
      for (
        let nth = 0, call = left.shift();
        nth < most && call;
        nth += 1, call = nth < most ? left.shift() : undefined
      ) {
        const sent = await send(call);
        statuses.set(sent.status, (statuses.get(sent.status) ?? 0) + 1);
        wrong.push(
          ...wrongIn(sent).map(
            (fault) => `${fault}: ${sent.body.slice(0, 400)} → ${sent.answer.slice(0, 800)}`,
          ),
        );
      }
    };
    while (left.length > 0) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => one(DECLINE_EVERY / AT_ONCE)));
      await declineAll(sandbox);
    }
    // Most of them are what an agent may ask, and some become proposals.
    expect(statuses.get(200)).toBeGreaterThan(EACH / 3);
    for (const who of PROPOSED_TO) expect(proposalsTo(sandbox, who)).not.toEqual([]);
    expect(wrong).toEqual([]);
    expect(hosting.calls.slice(calls).filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(inChannels(sandbox)).toBe(messages);
    for (const { id, handle, dms } of people) {
      const told = dms.slice(stood.get(handle)).filter((message) => slack.read(message) !== DECLINED);
      expect(told.flatMap((message) => wrongWith(sandbox, message, id))).toEqual([]);
      if (!PROPOSED_TO.includes(handle)) expect(told).toEqual([]);
    }
    expect(await kept(sandbox)).toEqual(before);
    await ready(sandbox);
  });
});
