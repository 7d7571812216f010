import { describe, expect, it } from 'vitest';
import type { Cloud } from '../../sandbox/clouds/cloud.ts';
import { everyElement, type Spot } from '../../sandbox/slack/acting/target.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { CLOUDS, playOn } from '../clouds/play-on.ts';
import { answeredWith, answerTo, play, privateMessage, type PlayOptions } from '../support/sandbox.ts';
import { DATA, FLEET, looksAt, stop, WEB } from './on-a-cloud.ts';
import { incidents, reads } from './watching.ts';

async function watchLabeled(
  words = 'label:team=web',
  kind: (typeof CLOUDS)[number] = 'digitalocean',
  options: PlayOptions = {},
): Promise<{ cloud: Cloud; sandbox: Sandbox }> {
  const played = await playOn(kind, { machines: FLEET }, options);
  await played.sandbox.slack.person('admin').types('#ops', `/instances watch ${words}`);
  await reads(played.sandbox, `Watching ${words}`);
  await looksAt(played.cloud);
  return played;
}

/** The label of the button that begins so. */
function buttonIn(text: string, start: string): string {
  return new RegExp(`\\[ (${start} [^\\]]*) \\]`).exec(text)?.[1] ?? start;
}

/** The field of a message that words are typed into. */
function fieldOf({ blocks }: PostedMessage): Spot {
  const field = everyElement(blocks).find(({ element }) => element['type'] === 'plain_text_input');
  if (!field) throw new Error('there is no field');
  return { blockId: field.blockId, actionId: String(field.element['action_id']) };
}

const run = (cloud: Cloud, name: string): void => cloud.setStatus(name, cloud.words.running);

describe.each(CLOUDS)('a watch by a label at %s', (kind) => {
  it('tells of what has it, of what is created with it, and of nothing else', async () => {
    const { cloud, sandbox } = await watchLabeled('label:team=web', kind);
    stop(cloud, 'db-1');
    stop(cloud, 'web-1');
    expect(await reads(sandbox, /web-1 \(\S+\) was stopped/)).toContain('Watch: label:team=web');
    cloud.add({ name: 'db-9', ...DATA });
    cloud.add({ name: 'web-9', ...WEB });
    await reads(sandbox, /web-9 \(\S+\) was created/);
    await looksAt(cloud);
    expect(incidents(sandbox)).toHaveLength(2);
  });

  it('leaves in peace what loses it, and takes in without a word what gets it', async () => {
    const { cloud, sandbox } = await watchLabeled('label:team=web', kind);
    cloud.mark('web-1', {});
    await looksAt(cloud);
    stop(cloud, 'web-1');
    stop(cloud, 'db-1');
    await looksAt(cloud);
    cloud.remove('web-1');
    cloud.mark('db-1', { team: 'web' });
    await looksAt(cloud);
    expect(incidents(sandbox)).toEqual([]);
    run(cloud, 'db-1');
    await looksAt(cloud);
    stop(cloud, 'db-1');
    await reads(sandbox, /db-1 \(\S+\) was stopped/);
    expect(incidents(sandbox)).toHaveLength(1);
  });
});

describe('a label that comes and goes', () => {
  it('makes nothing new of a young machine, however often it is given and taken away', async () => {
    const { cloud, sandbox } = await watchLabeled();
    cloud.add({ name: 'young-1' });
    await looksAt(cloud);
    for (let times = 0; times < 2; times += 1) {
      cloud.mark('young-1', { team: 'web' });
      await looksAt(cloud);
      cloud.mark('young-1', {});
      await looksAt(cloud);
    }
    expect(incidents(sandbox)).toEqual([]);
  });

  it('is said once of a machine that is created with it', async () => {
    const { cloud, sandbox } = await watchLabeled();
    cloud.add({ name: 'young-1', ...WEB });
    await reads(sandbox, /young-1 \(\S+\) was created/);
    cloud.mark('young-1', {});
    await looksAt(cloud);
    cloud.mark('young-1', { team: 'web' });
    await looksAt(cloud);
    expect(incidents(sandbox)).toHaveLength(1);
  });

  it('ends the card of what loses it, as watched no more and not as well again', async () => {
    const { cloud, sandbox } = await watchLabeled();
    stop(cloud, 'web-1');
    await reads(sandbox, /web-1 \(\S+\) was stopped/);
    cloud.mark('web-1', { team: 'data' });
    const card = await reads(sandbox, /web-1 \(\S+\) isn't watched any more/);
    expect(card).not.toContain('running again');
    cloud.mark('web-1', { team: 'web' });
    await looksAt(cloud);
    expect(incidents(sandbox)).toHaveLength(1);
  });

  it('shows what its setter may see, and no other that has it', async () => {
    const env = { LAMPLIGHTER_EVERYONE: 'none' };
    const { cloud, sandbox } = await watchLabeled('label:team=data', 'digitalocean', { env });
    const { slack } = sandbox;
    await slack.person('admin').types('#ops', '/lamplighter access grant operator @ana on web-1');
    await privateMessage(sandbox, 'admin', 'operator');
    const no = await answerTo(sandbox, 'ana', '/instances watch label:team=dta');
    expect(no).toContain(`I don't know the label "team=dta". Did you mean team=web?`);
    expect(no).not.toContain('team=data');
    await slack.person('ana').types('#ops', '/instances watch label:team=web');
    expect(await reads(sandbox, 'Watching label:team=web')).toContain('here, 1 instance now.');
    await looksAt(cloud);
    stop(cloud, 'web-2');
    stop(cloud, 'web-1');
    await reads(sandbox, /web-1 \(\S+\) was stopped/);
    await looksAt(cloud);
    expect(incidents(sandbox).join('\n')).not.toContain('web-2');
  });
});

describe('what is typed to watch by a label or a region', () => {
  it('is understood with others, listed as it was typed, and ended by the same words', async () => {
    const { cloud, sandbox } = await watchLabeled('label:team=web region:fra1');
    const hello = await reads(sandbox, 'Watching label:team=web region:fra1 here, 2 instances now.');
    expect(hello).toContain('I read the labels anew each time I check.');
    cloud.mark('web-2', { team: 'web', tier: 'a b' });
    await sandbox.slack.person('admin').types('#ops', '/instances watch label:"tier=a b"');
    await reads(sandbox, 'Watching "label:tier=a b" here, 1 instance now.');
    // Who set it is answered as well, which may come later.
    await sandbox.settled();
    const list = await answerTo(sandbox, 'admin', '/instances watches');
    expect(list).toContain('label:team=web region:fra1 · set by @admin');
    expect(list).toContain('"label:tier=a b" · set by @admin');
    expect(await answerTo(sandbox, 'admin', '/instances unwatch label:tem=web')).toContain(
      '[ Unwatch label:team=web region:fra1 ]',
    );
    expect(await answerTo(sandbox, 'admin', '/instances watch REGION:fra1 Label:team=web')).toContain(
      'is watched here already',
    );
    await sandbox.slack.person('admin').types('#ops', '/instances unwatch region:FRA1 label:team=web');
    await reads(sandbox, '@admin stopped watching label:team=web region:fra1 here');
    await sandbox.slack.person('admin').types('#ops', '/instances unwatch "label:tier=a b"');
    await reads(sandbox, '@admin stopped watching "label:tier=a b" here');
  });

  it.each([
    ['keep an eye on label:team=web please', 'label:team=web'],
    ['tell us if region:fra1 goes down', 'region:fra1'],
    ['keep an eye on label:team=we*', 'label:team=we*'],
  ])('is understood in a sentence: %s', async (line, words) => {
    const { sandbox } = await playOn('digitalocean', { machines: FLEET });
    for (const [said, label, done] of [
      [line, 'Watch', `Watching ${words} here`],
      [`stop watching ${words}`, 'Unwatch', `@admin stopped watching ${words} here`],
    ] as const) {
      const asked = await answeredWith(sandbox, 'admin', `@lamplighter ${said}`);
      await sandbox.slack.person('admin').presses(asked, buttonIn(sandbox.slack.read(asked), label));
      await reads(sandbox, done);
    }
  });

  it('is understood in a mention and in direct messages, where the channel is named', async () => {
    const { sandbox } = await playOn('digitalocean', { machines: FLEET });
    await sandbox.slack.person('admin').types('#ops', '@lamplighter watch label:team=web');
    await reads(sandbox, 'Watching label:team=web here');
    await sandbox.slack.person('admin').types('dm', 'watch region:fra1 in #ops');
    await reads(sandbox, 'Watching region:fra1 here');
  });

  it('is understood in the field that asks for it', async () => {
    const { sandbox } = await playOn('digitalocean', { machines: FLEET });
    const asked = await answeredWith(sandbox, 'admin', '/instances watch');
    expect(sandbox.slack.read(asked)).toContain('such as name:prod-* label:team=web');
    const admin = sandbox.slack.person('admin');
    admin.fills(asked, fieldOf(asked), 'label:team=web');
    await admin.presses(asked, 'Watch …');
    await reads(sandbox, 'Watching label:team=web here');
  });

  it.each([
    ['status:running', 'because a watch tells you when that changes.'],
    ['health:healthy', 'because a watch tells you when that changes.'],
    ['addon:backup', "because a watch doesn't read add-ons."],
    ['older:3d', 'because that can change by itself.'],
    ['host:web-*', 'because that can change by itself.'],
    ['address:10.*', 'because that can change by itself.'],
  ])('is refused with what is left of it where it says no machine: %s', async (filter, why) => {
    const { sandbox } = await playOn('digitalocean', { machines: FLEET });
    const no = await answerTo(sandbox, 'admin', `/instances watch label:team=web ${filter}`);
    expect(no).toContain(
      `I can't watch by "${filter}", ${why} Filters for a watch are name:, tier:, region: and label:`,
    );
    expect(no).toContain('[ Watch label:team=web ]');
  });

  it('is refused at once where the service tells no labels', async () => {
    const sandbox = await play();
    expect(await answerTo(sandbox, 'admin', '/instances watch label:team=web')).toContain(
      "The hosting service doesn't list the labels of these instances",
    );
    await sandbox.settled();
    expect(await answerTo(sandbox, 'admin', '/instances watches')).toContain('Nothing is watched');
  });
});
