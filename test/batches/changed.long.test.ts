import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance } from '../../sandbox/world.ts';
import {
  answerTo,
  play,
  powerCalls,
  privateMessage,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';
import { confirms, playFleet, previewOf } from './fleet.ts';

/** What happens between the preview and the yes, and what the new preview says of it. */
const CHANGES: readonly {
  readonly what: string;
  readonly happens: (sandbox: Sandbox) => void | Promise<unknown>;
  readonly says: string;
  /** Where nothing is left to ask for. */
  readonly asks?: string;
}[] = [
  {
    what: 'one is gone',
    happens: ({ hosting }) => hosting.removeInstance(1_001),
    says: 'stg-1 (1001) is gone',
  },
  {
    what: 'one is called something else',
    happens: ({ hosting }) => hosting.renameInstance(1_001, 'payments'),
    says: 'stg-1 (1001) is called payments now',
  },
  {
    what: 'one was created again under its name',
    happens: ({ hosting }) => {
      hosting.removeInstance(1_001);
      hosting.addInstance('harbour', instance(2_001, 'stg-1'));
    },
    says: 'stg-1 (1001) is gone',
  },
  {
    what: 'one has another status',
    happens: ({ hosting }) => hosting.changeStatus(1_001, 'stopped'),
    says: 'stg-1 (1001) is stopped now',
  },
  {
    what: 'somebody is on one of them',
    happens: async ({ hosting, slack }) => {
      const held = hosting.hold({ method: 'POST' });
      await slack.person('bob').types('#ops', '/instances restart stg-1');
      await held.arrived;
      setTimeout(() => held.release(), 600);
    },
    says: 'stg-1 (1001) is restarting already, asked by @bob',
  },
  {
    what: 'somebody has restarted one of them',
    happens: (sandbox) => runToEnd(sandbox, 'bob', '/instances restart stg-1'),
    says: 'stg-1 (1001) is not as it was shown: @bob restarted it',
  },
  {
    what: 'instances were frozen',
    happens: (sandbox) => answerTo(sandbox, 'admin', '/lamplighter freeze for 1h "audit"'),
    says: 'stg-1 (1001) is frozen',
    asks: 'None of the 3 can be stopped now. Nothing was done.',
  },
];

describe('between the preview and the yes', () => {
  it.each(CHANGES)('$what: nothing runs, and it is asked again with what is there now', async (change) => {
    const sandbox = await playFleet(3);
    const preview = await previewOf(sandbox, '/instances stop name:stg-*');
    await change.happens(sandbox);
    await confirms(sandbox, preview, 'Stop 3');
    const again = await privateMessage(sandbox, 'ana', 'because this has changed since you were shown it');
    expect(sandbox.slack.read(again)).toContain(change.says);
    await sandbox.settled();
    expect(powerCalls(sandbox, 'stop')).toBe(0);
    expect(sandbox.slack.read(again)).toContain(change.asks ?? '? Nothing has been done yet.');
  });

  it('a right that is gone: nothing runs, and it is said', async () => {
    const sandbox = await playFleet(3, { env: { LAMPLIGHTER_EVERYONE: 'viewer' } });
    const admin = sandbox.slack.person('admin');
    await admin.types('#ops', '/lamplighter access grant operator @ana on stg-0,stg-1');
    await sandbox.settled();
    const preview = await previewOf(sandbox, '/instances stop name:stg-*');
    expect(sandbox.slack.read(preview)).toContain('Skipped stg-2: it is not yours to stop');
    await admin.types('#ops', '/lamplighter access revoke operator @ana');
    await sandbox.settled();
    await confirms(sandbox, preview, 'Stop 2');
    await privateMessage(sandbox, 'ana', 'operator');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('one that became protected: nothing runs', async () => {
    const sandbox = await play({ bot: false, timings: { acceptWithinMs: 20_000 } });
    await sandbox.startBot();
    const preview = await previewOf(sandbox, '/instances stop web-1 web-2');
    await sandbox.stopBots();
    await sandbox.startBot({ LAMPLIGHTER_PROTECTED: 'web-2' });
    await confirms(sandbox, preview, 'Stop 2');
    await privateMessage(sandbox, 'ana', 'web-2 (102) is protected; run it separately');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });
});

describe('a preview', () => {
  it('counts once, however often its button is pressed', async () => {
    const sandbox = await playFleet(3);
    const preview = await previewOf(sandbox, '/instances restart stg-0 stg-1');
    await Promise.all(
      Array.from({ length: 10 }, () => sandbox.slack.person('ana').presses(preview, 'Restart 2')),
    );
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(2);
    expect(readAll(sandbox)).toHaveLength(2);
  });

  it.each([
    ['once, where the one yes comes after the other', true],
    ['once, where both say yes at once', false],
  ])('of the same for two people is done %s', async (_when, isAfter) => {
    const sandbox = await playFleet(4);
    const line = '/instances restart name:stg-* --at-once 1';
    const [anas, bobs] = [await previewOf(sandbox, line), await previewOf(sandbox, line, 'bob')];
    const both = [confirms(sandbox, anas, 'Restart 4')];
    if (isAfter) {
      await both[0];
      await sandbox.settled();
    }
    both.push(confirms(sandbox, bobs, 'Restart 4', 'bob'));
    await Promise.all(both);
    if (isAfter) await privateMessage(sandbox, 'bob', 'because this has changed since you were shown it');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(4);
  });

  it('is too old after a while, and says so', async () => {
    const sandbox = await playFleet(3, { timings: { confirmWithinMs: -1 } });
    const preview = await previewOf(sandbox, '/instances restart stg-0 stg-1');
    await confirms(sandbox, preview, 'Restart 2');
    await privateMessage(sandbox, 'ana', 'What you were shown is out of date, so nothing was done.');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('wants the exact count typed from ten on', async () => {
    const sandbox = await playFleet(12);
    const ana = sandbox.slack.person('ana');
    const preview = await previewOf(sandbox, '/instances stop name:stg-*');
    await ana.presses(preview, 'Stop 12');
    const modal = await sandbox.slack.until(() => ana.views.at(-1));
    const interaction = await ana.submits(modal, { typed: '11' });
    expect(JSON.stringify(interaction.errors)).toContain('Type 12, the number of instances, to continue.');
    await sandbox.settled();
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('of a dry run has nothing to press and does nothing', async () => {
    const sandbox = await playFleet(3);
    const preview = sandbox.slack.read(await previewOf(sandbox, '/instances stop name:stg-* --dry-run'));
    expect(preview).toContain('Would stop 3 instances. This was a dry run: nothing was done.');
    expect(preview).not.toContain('[');
    expect(powerCalls(sandbox)).toBe(0);
  });

  it('says what it saves to who may know, and to nobody else', async () => {
    const sandbox = await playFleet(3);
    const line = '/instances stop name:stg-* --dry-run';
    expect(sandbox.slack.read(await previewOf(sandbox, line, 'admin'))).toContain(
      'Saves at most 30 credits a day.',
    );
    expect(sandbox.slack.read(await previewOf(sandbox, line))).not.toContain('credits');
  });

  it('shows all of a long one page by page, to who was shown it', async () => {
    const sandbox = await playFleet(60);
    const preview = await previewOf(sandbox, '/instances stop name:stg-*');
    expect(sandbox.slack.read(preview)).toContain('[ Show all ]');
    await sandbox.slack.person('ana').presses(preview, 'Show all');
    await privateMessage(sandbox, 'ana', '60 instances, 1 to 40 of 60 lines:');
  });
});

describe('words for several', () => {
  it.each([
    ['/instances stop stg-0 nothing-like-it', 'No instance has exactly the name or id "nothing-like-it"'],
    ['/instances stop stg-0 status:running', 'I take names or filters, not both at once'],
    ['/instances stop name:prod-*', 'No instance matches, so nothing was done.'],
    ['/instances stop name:stg-* --at-once 51', '--at-once takes a number from 1 to 50'],
    ['/instances stop nmae:stg-*', 'I can\'t filter by "nmae:stg-*"'],
    ['/instances start stg-0 stg-1', 'None of the 2 can be started now. Nothing was done.'],
    ['/instances delete stg-0 stg-1', 'I can delete one instance at a time.'],
  ])('%s is refused in words', async (line, words) => {
    const sandbox = await playFleet(2);
    await sandbox.slack.person('ana').types('#ops', line);
    await sandbox.slack.person('admin').types('#ops', line);
    await sandbox.settled();
    expect(privateTexts(sandbox, 'admin').join('\n')).toContain(words);
    expect(powerCalls(sandbox)).toBe(0);
  });
});
