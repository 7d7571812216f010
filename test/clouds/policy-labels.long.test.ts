import { describe, expect, it } from 'vitest';
import type { MachineSpec } from '../../sandbox/clouds/machine.ts';
import type { Cloud, CloudKind } from '../../sandbox/clouds/cloud.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { fileWith } from '../support/file-with.ts';
import { messageWith } from '../support/asking.ts';
import { answeredWith, answerTo, botMessages, play, privateMessage, readAll } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { CLOUDS, playOn, writesTo } from './play-on.ts';

const MACHINES: readonly MachineSpec[] = [
  { name: 'web-1', tags: ['team=web'], labels: { team: 'web' } },
  { name: 'web-2', tags: ['team=web'], labels: { team: 'web' } },
  { name: 'db-1', tags: ['team=data', 'env=prod'], labels: { team: 'data', env: 'prod' } },
];
const ADMIN = { LAMPLIGHTER_ADMINS: 'U0ADA000001' };

const open = (
  kind: CloudKind,
  env: Readonly<Record<string, string>>,
): Promise<{ cloud: Cloud; sandbox: Sandbox }> =>
  playOn(kind, { machines: MACHINES }, { env: { ...ADMIN, ...env } });

const namesIn = (text: string): string[] => [...new Set(text.match(/\b(?:web|db)-\d\b/g) ?? [])].toSorted();

/** What bob is answered in a channel of its own rules. */
async function inBilling({ slack }: Sandbox, line: string): Promise<string> {
  const interaction = await slack.person('bob').types('#billing', line);
  return slack.read(await slack.until(() => interaction.ephemeral[0]));
}

describe.each(CLOUDS)('a role by a label at %s', (kind) => {
  it('counts for what has the label at that moment, at the click and again before the call', async () => {
    const { sandbox, cloud } = await open(kind, {
      LAMPLIGHTER_EVERYONE: 'none',
      LAMPLIGHTER_APPROVE: 'web-2',
    });
    const { slack } = sandbox;
    expect(
      await answerTo(sandbox, 'admin', '/lamplighter access grant operator @bob on label:team=web'),
    ).toContain('is an operator on label:team=web');
    expect(namesIn(await answerTo(sandbox, 'bob', '/instances list'))).toEqual(['web-1', 'web-2']);
    await slack.person('bob').types('#ops', '/instances stop web-1');
    await slack.until(() => botMessages(sandbox).some((one) => slack.read(one).includes('✅ Stopped web-1')));
    expect(writesTo(cloud)).toHaveLength(1);

    await slack.person('bob').types('#ops', '/instances restart web-2');
    const question = await messageWith(sandbox, 'asks to restart');
    cloud.mark('web-1', { team: 'data' });
    cloud.mark('web-2', {});
    await slack.person('admin').presses(question, 'Approve');
    await privateMessage(sandbox, 'admin', '@bob no longer has the right to that, so nothing was done.');
    expect(namesIn(await answerTo(sandbox, 'bob', '/instances list'))).toEqual([]);
    expect(await answerTo(sandbox, 'bob', '/instances start web-1')).toContain('web-1');
    await sandbox.settled();
    expect(writesTo(cloud)).toHaveLength(1);
  });
});

describe('a freeze by a label', () => {
  it('stops changes of what has it, of what gets it later, and of nothing else', async () => {
    const { sandbox, cloud } = await open('hetzner', { LAMPLIGHTER_EVERYONE: 'operator' });
    expect(
      await answerTo(sandbox, 'admin', '/lamplighter freeze on label:env=prod for 4h "release"'),
    ).toContain('Frozen');
    const refused = '@admin froze label:env=prod';
    expect(await answerTo(sandbox, 'bob', '/instances restart db-1')).toContain(refused);
    expect(await answerTo(sandbox, 'bob', '/lamplighter can restart web-1')).toContain('Yes');
    cloud.mark('web-1', { env: 'prod' });
    await sandbox.slack.person('bob').types('#ops', '/instances restart web-1');
    // A list of a second ago may lack the label: just before the call it is looked at again.
    await sandbox.slack.until(() =>
      readAll(sandbox).some((text) => /froze label:env=prod|web-1 \(\d+\): instances were frozen/.test(text)),
    );
    await sandbox.settled();
    expect(await answerTo(sandbox, 'bob', '/lamplighter freeze')).toContain('froze label:env=prod until');
    expect(writesTo(cloud)).toEqual([]);
    await answerTo(sandbox, 'admin', '/lamplighter thaw on label:env=prod');
    expect(await answerTo(sandbox, 'bob', '/lamplighter can restart db-1')).toContain('Yes');
  });

  it('is of several, each by itself, and tells others only what is of theirs', async () => {
    const { sandbox } = await open('hetzner', { LAMPLIGHTER_EVERYONE: 'none' });
    const { slack } = sandbox;
    await answerTo(sandbox, 'admin', '/lamplighter access grant operator @bob on label:team=web');
    await answerTo(sandbox, 'admin', '/lamplighter freeze on label:env=prod,web-* for 4h "release"');
    expect(await answerTo(sandbox, 'admin', '/lamplighter freeze')).toContain(
      'froze label:env=prod, web-* until',
    );
    // What is frozen by names is none of what bob's role names.
    expect(await answerTo(sandbox, 'bob', '/lamplighter freeze')).toContain(
      'None of the patterns that your role names is frozen.',
    );
    const refused = await answeredWith(sandbox, 'bob', '/instances restart web-1');
    expect(slack.read(refused)).toContain('froze web-* until');
    expect(slack.read(refused)).not.toContain('env=prod');
    await slack.person('bob').presses(refused, 'Ask for an exception');
    const asked = await messageWith(sandbox, 'during a freeze');
    expect(slack.read(asked)).toContain('froze web-* until');
    expect(slack.read(asked)).not.toContain('env=prod');
  });

  it('is asked about where it may be meant as a reason', async () => {
    const { sandbox } = await open('hetzner', {});
    const asked = await answeredWith(sandbox, 'admin', '/lamplighter freeze label:env=prod for 4h release');
    expect(sandbox.slack.read(asked)).toContain(
      'Do you want to freeze label:env=prod with the reason "release"?',
    );
  });
});

it('who has a role by a label is told nothing of what others watch by theirs', async () => {
  const { sandbox } = await open('hetzner', { LAMPLIGHTER_EVERYONE: 'none' });
  await answerTo(sandbox, 'admin', '/lamplighter access grant operator @bob on label:team=web');
  await answerTo(sandbox, 'admin', '/instances watch label:env=prod');
  await answerTo(sandbox, 'admin', '/instances watch label:team=web');
  const seen = await answerTo(sandbox, 'bob', '/instances watches');
  expect(seen).toContain('label:team=web');
  expect(seen).not.toContain('env=prod');
});

it('who could approve by a label is named to who presses their own request', async () => {
  const { sandbox } = await open('hetzner', {
    LAMPLIGHTER_EVERYONE: 'none',
    LAMPLIGHTER_APPROVE: 'web-1',
  });
  const { slack } = sandbox;
  for (const who of ['@bob', '@ana'])
    await answerTo(sandbox, 'admin', `/lamplighter access grant operator ${who} on label:team=web`);
  const bob = slack.person('bob');
  await bob.types('#ops', '/instances restart web-1');
  const question = await messageWith(sandbox, 'asks to restart');
  const press = await bob.presses(question, 'Approve');
  expect(slack.read(await slack.until(() => press.ephemeral[0]))).toContain('@ana');
});

describe('where a label is none that anything has,', () => {
  it.each([
    [
      'access grant operator @bob on label:team=wbe',
      'I don\'t know the label "team=wbe". Did you mean team=web?',
    ],
    ['freeze on label:team=wbe "release"', 'I don\'t know the label "team=wbe". Did you mean team=web?'],
    ['access grant operator @bob on lable:team=web', 'I can\'t filter by "lable:team=web".'],
    ['access grant operator @bob on label:', 'I can\'t filter by "label:".'],
    ['freeze on region:mars "release"', 'I don\'t know the region "mars".'],
    [
      'freeze on status:running "release"',
      'This takes names, ids, labels and regions, as in prod-* or label:env=prod',
    ],
    ['access grant operator @bob on -label:team=web', 'and not "-label:team=web"'],
  ])('/lamplighter %s does nothing and says so', async (line, said) => {
    const { sandbox } = await open('hetzner', {});
    expect(await answerTo(sandbox, 'admin', `/lamplighter ${line}`)).toContain(said);
    expect(await answerTo(sandbox, 'admin', '/lamplighter freeze')).toContain('Nothing is frozen.');
  });

  it('a service that tells no labels is no place for it', async () => {
    const sandbox = await play({ env: ADMIN });
    const answer = await answerTo(
      sandbox,
      'admin',
      '/lamplighter access grant viewer @bob on label:team=web',
    );
    expect(answer).toContain("The hosting service doesn't list the labels of these instances");
    expect(answer).toContain('Nothing was done.');
  });

  it('somebody whose role is for some gives it for no more than theirs', async () => {
    const { sandbox } = await open('hetzner', { LAMPLIGHTER_EVERYONE: 'none' });
    await answerTo(sandbox, 'admin', '/lamplighter access grant admin @ana on label:team=web');
    for (const on of ['label:team=*', 'web-1', 'label:env=prod', 'region:*', '*'])
      expect(await answerTo(sandbox, 'ana', `/lamplighter access grant viewer @bob on ${on}`)).toContain(
        'Ask for less, as far as your role reaches.',
      );
    expect(
      await answerTo(sandbox, 'ana', '/lamplighter access grant viewer @bob on label:team=web'),
    ).toContain('is a viewer on label:team=web');
    expect(namesIn(await answerTo(sandbox, 'bob', '/instances list'))).toEqual(['web-1', 'web-2']);
  });
});

describe('a policy file with labels', () => {
  const POLICY = `
protected: [label:env=prod]
approvals:
  - { on: [label:team=data], for: [stop] }
channels:
  C0BILLING01: { on: [label:team=web] }
`;

  it('protects, asks for approvals and limits channels by what instances are marked with now', async () => {
    const { sandbox, cloud } = await open('digitalocean', {
      LAMPLIGHTER_EVERYONE: 'operator',
      LAMPLIGHTER_POLICY: fileWith(POLICY),
    });
    expect(await answerTo(sandbox, 'admin', '/instances delete db-1')).toContain('protected');
    expect(await answerTo(sandbox, 'admin', '/lamplighter can @bob stop db-1')).toContain('approv');
    expect(await answerTo(sandbox, 'admin', '/lamplighter can @bob stop web-1')).not.toContain('approv');
    const there = await inBilling(sandbox, '/instances list');
    expect(namesIn(there)).toEqual(['web-1', 'web-2']);
    cloud.mark('web-1', { team: 'data' });
    const asked = '/lamplighter can @bob stop web-1';
    await until(async () => (await answerTo(sandbox, 'admin', asked)).includes('approv'));
    expect(writesTo(cloud)).toEqual([]);
  });

  it('is named by the doctor where the service tells no labels', async () => {
    const sandbox = await play({ env: { ...ADMIN, LAMPLIGHTER_POLICY: fileWith(POLICY) } });
    const found = await answerTo(sandbox, 'admin', '/lamplighter doctor');
    expect(found).toContain("label:env=prod, and the hosting service doesn't tell that of each instance.");
    expect(await answerTo(sandbox, 'admin', '/instances delete web-1')).toContain('protected');
  });
});
