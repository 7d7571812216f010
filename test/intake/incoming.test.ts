import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterMention,
  commandSchema,
  meantBy,
  submissionSchema,
  whoActs,
} from '../../src/core/intake/incoming.ts';
import { PURE_RUNS } from '../support/runs.ts';

describe('a press means', () => {
  test.each([
    ['a button', { action_id: 'a.b', value: 'v' }, { routeId: 'a.b', value: 'v' }],
    ['a button in a block', { action_id: 'a.b', block_id: 'x', value: 'v' }, { routeId: 'a.b', value: 'v' }],
    ['a button without a value', { action_id: 'a.b', block_id: 'x' }, { routeId: 'a.b' }],
    [
      'a pick, and the words that its block keeps',
      { action_id: 'a.b', block_id: 'kept', selected_option: { value: '42' } },
      { routeId: 'a.b', picked: '42', value: 'kept' },
    ],
    [
      'a pick where nothing is kept',
      { action_id: 'a.b', selected_option: { value: '42' } },
      { routeId: 'a.b', picked: '42' },
    ],
    ['a pick that was taken back', { action_id: 'a.b', block_id: 'kept' }, { routeId: 'a.b' }],
    [
      'a line of a menu, whose block keeps nothing',
      { action_id: 'menu', block_id: 'x', selected_option: { value: 'a.b v' } },
      { routeId: 'a.b', value: 'v' },
    ],
    [
      'no route, for a line of a menu that is none',
      { action_id: 'menu', selected_option: { value: 'a.b' } },
      { routeId: '' },
    ],
    [
      'a pick of that very value, where it is no menu',
      { action_id: 'c.d', selected_option: { value: 'a.b v' } },
      { routeId: 'c.d', picked: 'a.b v' },
    ],
    [
      'the pick and not the value that stands beside it',
      { action_id: 'a.b', value: 'v', selected_option: { value: '42' } },
      { routeId: 'a.b', picked: '42' },
    ],
  ])('%s', (_name, action, meant) => expect(meantBy(action)).toEqual(meant));
});

test.each([
  ['their own workspace', { team_id: 'T1' }, { id: 'T2' }, { id: 'E3' }, 'T1'],
  ['the workspace they act in', {}, { id: 'T2' }, { id: 'E3' }, 'T2'],
  ['its organization', {}, undefined, { id: 'E3' }, 'E3'],
  ['nothing', {}, undefined, undefined, undefined],
])(
  'who acts is known by %s where that is the first that Slack names',
  (_which, at, team, enterprise, known) => {
    const actor = whoActs({ user: { id: 'U1', ...at }, team, enterprise });
    expect(actor).toEqual({ userId: 'U1', ...(known !== undefined && { teamId: known }) });
  },
);

describe('after the mention of the bot stands', () => {
  test.each([
    ['<@UBOT> restart web-1', ' restart web-1'],
    ['<@UBOT|lamp> restart web-1', ' restart web-1'],
    ['hey <@UBOT> restart web-1', ' restart web-1'],
    ['<@UBOT>', ''],
    ['restart web-1 <@UBOT>', 'restart web-1 '],
    ['restart web-1 <@UBOT>  \n', 'restart web-1 '],
    ['<@UANA> and <@UBOT> list', ' list'],
    ['<@UBOT> grant <@UANA> viewer', ' grant <@UANA> viewer'],
    ['<@UBOT> show <https://web-1.example.com|web-1>', ' show <https://web-1.example.com|web-1>'],
    ['restart web-1', 'restart web-1'],
    ['', ''],
    ['<@UBOT', '<@UBOT'],
  ])('of %j: %j', (text, after) => expect(afterMention(text, 'UBOT')).toBe(after));

  test.each([
    ['hey <@UANA> restart web-1', ' restart web-1'],
    ['restart web-1 <@WANA>', 'restart web-1 '],
    ['<!channel> <#C1|x> list', '<!channel> <#C1|x> list'],
  ])('of anybody, where the bot does not know its own id: %j: %j', (text, after) =>
    expect(afterMention(text, undefined)).toBe(after),
  );

  test('not what stands after somebody whose id begins as the bot\u2019s does', () => {
    expect(afterMention('<@UBOT2> see: <@UBOT> list', 'UBOT')).toBe(' list');
  });

  test('a part of the text that was sent, and whole lines wherever nobody is mentioned', () => {
    const part = fc.constantFrom(
      '<@UBOT>',
      '<@UANA|a>',
      'restart',
      ' ',
      'web-1',
      '<',
      '>',
      '<@',
      '|',
      '\n',
      '<!here>',
    );
    const text = fc.array(part, { maxLength: 10 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.constantFrom('UBOT', undefined), (given, bot) => {
        const after = afterMention(given, bot);
        if (!given.includes(after)) return false;
        return given.includes('<@') || after === given;
      }),
      { numRuns: PURE_RUNS },
    );
  });
});

describe('of what Slack sends only what the bot reads is kept:', () => {
  const submission = (view: object, over: object = {}): object => ({
    type: 'view_submission',
    user: { id: 'U1', name: 'ana', team_id: 'T1' },
    team: { id: 'T1', domain: 'x' },
    view: {
      id: 'V1',
      callback_id: 'instances.delete',
      private_metadata: '{}',
      state: { values: { field: { typed: { type: 'plain_text_input', value: 'web-1' } } } },
      ...view,
    },
    ...over,
  });

  test('a modal that was submitted', () => {
    expect(submissionSchema.parse(submission({}))).toEqual({
      user: { id: 'U1', team_id: 'T1' },
      team: { id: 'T1' },
      view: {
        callback_id: 'instances.delete',
        private_metadata: '{}',
        state: { values: { field: { typed: { value: 'web-1' } } } },
      },
    });
  });

  test.each([undefined, ''])('a modal in which nothing was typed: %j', (value) => {
    const state = { values: { field: { typed: { value } } } };
    expect(submissionSchema.safeParse(submission({ state })).success).toBe(true);
  });

  test.each([
    ['a modal without a state', submission({ state: undefined })],
    [
      'a modal with a book in it',
      submission({ state: { values: { field: { typed: { value: 'x'.repeat(3_001) } } } } }),
    ],
    ['a modal with a number in it', submission({ state: { values: { field: { typed: { value: 7 } } } } })],
    ['a modal of nobody', submission({}, { user: {} })],
    ['a modal of what is no person', submission({}, { user: { id: 'C012AB' } })],
    ['a modal that carries too much', submission({ private_metadata: 'x'.repeat(3_001) })],
    ['nothing', null],
  ])('%s is no submission of the bot', (_name, body) =>
    expect(submissionSchema.safeParse(body).success).toBe(false),
  );

  test('the trigger of a command, where it has one that can be', () => {
    const command = { command: '/instances', user_id: 'U1', channel_id: 'C1' };
    expect(commandSchema.parse({ ...command, trigger_id: '1.2.a' }).trigger_id).toBe('1.2.a');
    expect(commandSchema.parse(command)).toEqual({ ...command, text: '' });
    expect(commandSchema.parse({ ...command, trigger_id: 'x'.repeat(301) }).trigger_id).toBeUndefined();
  });
});
