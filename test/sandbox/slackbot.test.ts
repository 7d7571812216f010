import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { playLines } from '../../sandbox/play.ts';
import type { SandboxOptions } from '../../sandbox/sandbox.ts';
import { readWish } from '../../sandbox/slack/slackbot/wish.ts';
import { wordsOf } from '../../sandbox/slack/slackbot/words.ts';
import { play, powerCalls } from '../support/sandbox.ts';

const AGENTS = { LAMPLIGHTER_AGENTS: 'yes' };

/** What Slackbot answers to each line, of what somebody types in #ops. */
async function answersTo(lines: readonly string[], options: SandboxOptions = { env: AGENTS }) {
  const sandbox = await play(options);
  const played = await playLines(sandbox, lines, 'ana', '#ops');
  expect(played.flatMap(({ fault = [] }) => fault)).toEqual([]);
  return { sandbox, answers: played.map(({ help }) => help ?? '') };
}

describe('Slackbot of the sandbox', () => {
  it('proposes what it is told, and says how what was pressed has ended', async () => {
    const { sandbox, answers } = await answersTo([
      ':slackbot restart web-1 because deploy 41',
      ':slackbot what became of it?',
      ':press Go ahead',
      ':slackbot what became of it?',
    ]);
    expect(answers[0]).toMatch(/I proposed to restart web-1 \(101\)\. Nothing is done until you press/);
    expect(answers[1]).toContain('It waits for you to press.');
    expect(answers[3]).toContain('@ana went ahead with it. It is done.');
    expect(powerCalls(sandbox)).toBe(1);
    const [proposal = ''] = sandbox.slack.person('ana').dms.map((one) => sandbox.slack.read(one));
    expect(proposal).toContain('Because: deploy 41');
  });

  it('says that somebody has declined, and why it does not ask again at once', async () => {
    const { answers } = await answersTo([
      ':slackbot restart web-1 because deploy 41',
      ':press Decline',
      ':slackbot what became of it?',
      ':slackbot restart web-1 because deploy 42',
    ]);
    expect(answers[2]).toContain('@ana declined it, so nothing was done.');
    expect(answers[3]).toContain('A person has declined that.');
  });

  it('reads as whoever types, and asks nothing else of the bot', async () => {
    const { sandbox, answers } = await answersTo([
      ':slackbot what runs?',
      ':slackbot get_instance staging',
      ':slackbot good morning',
      ':as guest',
      ':slackbot what runs?',
    ]);
    expect(answers[0]).toContain('• web-1 (101): running');
    expect(answers[0]).not.toContain('staging');
    expect(answers[1]).toContain('name: staging');
    expect(answers[2]).toContain('I can call list_instances, ');
    expect(answers[4]).not.toContain('web-1');
    expect(sandbox.hosting.calls.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('asks the account that a name begins with, else the first', async () => {
    const { sandbox } = await answersTo(
      [':slackbot restart labs:web-1 because deploy 41', ':press Go ahead', ':slackbot what runs?'],
      { env: AGENTS, accounts: {} },
    );
    const texts = sandbox.slack.person('ana').dms.map((one) => sandbox.slack.read(one));
    expect(texts.join('\n')).toMatch(/labs[^]*Restarted web-1 \(101\)/);
  });

  it('says that the bot answers no agents', async () => {
    const { answers } = await answersTo([':slackbot what runs?'], {});
    expect(answers[0]).toContain("I can't ask Lamplighter");
  });
});

test.each([
  ['what runs?', { tool: 'list_instances', args: { filter: 'status:running' } }],
  ['What became of it', { tool: 'get_proposal', args: { reference: 'abcdefgh' } }],
  [
    'Restart web 1 because it is because',
    { tool: 'propose_change', args: { verb: 'restart', instance: 'web 1', because: 'it is because' } },
  ],
  ['get_balance', { tool: 'get_balance', args: {} }],
  ['get_instance web 1', { tool: 'get_instance', args: {}, words: 'web 1' }],
  ['restart web-1', undefined],
  ['', undefined],
])('Slackbot takes %j for %j', (line, wish) => {
  expect(readWish(line, 'abcdefgh')).toEqual(wish);
});

test('whatever a name is, Slackbot mentions nobody by it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '!', '@', '&', 'a') }), (name) => {
      const data = { instances: [{ id: '1', name, status: 'running' }] };
      expect(wordsOf('list_instances', data)).not.toMatch(/[<>]/);
      expect(wordsOf('get_month', { lines: [name], items: [name] })).not.toMatch(/[<>]/);
      expect(wordsOf('get_instance', { name })).not.toMatch(/[<>]/);
    }),
  );
});

test.each([
  ['asked', undefined, '<@U0ANA000001> pressed Go ahead. It waits for a confirmation or an approval.'],
  ['begun', 'under way', '<@U0ANA000001> went ahead with it. It is under way.'],
  ['begun', 'asked', '<@U0ANA000001> went ahead with it. The hosting service has taken it.'],
  ['begun', 'failed', '<@U0ANA000001> went ahead with it. It failed.'],
  ['begun', 'unknown', '<@U0ANA000001> went ahead with it. Nobody knows whether it was done.'],
  ['begun', 'canceled', '<@U0ANA000001> went ahead with it. It was canceled.'],
])('Slackbot says of a proposal that is %s, and its change %s: how it stands', (state, outcome, says) => {
  const data = { reference: 'abcdefgh', state, outcome, does: 'restart web-1', answeredBy: 'U0ANA000001' };
  expect(wordsOf('get_proposal', data)).toBe(`I proposed to restart web-1. ${says}`);
});
