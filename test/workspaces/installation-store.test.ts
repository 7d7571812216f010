import { describe, expect, it } from 'vitest';
import { type Installation, workspaceKeys } from '../../src/core/workspaces/installation.ts';
import { installs, LANTERN, NEW_KEY, OLD_KEY, openScene, QUARRY, STRANGERS } from './scene.ts';

const AT: Omit<Installation, 'teamId'> = {
  botId: 'B1',
  botUserId: 'U1',
  scopes: ['chat:write'],
  token: 'xoxb-canary-token',
  installedBy: 'U2',
  installedAt: 1,
};

describe('an installation', () => {
  it('is found again by its workspace, listed, changed and removed, by every process', async () => {
    const scene = await openScene();
    const [one, other] = [await scene.process(), await scene.process()];
    await one.store.store({ ...AT, teamId: LANTERN.id });
    await one.store.store({ ...AT, teamId: QUARRY.id, token: 'xoxb-other' });
    expect(await other.store.find(LANTERN.id)).toEqual({ ...AT, teamId: LANTERN.id });
    expect(await other.store.list()).toEqual([LANTERN.id, QUARRY.id]);
    await other.store.change(QUARRY.id, (found) => ({ ...found, token: 'xoxb-next' }));
    expect(await one.store.find(QUARRY.id)).toMatchObject({ token: 'xoxb-next' });
    expect(await one.store.remove(QUARRY.id)).toBe(true);
    expect(await one.store.remove(QUARRY.id)).toBe(false);
    expect(await other.store.find(QUARRY.id)).toBeUndefined();
    expect(await other.store.list()).toEqual([LANTERN.id]);
  });

  it('loses no change of forty that come at once from two processes', async () => {
    const scene = await openScene();
    const processes = [await scene.process(), await scene.process()];
    await processes[0]?.store.store({ ...AT, teamId: LANTERN.id, installedAt: 0 });
    const changes = processes.flatMap(({ store }) =>
      Array.from({ length: 20 }, () =>
        store.change(LANTERN.id, (found) => ({ ...found, installedAt: found.installedAt + 1 })),
      ),
    );
    await Promise.all(changes);
    expect((await processes[1]?.store.find(LANTERN.id))?.installedAt).toBe(40);
  });

  it('that was removed meanwhile does not come back by a change', async () => {
    const scene = await openScene();
    const { store, redis } = await scene.process();
    await store.store({ ...AT, teamId: LANTERN.id });
    let isFirst = true;
    const change = store.change(LANTERN.id, (found) => {
      // Sent before the change is: Redis does one after another.
      if (isFirst) redis.hdel(workspaceKeys.installations, LANTERN.id).catch(() => undefined);
      isFirst = false;
      return { ...found, token: 'xoxb-back-again' };
    });
    expect(await change).toBeUndefined();
    expect(await store.list()).toEqual([]);
  });
});

describe('a workspace that is not on the list', () => {
  it('can not be stored', async () => {
    const scene = await openScene();
    const { store, redis } = await scene.process();
    await expect(store.store({ ...AT, teamId: STRANGERS.id })).rejects.toThrow('not on the list');
    expect(await redis.dbsize()).toBe(0);
  });

  it('any more counts as not installed, and its installation can still be erased', async () => {
    const scene = await openScene();
    await installs(scene, await scene.process(), QUARRY.id);
    const { store, tokens } = await scene.process({ allowed: [LANTERN.id] });
    expect(await store.find(QUARRY.id)).toBeUndefined();
    expect(await store.list()).toEqual([]);
    expect(await store.change(QUARRY.id, (found) => found)).toBeUndefined();
    await expect(tokens.of(QUARRY.id)).rejects.toThrow('account_inactive');
    expect(await store.remove(QUARRY.id)).toBe(true);
  });
});

describe('the text of an installation in Redis', () => {
  it('is no use in the place of another workspace', async () => {
    const scene = await openScene();
    const { store, redis } = await scene.process();
    await store.store({ ...AT, teamId: LANTERN.id });
    const sealed = (await redis.hget(workspaceKeys.installations, LANTERN.id)) ?? '';
    await redis.hset(workspaceKeys.installations, QUARRY.id, sealed);
    await expect(store.find(QUARRY.id)).rejects.toThrow('sealed for somebody else');
    await expect(store.change(QUARRY.id, (found) => found)).rejects.toThrow('sealed for somebody else');
  });

  it('is encrypted again under the newest key once it is read, and the old key can go then', async () => {
    const scene = await openScene();
    await (await scene.process({ keys: OLD_KEY })).store.store({ ...AT, teamId: LANTERN.id });
    const later = await scene.process({ keys: NEW_KEY });
    await expect(later.store.find(LANTERN.id)).rejects.toThrow('no key is named 2025b');
    const between = await scene.process({ keys: `${NEW_KEY},${OLD_KEY}` });
    expect(await between.store.find(LANTERN.id)).toEqual({ ...AT, teamId: LANTERN.id });
    expect(await later.store.find(LANTERN.id)).toEqual({ ...AT, teamId: LANTERN.id });
  });

  it('stays as it is for a process whose newest key it is under', async () => {
    const scene = await openScene();
    const { store, redis } = await scene.process();
    await store.store({ ...AT, teamId: LANTERN.id });
    const before = await redis.hget(workspaceKeys.installations, LANTERN.id);
    await store.find(LANTERN.id);
    expect(await redis.hget(workspaceKeys.installations, LANTERN.id)).toBe(before);
  });

  it('that can not be decrypted is said by workspace, and never by what it holds', async () => {
    const scene = await openScene();
    await (await scene.process({ keys: OLD_KEY })).store.store({ ...AT, teamId: LANTERN.id });
    const { tokens, lines } = await scene.process();
    await expect(tokens.of(LANTERN.id)).rejects.toThrow('no key is named 2025b');
    expect([...tokens.faults()]).toEqual([[LANTERN.id, 'unknown_key']]);
    expect(lines.join('')).not.toContain('canary');
  });
});
