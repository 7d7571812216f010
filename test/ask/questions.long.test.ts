import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import { canPress } from '../../sandbox/slack/acting/target.ts';
import { createBareFeatures } from '../../src/app/features.ts';
import { TEAM } from '../../sandbox/people.ts';
import {
  addonCalls,
  answeredWith,
  deleteCalls,
  play,
  powerCalls,
  privateMessage,
  readAll,
} from '../support/sandbox.ts';

/** What may stand after any verb: nothing, one, several, two of one name, one that there is none of, and what is no name. */
const AFTER = [
  '',
  ' web-1',
  ' web-1 db-1',
  ' twins',
  ' wbe-1',
  ' staging*',
  ' add web-1',
  ' llm web-1',
  ' @ana',
];
/** Every line that somebody may type after a verb of the bot. */
const OF_ROUTES = createBareFeatures().flatMap(({ noun, routes }) =>
  routes
    .filter(({ usage }) => usage !== undefined)
    .flatMap(({ verb }) => AFTER.map((after) => `/${noun} ${verb}${after}`)),
);
/** What asks only where more is said, or otherwise. */
const OTHERS = [
  '/instances stop status:running',
  '/instances schedule web-1 stop at 20:00 mon-fri Europe/Berlin',
  '/instances schedule name:staging* hours 08:00-20:00 mon-fri Europe/Berlin',
  '/instances delete staging',
  '/addons add llm db-1',
  '/lamplighter access revoke @bob',
  '@lamplighter restart the web server',
  '@lamplighter web-1 needs a reboot',
  '@lamplighter web-1 or web-2 needs a reboot',
  '@lamplighter reboot the wbe-1',
  '@lamplighter kill web-2',
  '@lamplighter restrat web-1',
];

/** Some of those that these lines must come to, so that no question is overlooked for a change of its words. */
const KNOWN = [
  'Which instance?',
  'Did you mean one of these?',
  'Is this what you want?',
  'Which one do you mean?',
  'Which instance do you want to restart?',
  'Which one do you want to delete?',
  'Restart web-1 (101)?',
  'Delete staging (104) permanently?',
  'Stop 17 of 18 instances?',
  'Add llm to db-1 (105)?',
  'Remove llm (standard) from web-1 (101)?',
  'Which add-on for staging (104)?',
  'Save this schedule?',
  'Revoke all that @bob holds?',
];

/** Whether a message asks something that its reader can answer by a press or a pick. */
function isQuestion(sandbox: Sandbox, message: PostedMessage): boolean {
  const said = sandbox.slack.read(message);
  const asks = /\?(?:\s|$)/.test(said) && message.blocks.some(({ type }) => type === 'actions');
  // A field asks as well, without a question mark.
  return asks || (said.includes('[ ____ ]') && canPress(message.blocks, 'Cancel'));
}

/** The first sentence that asks, without names and numbers: what kind of question it is. */
function kindOf(said: string): string {
  return (/[^.!\n]*\?/.exec(said)?.[0] ?? said).trim();
}

/** What leads to a question by a press: a line, and a button of its answer. */
const PRESSED: readonly (readonly [line: string, button: string])[] = [['/addons staging', 'Add…']];

/** Does something as the admin, and gives the questions that they are asked: none in a modal, which has a Cancel of its own. */
async function questionsFrom(
  sandbox: Sandbox,
  line: string,
  button?: string,
): Promise<readonly PostedMessage[]> {
  sandbox.slack.failNext('views.open', { error: 'expired_trigger_id' });
  const typed = await sandbox.slack.person('admin').types('#ops', line);
  await sandbox.slack.until(() => typed.ephemeral[0] ?? readAll(sandbox).length > 0);
  await sandbox.settled();
  const [answer] = typed.ephemeral;
  if (button !== undefined && answer) {
    await sandbox.slack.person('admin').presses(answer, button);
    await sandbox.settled();
  }
  return typed.ephemeral.filter((message) => isQuestion(sandbox, message));
}

describe('every question', () => {
  it('has a Cancel that says that nothing was changed, whatever was asked', async () => {
    const sandbox = await play({
      isRefused: true,
      env: { LAMPLIGHTER_EVERYONE: 'viewer', LAMPLIGHTER_PROTECTED: 'web-1' },
    });
    await questionsFrom(sandbox, '/lamplighter access grant operator @bob');
    const asked = [...[...OF_ROUTES, ...OTHERS].map((line) => [line] as const), ...PRESSED];
    const kinds = new Map<string, string>();
    const without = new Map<string, string>();
    for (const [line, button] of asked) {
      for (const message of await questionsFrom(sandbox, line, button)) {
        const said = sandbox.slack.read(message);
        kinds.set(kindOf(said), line);
        if (!canPress(message.blocks, 'Cancel')) {
          without.set(kindOf(said), `${line}\n${said}`);
          continue;
        }
        const before = [powerCalls(sandbox), deleteCalls(sandbox), addonCalls(sandbox, 'POST')];
        await sandbox.slack.person('admin').presses(message, 'Cancel');
        await sandbox.slack.until(() => sandbox.slack.read(message) === 'Canceled. Nothing was changed.');
        await sandbox.settled();
        expect([powerCalls(sandbox), deleteCalls(sandbox), addonCalls(sandbox, 'POST')], line).toEqual(
          before,
        );
      }
    }
    expect([...without.values()]).toEqual([]);
    expect([...kinds.keys()]).toEqual(expect.arrayContaining(KNOWN));
  });
});

describe('a question that was canceled', () => {
  const asking = { env: { LAMPLIGHTER_PROTECTED: 'web-1', LAMPLIGHTER_EVERYONE: 'admin' } };

  it.each([
    ['/instances stop web-1', 'Stop'],
    ['/instances stop web-1 web-2 db-1', 'Stop 2'],
    ['/instances schedule web-1 stop at 20:00 mon-fri Europe/Berlin', 'Save'],
    ['/lamplighter access revoke @bob', 'Revoke all'],
  ])('takes no yes from a screen that still shows it: %s', async (line, yes) => {
    const sandbox = await play(asking);
    await answeredWith(sandbox, 'admin', '/lamplighter access grant operator @bob');
    const question = await answeredWith(sandbox, 'admin', line);
    const admin = sandbox.slack.person('admin');
    await admin.presses(question, 'Cancel');
    await sandbox.slack.until(() => sandbox.slack.read(question).startsWith('Canceled.'));
    const before = readAll(sandbox);
    await admin.presses(question, yes, { version: 0 });
    await privateMessage(
      sandbox,
      'admin',
      'You canceled that, so nothing was done. Ask again if you want it after all.',
    );
    await sandbox.settled();
    expect(readAll(sandbox)).toEqual(before);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is no longer canceled once its yes was pressed', async () => {
    const sandbox = await play(asking);
    const question = await answeredWith(sandbox, 'admin', '/instances stop web-1');
    const admin = sandbox.slack.person('admin');
    await admin.presses(question, 'Stop');
    await sandbox.settled();
    await admin.presses(question, 'Cancel', { version: 0 });
    await privateMessage(
      sandbox,
      'admin',
      'That was answered already, so there is nothing left to cancel here.',
    );
    expect(powerCalls(sandbox, 'stop')).toBe(1);
  });

  it('gives way to that in direct messages, too', async () => {
    const sandbox = await play(asking);
    const admin = sandbox.slack.person('admin');
    await admin.types('dm', 'stop web-1');
    const question = await sandbox.slack.until(() =>
      admin.dms.find((one) => sandbox.slack.read(one).includes('Stop web-1 (101)?')),
    );
    await admin.presses(question, 'Cancel');
    await sandbox.slack.until(() => sandbox.slack.read(question) === 'Canceled. Nothing was changed.');
    await sandbox.settled();
    expect(admin.dms.filter((one) => sandbox.slack.read(one).includes('Canceled'))).toHaveLength(1);
  });

  it("is nobody else's to cancel", async () => {
    const sandbox = await play(asking);
    const question = await answeredWith(sandbox, 'admin', '/instances stop web-1');
    const [, value = ''] = /"(confirmation:[^"]+)"/.exec(JSON.stringify(question.blocks)) ?? [];
    const channel = sandbox.slack.channel('#ops').id;
    const payload = {
      type: 'block_actions',
      user: { id: sandbox.slack.person('ana').id, team_id: TEAM.id },
      team: { id: TEAM.id },
      channel: { id: channel },
      container: { channel_id: channel, is_ephemeral: true },
      trigger_id: 'made.up.1',
      actions: [{ type: 'button', action_id: 'question.cancel', block_id: 'b', value }],
    };
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    await sandbox.slack.send({ body });
    await privateMessage(sandbox, 'ana', 'That was asked of @admin, who can still confirm it.');
    await sandbox.slack.person('admin').presses(question, 'Stop');
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(1);
  });
});
