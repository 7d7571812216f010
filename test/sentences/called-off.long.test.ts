import { describe, expect, it } from 'vitest';
import type { FaultPoints } from '../../src/core/base.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { RequestStore } from '../../src/core/intake/request-store.ts';
import type { Access } from '../../src/core/policy/access.ts';
import { aMoment } from '../support/a-moment.ts';
import { instead } from '../support/instead.ts';
import { play, powerCalls, privateMessage, privateTexts, readAll } from '../support/sandbox.ts';
import { says } from './says.ts';

const CANCELED = 'Canceled: Restart web-1 (101). Nothing was done.';
const TOO_LATE = 'You canceled that, so nothing was done. Ask again if you want it after all.';
const NOTHING = 'Nothing is in progress. If I asked you something, press Cancel under it';
const RESTARTING = /web-1 \(101\) is restarting, asked by @admin/;

/** What admin was last asked in #ops. */
function lastAsked({ slack }: Sandbox): PostedMessage {
  return slack.channel('#ops').ephemeralFor('admin').at(-1)!;
}

/** What the bot answers admin who types this in its conversation with them. */
async function saysInDm(sandbox: Sandbox, line: string): Promise<PostedMessage> {
  const admin = sandbox.slack.person('admin');
  const said = (): PostedMessage[] => admin.dms.filter((one) => one.bot_id !== undefined);
  const before = said().length;
  await admin.types('dm', line);
  return sandbox.slack.until(() => said()[before]);
}

/** Has what is asked of one instance wait for `release` before it is begun. */
function heldBegin(name: string): { faultPoints: FaultPoints; isAsked: Promise<void>; release: () => void } {
  let [asked, release] = [(): void => undefined, (): void => undefined];
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    isAsked,
    release,
    faultPoints: (of, part) =>
      of !== 'operations'
        ? part
        : new Proxy(part, {
            get: (one, method, receiver): unknown => {
              const value: unknown = Reflect.get(one, method, receiver);
              if (method !== 'begin' || typeof value !== 'function') return value;
              return async (...given: readonly { readonly subject?: { readonly name: string } }[]) => {
                if (given[0]?.subject?.name === name) {
                  asked();
                  await released;
                }
                return Reflect.apply(value, one, given);
              };
            },
          }),
  };
}

describe('a change that a sentence led to', () => {
  it.each([
    'nvm',
    'nvm cancel',
    'no wait',
    'never mind',
    "don't restart web-1",
    'stop, not that',
    'forget it',
  ])('is called off by "%s", and its button begins nothing from then on', async (line) => {
    const sandbox = await play();
    await says(sandbox, 'restart web-1 please');
    const asked = lastAsked(sandbox);
    expect(await says(sandbox, line)).toBe(CANCELED);
    await sandbox.slack.person('admin').presses(asked, 'Restart web-1 (101)');
    await privateMessage(sandbox, 'admin', TOO_LATE);
    expect(await says(sandbox, 'nvm')).toContain(NOTHING);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it.each(["don't cancel it", 'please do not abort', 'never ignore it'])(
    'still waits for its press after "%s"',
    async (line) => {
      const sandbox = await play();
      await says(sandbox, 'restart web-1 please');
      expect(await says(sandbox, line)).toBe('I canceled nothing. What waits for your answer still does.');
      expect(await says(sandbox, 'nvm')).toBe(CANCELED);
    },
  );

  it('is called off in a thread, and in the conversation with the bot', async () => {
    const sandbox = await play();
    const { slack } = sandbox;
    const admin = slack.person('admin');
    const { message: root } = await admin.types('#ops', 'web-1 is slow');
    await says(sandbox, 'web-1 needs a restart', { thread: root!.ts });
    const asked = lastAsked(sandbox);
    expect(await says(sandbox, 'no wait', { thread: root!.ts })).toBe(CANCELED);
    await admin.presses(asked, 'Restart web-1 (101)');
    await privateMessage(sandbox, 'admin', TOO_LATE);
    const offer = await saysInDm(sandbox, 'restart web-1 please');
    expect(slack.read(await saysInDm(sandbox, 'nvm'))).toBe(CANCELED);
    await admin.presses(offer, 'Restart web-1 (101)');
    await slack.until(() => admin.dms.some((one) => slack.read(one) === TOO_LATE));
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is ended for good by its Cancel, too', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    await says(sandbox, 'restart web-1 and stop worker-1');
    const asked = lastAsked(sandbox);
    await admin.presses(asked, 'Cancel');
    await privateMessage(sandbox, 'admin', 'Canceled. Nothing was changed.');
    await admin.presses(asked, 'Stop worker-1 (103)', { version: 0 });
    await privateMessage(sandbox, 'admin', TOO_LATE);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is one of two, each with its button, unless the words say which; asked twice, it is one', async () => {
    const sandbox = await play();
    await says(sandbox, 'reboot web-1 please');
    await says(sandbox, 'reboot web-2 please');
    expect(await says(sandbox, 'never mind')).toContain(
      '[ Cancel: Restart web-2 (102) ] [ Cancel: Restart web-1 (101) ]',
    );
    expect(await says(sandbox, "don't restart db-1")).toContain('This waits for an answer.');
    expect(await says(sandbox, "don't restart web-2")).toBe(
      'Canceled: Restart web-2 (102). Nothing was done.',
    );
    await says(sandbox, 'web-1 needs a restart');
    const twice = lastAsked(sandbox);
    expect(await says(sandbox, "don't restart db-1")).toMatch(/\[ Cancel: Restart web-1 \(101\) \]$/);
    expect(await says(sandbox, 'nvm')).toBe(CANCELED);
    await sandbox.slack.person('admin').presses(twice, 'Restart web-1 (101)');
    await privateMessage(sandbox, 'admin', TOO_LATE);
    expect(await says(sandbox, 'nvm')).toContain(NOTHING);
  });

  it('is nobody else’s to call off, and is no open question once it was pressed', async () => {
    const sandbox = await play();
    await says(sandbox, 'restart web-1 please');
    expect(await says(sandbox, 'nvm', { who: 'bob' })).toContain(NOTHING);
    await sandbox.slack.person('admin').presses(lastAsked(sandbox), 'Restart web-1 (101)');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Restarted web-1 (101)')));
    await sandbox.settled();
    expect(await says(sandbox, 'nvm')).toContain(NOTHING);
    expect(powerCalls(sandbox)).toBe(1);
  });

  it.each([
    ['restart wbe-1', 'Restart wbe-1', 'Restart web-2 (102)'],
    ['stop web-1 wbe-2', 'Stop web-1 wbe-2', 'Stop web-1 (101)'],
    ['please restart wbe-1', 'Restart web-1 (101), Restart web-2 (102)', 'Restart web-1 (101)'],
    ['can you export the audit as csv', 'Send the audit as CSV', 'Send the audit as CSV'],
  ])('may be what was meant by "%s"', async (line, what, label) => {
    const sandbox = await play();
    await says(sandbox, line);
    const asked = lastAsked(sandbox);
    expect(await says(sandbox, 'nvm')).toBe(`Canceled: ${what}. Nothing was done.`);
    await sandbox.slack.person('admin').presses(asked, label);
    await privateMessage(sandbox, 'admin', TOO_LATE);
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('may be one that asks of which instance, and a pick is too late then', async () => {
    const sandbox = await play();
    await says(sandbox, 'restart');
    const asked = lastAsked(sandbox);
    expect(await says(sandbox, 'nvm')).toBe('Canceled: Restart. Nothing was done.');
    await sandbox.slack.person('admin').chooses(asked, 'Pick an instance to restart', '101');
    await sandbox.slack.until(() =>
      privateTexts(sandbox, 'admin').some((text) => text.includes('You canceled that')),
    );
    expect(powerCalls(sandbox)).toBe(0);
  });
});

describe('somebody who calls off what nobody began', () => {
  it.each([
    ['no wait', NOTHING],
    ["don't restart web-1", "I'm not restarting web-1 right now, so there is nothing to cancel."],
    ['please dont restart web-1', "I'm not restarting web-1 right now, so there is nothing to cancel."],
    ["let's not delete web-1", "I'm not deleting web-1 right now, so there is nothing to cancel."],
    ['never stop db-1', "I'm not stopping db-1 right now, so there is nothing to cancel."],
    ["don't stop everything", "I'm not stopping anything for you right now"],
  ])('reads by "%s" that nothing is done, and is offered nothing', async (line, said) => {
    const answer = await says(await play(), line);
    expect(answer).toContain(said);
    expect(answer).not.toContain('[ ');
  });
});

describe('"stop it" and "cancel it" while a restart runs', () => {
  it.each(['stop it', 'cancel it', 'cancel that', 'stop that now'])(
    '"%s" is about that restart, in its thread and in the conversation with the bot',
    async (line) => {
      const sandbox = await play();
      const { slack, hosting } = sandbox;
      const held = hosting.hold({ method: 'POST' });
      const admin = slack.person('admin');
      await admin.types('#ops', '/instances restart web-1');
      await admin.types('#ops', '/instances restart db-1');
      await held.arrived;
      const card = await slack.until(() =>
        slack.channel('#ops').messages.find((one) => slack.read(one).includes('web-1 (101)')),
      );
      const answer = await says(sandbox, line, { thread: card.ts });
      expect(answer).toMatch(RESTARTING);
      expect(answer).toContain("I can't cancel what the hosting service was asked to do already.");
      expect(answer).not.toContain('db-1');
      expect(answer).not.toContain('[ Stop');
      await admin.types('dm', 'restart web-2');
      await slack.until(() => admin.dms.some((one) => slack.read(one).includes('web-2 (102)')));
      const inDm = slack.read(await saysInDm(sandbox, line));
      expect(inDm).toContain('web-2 (102) is restarting');
      expect(inDm).not.toContain('[ Stop');
      held.release();
      await sandbox.settled();
      expect(powerCalls(sandbox, 'stop')).toBe(0);
    },
  );

  it('shows a deletion that waits with its Cancel, and how the instance itself is stopped', async () => {
    const sandbox = await play({ timings: { cancelWindowMs: 60_000 } });
    const { slack } = sandbox;
    const admin = slack.person('admin');
    await admin.types('#ops', '/instances delete web-1');
    await admin.submits(await slack.until(() => admin.views.at(-1)), { typed: 'web-1' });
    const card = await slack.until(() =>
      slack.channel('#ops').messages.find((one) => one.bot_id !== undefined),
    );
    const answer = await says(sandbox, 'stop it', { thread: card.ts });
    expect(answer).toContain('web-1 (101) will be deleted in');
    expect(answer).toContain('[ Cancel ]');
    expect(answer).toContain('To stop the instance itself, say: stop web-1');
    await admin.presses(lastAsked(sandbox), 'Cancel');
    await sandbox.settled();
  });

  it('takes nothing back that is about another instance than its thread', async () => {
    const begin = heldBegin('db-1');
    const sandbox = await play({ timings: { cancelWindowMs: 60_000 }, faultPoints: begin.faultPoints });
    const { slack } = sandbox;
    const admin = slack.person('admin');
    await admin.types('#ops', '/instances delete web-1');
    await admin.submits(await slack.until(() => admin.views.at(-1)), { typed: 'web-1' });
    const card = await slack.until(() =>
      slack.channel('#ops').messages.find((one) => one.bot_id !== undefined),
    );
    await admin.types('#ops', '/instances restart db-1');
    await begin.isAsked;
    const answer = await says(sandbox, 'stop it', { thread: card.ts });
    expect(answer).toContain('web-1 (101) will be deleted in');
    expect(answer).not.toContain('Canceled');
    begin.release();
    await slack.until(() => powerCalls(sandbox, 'restart') === 1);
    await admin.presses(lastAsked(sandbox), 'Cancel');
    await sandbox.settled();
  });

  it('is an instance where nothing is done or asked, and "stop web-1" always is', async () => {
    const sandbox = await play();
    await says(sandbox, 'show web-1');
    expect(await says(sandbox, 'stop it')).toContain('[ Stop web-1 (101) ]');
    await says(sandbox, 'nvm');
    await says(sandbox, 'restart web-1 please');
    const unclear = await says(sandbox, 'stop it');
    expect(unclear).toContain('[ Cancel: Restart web-1 (101) ]');
    expect(unclear).toContain('To stop the instance itself, say: stop web-1');
    expect(unclear).not.toContain('[ Stop');
    expect(await says(sandbox, 'please stop web-1')).toContain('[ Stop web-1 (101) ]');
  });
});

/** Has the answer to the first request wait for `release` before it is written down. */
function heldAnswer(): { faultPoints: FaultPoints; isAnswering: Promise<void>; release: () => void } {
  const [answering, released] = [aMoment(), aMoment()];
  let isFirst = true;
  const faultPoints = instead('requests', 'decide', async (own, ...given) => {
    if (isFirst) {
      isFirst = false;
      answering.is();
      await released.comes;
    }
    return (own as RequestStore).decide(...(given as Parameters<RequestStore['decide']>));
  });
  return { faultPoints, isAnswering: answering.comes, release: released.is };
}

describe('what was asked for a moment ago, and is called off before it is answered,', () => {
  it('takes the approval back that was asked for by then', async () => {
    const held = heldAnswer();
    const env = { LAMPLIGHTER_EVERYONE: 'operator', LAMPLIGHTER_APPROVE: 'web-*' };
    const sandbox = await play({ env, faultPoints: held.faultPoints });
    const { slack } = sandbox;
    await slack.person('ana').types('#ops', '/instances restart web-1');
    await held.isAnswering;
    const waits = (): string | undefined => readAll(sandbox).find((text) => text.includes('asks to restart'));
    await slack.until(() => waits()?.includes('[ Approve ]'));
    await slack.person('ana').mentions('#ops', 'cancel');
    await slack.until(() => !waits()?.includes('[ Approve ]'));
    held.release();
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('is not said to be canceled where it is still being set', async () => {
    const [looked, canceled] = [aMoment(), aMoment()];
    const slowly = instead('access', 'require', async (own, ...given) => {
      const asked = given as Parameters<Access['require']>;
      const rule = await (own as Access).require(...asked);
      if (asked[3]?.route === 'lamplighter.oncall') {
        looked.is();
        await canceled.comes;
      }
      return rule;
    });
    const sandbox = await play({ faultPoints: slowly });
    await sandbox.slack.person('admin').types('#ops', '/lamplighter oncall first @ana');
    await looked.comes;
    expect(await says(sandbox, 'nvm')).toContain('I\'m working on "oncall first ');
    canceled.is();
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('set who is on call')));
  });

  it('is not said to be canceled where it may be done already', async () => {
    const held = heldAnswer();
    const sandbox = await play({ faultPoints: held.faultPoints });
    await sandbox.slack.person('admin').types('#ops', '/lamplighter freeze "the sale"');
    await held.isAnswering;
    expect(await says(sandbox, 'nvm')).toBe(
      'I\'m working on "freeze "the sale"" already, so I can\'t take it back. I\'ll say what came of it.',
    );
    held.release();
    await sandbox.settled();
    expect(readAll(sandbox).join()).toContain('the sale');
  });
});
