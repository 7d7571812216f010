import { expect, it } from 'vitest';
import type { Cloud } from '../../sandbox/clouds/cloud.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { playOn } from '../clouds/play-on.ts';
import { dmWith } from '../support/asking.ts';
import { fileWith } from '../support/file-with.ts';
import { answerTo, privateMessage, type PlayOptions } from '../support/sandbox.ts';
import { FLEET, looksAt, stop } from './on-a-cloud.ts';
import { findCard, incidents, reads } from './watching.ts';

async function open(options: PlayOptions): Promise<{ cloud: Cloud; sandbox: Sandbox }> {
  return playOn('hetzner', { machines: FLEET }, options);
}

/** An admin has let the channel be told. */
async function isAllowed(sandbox: Sandbox): Promise<void> {
  await sandbox.slack.person('admin').types('#ops', '/instances watch label:team=data');
  await reads(sandbox, 'Watching label:team=data');
  await sandbox.slack.person('admin').types('#ops', '/instances unwatch label:team=data');
  await reads(sandbox, '@admin stopped watching');
}

/** Somebody has nothing but a role for what has the label of the web team. */
async function hasWebAlone(sandbox: Sandbox, who: string): Promise<void> {
  const { slack } = sandbox;
  await slack.person('admin').types('#ops', `/lamplighter access grant operator @${who} on label:team=web`);
  await privateMessage(sandbox, 'admin', 'operator');
}

async function watches({ cloud, sandbox }: { cloud: Cloud; sandbox: Sandbox }, who: string, words: string) {
  await sandbox.slack.person(who).types('#ops', `/instances watch ${words}`);
  await reads(sandbox, `Watching ${words}`);
  await looksAt(cloud);
}

it.each(['label:team=web', 'name:*'])(
  'who may see what has a label is told by watch %s of what is gone with it, of what breaks after, and of nothing else',
  async (words) => {
    const played = await open({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    const { cloud, sandbox } = played;
    await isAllowed(sandbox);
    await hasWebAlone(sandbox, 'bob');
    await watches(played, 'bob', words);
    cloud.remove('db-2');
    cloud.remove('web-2');
    stop(cloud, 'db-1');
    await reads(sandbox, /web-2 \(\S+\) was deleted/);
    stop(cloud, 'web-1');
    await reads(sandbox, /web-1 \(\S+\) was stopped/);
    await looksAt(cloud);
    expect(incidents(sandbox)).toHaveLength(2);
    expect(incidents(sandbox).join('\n')).not.toContain('db-');
  },
);

it('what loses its label and is gone then is no news for who may see it by that alone', async () => {
  const played = await open({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
  const { cloud, sandbox } = played;
  await isAllowed(sandbox);
  await hasWebAlone(sandbox, 'bob');
  await watches(played, 'bob', 'name:*');
  cloud.mark('web-2', { team: 'data' });
  await looksAt(cloud);
  cloud.remove('web-2');
  await looksAt(cloud);
  stop(cloud, 'web-1');
  await reads(sandbox, /web-1 \(\S+\) was stopped/);
  expect(incidents(sandbox)).toHaveLength(1);
});

it('a channel that is limited to a label hears of what is gone with it and of what breaks after', async () => {
  const policy = fileWith('channels:\n  C0OPS000001: { on: [label:team=web] }\n');
  const played = await open({ env: { LAMPLIGHTER_POLICY: policy } });
  const { cloud, sandbox } = played;
  await watches(played, 'admin', 'name:*');
  cloud.remove('db-2');
  cloud.remove('web-2');
  await reads(sandbox, /web-2 \(\S+\) was deleted/);
  stop(cloud, 'web-1');
  await reads(sandbox, /web-1 \(\S+\) was stopped/);
  expect(incidents(sandbox).join('\n')).not.toContain('db-');
});

it('who is on call with a role for what has a label is told of what is gone with it, and takes it', async () => {
  const played = await open({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
  const { cloud, sandbox } = played;
  await hasWebAlone(sandbox, 'bob');
  await watches(played, 'admin', 'name:*');
  await answerTo(sandbox, 'admin', '/lamplighter oncall first @bob');
  cloud.remove('db-2');
  const other = await findCard(sandbox, /db-2 \(\S+\) /);
  cloud.remove('web-2');
  const card = await findCard(sandbox, /web-2 \(\S+\) /);
  const told = await dmWith(sandbox, 'bob', 'web-2');
  await sandbox.slack.person('bob').presses(told, "I'm on it");
  await sandbox.slack.until(() => sandbox.slack.read(card).includes('@bob is on it'));
  expect(sandbox.slack.read(other)).not.toContain('@bob');
  const dms = sandbox.slack.person('bob').dms.map((one) => sandbox.slack.read(one));
  expect(dms.join('\n')).not.toContain('db-2');
});

it('who is on call is told by the label that something had last, whatever it had when the watch began', async () => {
  const played = await open({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
  const { cloud, sandbox } = played;
  await hasWebAlone(sandbox, 'bob');
  await watches(played, 'admin', 'name:*');
  await answerTo(sandbox, 'admin', '/lamplighter oncall first @bob');
  cloud.mark('web-1', { team: 'data' });
  cloud.mark('db-1', { team: 'web' });
  await looksAt(cloud);
  cloud.remove('web-1');
  await findCard(sandbox, /web-1 \(\S+\) was deleted/);
  cloud.remove('db-1');
  const toBob = (): string[] => sandbox.slack.person('bob').dms.map((one) => sandbox.slack.read(one));
  await sandbox.slack.until(() => toBob().some((text) => text.includes('db-1')));
  await looksAt(cloud);
  expect(toBob().join('\n')).not.toContain('web-1');
});
