import { describe, expect, it } from 'vitest';
import type { FaultPoints } from '../../src/core/base.ts';
import { allowances, isChange } from '../../src/core/policy/permissions.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { dmWith } from '../support/asking.ts';
import { everyRoute } from '../support/phrasebook.ts';
import { play, privateMessage, privateTexts, readAll } from '../support/sandbox.ts';
import { find, reads, setDays, watch } from '../billing/watching.ts';
import { setWatch } from '../watches/watching.ts';

const ENV = { LAMPLIGHTER_EVERYONE: 'viewer' };
/** Read by who was overtaken, and by who comes later. */
const OVERTAKEN = 'allowed once has just been used';
const USED = 'allowed once has been used';

/** Has two requests wait for each other once both have been looked at for this right, from `arm` on. */
function together(permission: string): { readonly faultPoints: FaultPoints; arm(): void } {
  let arrived = -1;
  let meet = (): void => undefined;
  const met = new Promise<void>((resolve) => (meet = resolve));
  return {
    arm: () => (arrived = 0),
    faultPoints: (part, target) =>
      part !== 'access'
        ? target
        : new Proxy(target, {
            get: (own, asked, receiver): unknown => {
              const call: unknown = Reflect.get(own, asked, receiver);
              if (asked !== 'require' || typeof call !== 'function') return call;
              return async (...args: unknown[]) => {
                const rule: unknown = await Reflect.apply(call, own, args);
                if (arrived < 0 || args[1] !== permission) return rule;
                arrived += 1;
                if (arrived >= 2) meet();
                await met;
                return rule;
              };
            },
          }),
  };
}

/** @ana asks for what she was refused, and is allowed it once. */
async function isAllowedOnce(sandbox: Sandbox): Promise<void> {
  await sandbox.slack.person('ana').presses(await privateMessage(sandbox, 'ana', 'You need the'), 'Ask them');
  await sandbox.slack.person('admin').presses(await dmWith(sandbox, 'admin', '@ana asks to'), 'Allow once');
  await dmWith(sandbox, 'ana', '@admin allowed you');
}

/** How often @ana has read these words. */
const read = (sandbox: Sandbox, words: string): number =>
  privateTexts(sandbox, 'ana').filter((text) => text.includes(words)).length;

const onIt = (sandbox: Sandbox): PostedMessage => find(sandbox, /I'm on it/);

describe('what was allowed once is done once where it is asked for twice at the same moment', () => {
  it('unwatch', async () => {
    const { faultPoints, arm } = together('instances:watch');
    const sandbox = await play({ env: ENV, faultPoints });
    const ana = sandbox.slack.person('ana');
    for (const words of ['name:web-*', 'name:db-*']) await setWatch(sandbox, words);
    await ana.types('#ops', '/instances unwatch name:web-*');
    await isAllowedOnce(sandbox);
    arm();
    await Promise.all(
      ['name:web-*', 'name:db-*'].map((words) => ana.types('#ops', `/instances unwatch ${words}`)),
    );
    await privateMessage(sandbox, 'ana', OVERTAKEN);
    await sandbox.slack.until(() => read(sandbox, "isn't watched any more") === 1);
    await sandbox.settled();
    expect(read(sandbox, "isn't watched any more")).toBe(1);
    expect(read(sandbox, OVERTAKEN)).toBe(1);
  });

  it('quiet hours', async () => {
    const { faultPoints, arm } = together('instances:place');
    const sandbox = await play({ env: ENV, faultPoints });
    const ana = sandbox.slack.person('ana');
    const lines = ['22:00-07:00', '23:00-06:00'].map((hours) => `/lamplighter oncall quiet ${hours}`);
    await ana.types('#ops', lines[0] ?? '');
    await isAllowedOnce(sandbox);
    arm();
    await Promise.all(lines.map((line) => ana.types('#ops', line)));
    await privateMessage(sandbox, 'ana', OVERTAKEN);
    await sandbox.settled();
    expect(readAll(sandbox).filter((text) => text.includes('set the quiet hours'))).toHaveLength(1);
  });

  it("I'm on it", async () => {
    const { faultPoints, arm } = together('billing:ack');
    const sandbox = await watch({ env: ENV, faultPoints });
    setDays(sandbox, 5);
    await reads(sandbox, /I'm on it/);
    const ana = sandbox.slack.person('ana');
    await ana.presses(onIt(sandbox), "I'm on it");
    await isAllowedOnce(sandbox);
    arm();
    const card = onIt(sandbox);
    await Promise.all([1, 2].map(() => ana.presses(card, "I'm on it")));
    await sandbox.slack.until(() => read(sandbox, OVERTAKEN) + read(sandbox, "You're on it") === 2);
    expect(read(sandbox, OVERTAKEN)).toBe(1);
  });
});

it('what was allowed once is there still where writing down who is on an alert breaks', async () => {
  let isBroken = false;
  const sandbox = await watch({
    env: ENV,
    faultPoints: (part, target) =>
      new Proxy(target, {
        get: (own, asked, receiver): unknown =>
          isBroken && part === 'alarm' && asked === 'change'
            ? () => Promise.reject(new Error('broken for now'))
            : Reflect.get(own, asked, receiver),
      }),
  });
  setDays(sandbox, 5);
  await reads(sandbox, /I'm on it/);
  const ana = sandbox.slack.person('ana');
  await ana.presses(onIt(sandbox), "I'm on it");
  await isAllowedOnce(sandbox);
  isBroken = true;
  await ana.presses(onIt(sandbox), "I'm on it");
  await privateMessage(sandbox, 'ana', 'Something went wrong on our side');
  isBroken = false;
  const card = onIt(sandbox);
  await ana.presses(card, "I'm on it");
  await privateMessage(sandbox, 'ana', "You're on it");
  await ana.presses(card, "I'm on it", { version: 0 });
  await privateMessage(sandbox, 'ana', USED);
});

it('these alone of what writes can be allowed once, and each uses that up in its commit', () => {
  const writes = everyRoute().filter((route) => {
    const permission = route.writePermission ?? route.permission;
    if (route.writes === false || permission === undefined || isChange(permission)) return false;
    if (route.outlastsOnce) return false;
    const mayNameNone = route.isAskable !== false && allowances(permission, false).includes('once');
    return mayNameNone || allowances(permission, true).includes('once');
  });
  expect(writes.map(({ id }) => id).toSorted()).toEqual([
    'billing.ack',
    'billing.hand-back',
    'billing.still',
    'instances.end-snooze',
    'instances.on-it',
    'instances.remove-watch',
    'instances.snooze',
    'instances.unwatch',
    'lamplighter.cancel',
    'lamplighter.freeze',
    'lamplighter.oncall',
    'lamplighter.thaw',
  ]);
});
