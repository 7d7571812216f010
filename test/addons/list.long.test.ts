import { describe, expect, it } from 'vitest';
import { instance, outfitter, type WorldAddon, worldOf } from '../../sandbox/world.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { addonCalls, opensModal, play, privateMessage, privateTexts, readAll } from '../support/sandbox.ts';

const OUTFITTER = {
  env: { LAMPLIGHTER_EVERYONE: 'admin' },
  hosting: { world: { customers: [outfitter] } },
};

/** What somebody reads who types a line. */
async function read(line: string, options: SandboxOptions = {}): Promise<[Sandbox, string]> {
  const sandbox = await play(options);
  await sandbox.slack.person('ana').types('#ops', line);
  await sandbox.slack.until(() => privateTexts(sandbox, 'ana').length > 0);
  expect(readAll(sandbox)).toEqual([]);
  return [sandbox, privateTexts(sandbox, 'ana')[0]!];
}

describe('/addons', () => {
  it('does not call active what is in a status that nobody knows, and lets it be removed all the same', async () => {
    const addons = [
      { id: 1_000, type: 'backup', instanceId: 1 },
      { id: 1_001, type: 'search', instanceId: 1, status: 'quarantined', dailyCredits: 5 },
      { id: 1_002, type: 'cdn', instanceId: 1, status: 'suspended', dailyCredits: 2 },
    ];
    const world = worldOf([instance(1, 'lone')], { addons });
    const [, text] = await read('/addons lone', {
      hosting: { world },
      env: { LAMPLIGHTER_EVERYONE: 'admin' },
    });
    expect(text.split('\n')).toEqual([
      '1 active add-on of lone (1), 12 credits a day; 2 others are not shown as active, up to 7 credits a day:',
      '• 🟢 backup · active · 12 credits a day · id 1000',
      '• 🟠 cdn · "suspended" · 2 credits a day · id 1002',
      '• ❔ search · "quarantined" · 5 credits a day · id 1001',
      '⋯ [ Remove backup… | Remove cdn… | Remove search… ]',
    ]);
  });

  it('says that there are none, and leads over the instance and the type to one', async () => {
    const world = worldOf([instance(1, 'lone')]);
    const [sandbox, text] = await read('/addons', {
      hosting: { world },
      env: { LAMPLIGHTER_EVERYONE: 'admin' },
    });
    expect(text).toBe('There are no add-ons.\n[ Add… ]');
    const ana = sandbox.slack.person('ana');
    await ana.presses(await privateMessage(sandbox, 'ana', 'There are no add-ons.'), 'Add…');
    const picker = await privateMessage(sandbox, 'ana', 'Which instance do you want to add an add-on to?');
    await ana.chooses(picker, 'addons.add', '1');
    const how = await privateMessage(sandbox, 'ana', 'Which add-on for lone (1)?');
    expect(sandbox.slack.read(how)).toContain('Type its name.');
    expect(sandbox.slack.read(how)).toContain('None is in use yet');
  });

  it('is for nobody without a role', async () => {
    const [, text] = await read('/addons', { env: { LAMPLIGHTER_EVERYONE: 'none' } });
    expect(text).toContain('You need the viewer role to see add-ons.');
  });

  it('says that the service fails where it does', async () => {
    const sandbox = await play();
    sandbox.hosting.failNext({ path: /addons/ }, 500, Infinity);
    await sandbox.slack.person('ana').types('#ops', '/addons');
    await privateMessage(sandbox, 'ana', 'Addons list: The hosting service answered with an error (500)');
  });
});

describe('/addons web-1', () => {
  it.each(['/addons tent', '/addons list 401', '/addons TEN'])(
    'lists those of one instance, with what can be removed in its menu: %s',
    async (line) => {
      const [, text] = await read(line, OUTFITTER);
      expect(text).toBe(
        [
          '2 active add-ons of tent (401), 57 credits a day:',
          '• 🟢 backup · active · 12 credits a day · id 802',
          '• 🟢 llm (standard) · active · 9,500 of 10,000 used, near its limit · 45 credits a day · id 801',
          '⋯ [ Remove backup… | Remove llm (standard)… ]',
        ].join('\n'),
      );
    },
  );

  it('lists more than a hundred with the longest of names within what Slack takes, and so does their deletion', async () => {
    const addons = Array.from({ length: 101 }, (_, index): WorldAddon => ({
      id: 1_000 + index,
      type: `<!here> ${'x'.repeat(200)}${index}`,
      tier: 'y'.repeat(100),
      instanceId: 1,
      dailyCredits: 1,
    }));
    const sandbox = await play({ hosting: { world: worldOf([instance(1, 'lone')], { addons }) } });
    const admin = sandbox.slack.person('admin');
    await admin.types('#ops', '/addons lone');
    const list = await privateMessage(sandbox, 'admin', '101 active add-ons of lone (1), 101 credits a day:');
    const seen = new Set<string>();
    const count = (): void => {
      for (const [, id] of sandbox.slack.read(list).matchAll(/· id (\d+)/g)) seen.add(id ?? '');
    };
    count();
    for (let page = 1; sandbox.slack.read(list).includes('[ Next ]'); page++) {
      expect(sandbox.slack.read(list)).not.toContain('more');
      await admin.presses(list, 'Next');
      await sandbox.slack.until(() => list.edits.length === page);
      count();
    }
    expect(seen.size).toBe(101);
    await admin.types('#ops', '/addons');
    await privateMessage(sandbox, 'admin', '101 active add-ons, 101 credits a day:');
    const deletion = await opensModal(sandbox, 'admin', '/instances delete lone');
    expect(sandbox.slack.readView(deletion)).toContain('• its add-ons: <!here> xxx');
    await opensModal(sandbox, 'admin', '/addons remove 1099 lone');
  });

  it('says that it has none, and offers those that others have, with what they cost', async () => {
    const [sandbox, text] = await read('/addons web-2', { env: { LAMPLIGHTER_EVERYONE: 'admin' } });
    expect(text).toBe('There are no add-ons of web-2 (102).\n[ Add… ]');
    const ana = sandbox.slack.person('ana');
    await ana.presses(await privateMessage(sandbox, 'ana', 'There are no add-ons'), 'Add…');
    const which = await privateMessage(sandbox, 'ana', 'Which add-on for web-2 (102)?');
    expect(sandbox.slack.read(which)).toContain('• llm (standard) · 45 credits a day elsewhere');
    expect(sandbox.slack.read(which)).toContain(
      '[ Add llm (standard)… ] [ Add … web-2 (102) ] [ Cancel ] ⋯ [ Add backup… ]',
    );
    await ana.presses(which, 'Add llm (standard)…');
    await ana.presses(await privateMessage(sandbox, 'ana', 'Add llm (standard) to web-2 (102)?'), 'Add it');
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Added llm (standard) to web-2 (102)');
    expect(addonCalls(sandbox, 'POST')).toBe(1);
  });

  it('says what is about to be removed and when, with a way to cancel that', async () => {
    const sandbox = await play({ timings: { cancelWindowMs: 60_000 } });
    const modal = await opensModal(sandbox, 'admin', '/addons remove llm web-1');
    await sandbox.slack.person('admin').submits(modal, { typed: 'llm' });
    await sandbox.slack.until(() => readAll(sandbox).length > 0);
    const bob = sandbox.slack.person('bob');
    await bob.types('#ops', '/addons web-1');
    const list = await privateMessage(sandbox, 'bob', '1 active add-on of web-1 (101)');
    expect(sandbox.slack.read(list)).toMatch(
      /llm \(standard\) on web-1 \(101\) will be removed in (\d+ s|1 min), asked by @admin .*See its card/,
    );
    await bob.presses(list, 'Cancel');
    await sandbox.settled();
    expect(addonCalls(sandbox, 'DELETE')).toBe(0);
  });

  it('offers to remove all but what is over', async () => {
    const [, text] = await read('/addons lantern', OUTFITTER);
    expect(text).toContain('⋯ [ Remove monitoring… | Remove backup… ]');
    expect(text).toContain('storage (large) · "canceled"');
  });

  it('asks which one is meant where that is not clear, and a pick shows it', async () => {
    const sandbox = await play();
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/addons we');
    const picker = await privateMessage(sandbox, 'ana', 'Did you mean one of these?');
    await ana.chooses(picker, 'addons.list', '101');
    await privateMessage(sandbox, 'ana', '1 active add-on of web-1 (101), 45 credits a day:');
  });

  it('is found by its name where only usage tells of it', async () => {
    const [, text] = await read('/addons web-1', { hosting: { variant: { addons: 'absent' } } });
    expect(text).toContain('1 active add-on of web-1 (101), 45 credits a day:');
    expect(text).not.toContain('Remove');
  });
});

describe('the ways to a removal', () => {
  it('lead there from the menu of the list', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    await admin.types('#ops', '/addons web-1');
    const list = await privateMessage(sandbox, 'admin', '1 active add-on of web-1 (101)');
    await admin.presses(list, 'Remove llm (standard)…');
    const modal = await sandbox.slack.until(() => admin.views[0]);
    await admin.submits(modal, { typed: 'llm' });
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Removed llm (standard) from web-1 (101)');
  });

  it('shows a type that tries to be markup as it is, and takes it typed', async () => {
    const sandbox = await play({ hosting: { world: { customers: [outfitter] } } });
    const admin = sandbox.slack.person('admin');
    const modal = await opensModal(sandbox, 'admin', '/addons remove 809 canoe');
    expect(sandbox.slack.readView(modal)).toContain(
      'Remove <!channel> *x* (<http://evil|Pay> `&amp;`) from canoe (404)?',
    );
    await admin.submits(modal, { typed: '<!channel> *x*' });
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Removed <!channel> *x* (<http://evil|Pay>');
    expect(sandbox.hosting.addonsOf(404).map(({ id, status }) => [id, status])).toEqual([
      [808, 'active'],
      [809, 'canceled'],
    ]);
  });

  it('lead there by mention over a private button', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    await admin.mentions('#ops', 'addons remove llm web-1');
    const asked = await privateMessage(sandbox, 'admin', 'Remove llm (standard) from web-1 (101)?');
    await admin.presses(asked, 'Remove…');
    const modal = await sandbox.slack.until(() => admin.views[0]);
    await admin.submits(modal, { typed: 'llm' });
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('✅ Removed llm (standard) from web-1 (101)');
  });

  it('lead there over a picker that keeps the type and the reason', async () => {
    const sandbox = await play();
    const admin = sandbox.slack.person('admin');
    await admin.types('#ops', '/addons remove llm --because unused');
    const picker = await privateMessage(sandbox, 'admin', 'Which instance do you want to remove llm from?');
    await admin.chooses(picker, 'addons.remove', '101');
    const modal = await sandbox.slack.until(() => admin.views[0]);
    await admin.submits(modal, { typed: 'llm' });
    await sandbox.settled();
    expect(readAll(sandbox)[0]).toContain('Because: unused');
    expect(addonCalls(sandbox, 'DELETE')).toBe(1);
  });
});
