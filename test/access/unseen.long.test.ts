import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { instance, worldOf } from '../../sandbox/world.ts';
import { hears } from '../support/asking.ts';
import { answerTo, play, privateMessage, privateTexts, readAll } from '../support/sandbox.ts';

const GRANT = '/lamplighter access grant';

function open(env: Readonly<Record<string, string>> = {}): Promise<Sandbox> {
  return play({
    timings: { cancelWindowMs: 600_000 },
    hosting: {
      world: worldOf([
        instance(101, 'staging-1'),
        instance(71, 'prod-secret-1'),
        instance(72, 'prod-secret-2'),
      ]),
    },
    env: { LAMPLIGHTER_EVERYONE: 'none', ...env },
  });
}

/** Lines in which `{x}` names an instance, for somebody who may not see it. */
const ASKED = [
  '/lamplighter can restart {x}',
  '/lamplighter can delete {x}',
  '/lamplighter can show {x}',
  '/lamplighter can instances stop {x}',
  '/lamplighter can addons list {x}',
  '/instances show {x}',
  '/instances {x}',
  '/instances restart {x}',
  '/instances delete {x}',
  '/instances history {x}',
  '/instances watch {x}',
  '/instances schedule {x} stop at 20:00 daily',
  '/instances save {x} = status:running',
  '/addons {x}',
  '/addons add llm {x}',
  '/billing transactions --instance {x}',
];

describe.each([
  ['no role', undefined],
  ['a role for others', `${GRANT} operator @ana on staging-*`],
])('who has %s', (_who, given) => {
  it('reads the same of an instance that is not theirs to see and of one that there is none of', async () => {
    const sandbox = await open();
    if (given !== undefined) await answerTo(sandbox, 'admin', given);
    await answerTo(sandbox, 'admin', '/lamplighter freeze on prod-secret-* "release"');
    for (const line of ASKED) {
      const of = async (name: string): Promise<string> =>
        (await hears(sandbox, 'ana', line.replace('{x}', name)))
          .toLowerCase()
          .replaceAll(name.toLowerCase(), '{x}');
      const none = await of('nothing-9');
      expect(none, line).not.toContain('secret');
      for (const name of ['prod-secret-1', 'PROD-SECRET-1', '71', 'prod', 'prod-secret']) {
        const text = await of(name);
        expect(text, `${line} of ${name}`).toBe(none);
        expect(text, line).not.toContain('secret');
      }
    }
  });
});

describe('who may see some instances alone', () => {
  it('reads no name of the others in what runs, in favorites, watches, schedules and freezes', async () => {
    const sandbox = await open({ LAMPLIGHTER_EVERYONE: 'none' });
    const { slack } = sandbox;
    await answerTo(sandbox, 'admin', `${GRANT} operator @ana on staging-*`);
    await answerTo(sandbox, 'admin', '/instances save nightly = name:prod-secret-*');
    await answerTo(sandbox, 'admin', '/instances save alive = status:running');
    await answerTo(sandbox, 'admin', '/instances watch name:prod-secret-*');
    const admin = slack.person('admin');
    await answerTo(sandbox, 'admin', '/instances schedule name:prod-secret-* stop at 20:00 daily UTC');
    await admin.presses(await privateMessage(sandbox, 'admin', 'Save this schedule'), 'Save');
    await answerTo(sandbox, 'admin', '/lamplighter freeze on prod-secret-* "release"');
    await admin.types('#ops', '/instances delete prod-secret-2 --override "old"');
    const modal = await slack.until(() => admin.views.at(-1));
    await admin.submits(modal, { typed: 'prod-secret-2' });
    await slack.until(() => readAll(sandbox).some((text) => text.includes('prod-secret-2 (72)')));
    for (const line of [
      '/lamplighter operations',
      '/lamplighter access',
      '/lamplighter freeze',
      '/instances',
      '/instances favorites',
      '/instances list nightly',
      '/instances nightly',
      '/instances restart nightly',
      '/instances forget nightly',
      '/instances watches',
      '/instances unwatch name:prod-secret-*',
      '/instances schedules',
      '/billing usage',
    ]) {
      const text = await hears(sandbox, 'ana', line);
      expect(text.replaceAll(line.split(' ').slice(2).join(' ') || '-', ''), line).not.toContain('secret');
    }
    expect(await answerTo(sandbox, 'ana', '/instances favorites')).toContain('alive');
    expect(await answerTo(sandbox, 'admin', '/instances watches')).toContain('name:prod-secret-*');
    expect(await answerTo(sandbox, 'admin', '/lamplighter operations')).toContain('prod-secret-2');
  });

  it('ends no watch of somebody else that is about more, by its words or by its button', async () => {
    const sandbox = await open({ LAMPLIGHTER_EVERYONE: 'viewer' });
    await answerTo(sandbox, 'admin', `${GRANT} operator @ana on staging-*`);
    await answerTo(sandbox, 'admin', '/instances watch name:*');
    expect(await hears(sandbox, 'ana', '/instances unwatch name:*')).toContain(
      'That watch is about more than the instances that your role covers, so nothing was changed. @admin set it and can end it.',
    );
    await sandbox.slack.person('ana').types('#ops', '/instances watches');
    await sandbox.slack.person('ana').presses(await privateMessage(sandbox, 'ana', '1 watch:'), 'Unwatch');
    const refused = (): number =>
      privateTexts(sandbox, 'ana').filter((text) => text.includes('That watch is about more')).length;
    await sandbox.slack.until(() => refused() === 2);
    expect(await answerTo(sandbox, 'admin', '/instances watches')).toContain('1 watch:');
    expect(readAll(sandbox).join('\n')).not.toContain('stopped watching');
    await answerTo(sandbox, 'admin', '/instances unwatch name:*');
    await answerTo(sandbox, 'admin', '/instances watch name:staging-*');
    expect(await hears(sandbox, 'ana', '/instances unwatch name:staging-*')).toContain(
      "isn't watched any more",
    );
  });
});

describe('/lamplighter access tells of somebody', () => {
  const NO =
    'You need to be a full member of this workspace to see instances. Guests and people from other organizations need a role';

  it.each([
    ['ana', 'viewer, as every full member is.'],
    ['guest', NO],
    ['single', NO],
    ['stranger', NO],
  ])('what a request of theirs meets: @%s', async (who, says) => {
    const sandbox = await open({ LAMPLIGHTER_EVERYONE: 'viewer' });
    const channel = who === 'stranger' ? '#shared' : '#ops';
    sandbox.slack.channel(channel).add(who);
    const text = await hears(sandbox, who, '/lamplighter access', channel);
    expect(text).toContain(says);
    expect(text.includes('as every full member')).toBe(who === 'ana');
  });

  it('that Slack could not say who they are, and the role of a group that they are in', async () => {
    const sandbox = await open();
    await answerTo(sandbox, 'admin', `${GRANT} operator @oncall on staging-*`);
    const all = await Promise.all(
      ['ana', 'bob', 'fin'].map(async (who) => answerTo(sandbox, who, '/lamplighter access')),
    );
    expect(all.some((text) => text.includes('operator on staging-*, as everyone in @oncall.'))).toBe(true);
    expect(all.some((text) => text.includes('You have no role here.'))).toBe(true);
  });
});
