import { expect, it } from 'vitest';
import { asked, type ComposeNode, createComposeNodes } from '../support/compose-nodes.ts';
import { until } from '../support/until.ts';

const KEY = 'written';
/** Longer than Sentinel waits for a primary before it has another take over. */
const LATE_MS = 6_000;
const ROUNDS = 2;

/** The Redis of compose.sentinel.yaml, with what a bot that waits for one replica has written there last. */
function createWriter() {
  const { redis, sentinels } = createComposeNodes();
  let last = 0;
  /** Whom a Sentinel names. */
  const namedBy = async (sentinel: ComposeNode): Promise<ComposeNode | undefined> => {
    const at = await asked(sentinel, (one) => one.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'lamplighter'));
    return redis.find(({ host }) => Array.isArray(at) && at[0] === host);
  };
  const holds = (node: ComposeNode): Promise<number | undefined> =>
    asked(node, async (one) => Number(await one.get(KEY)));
  const isTaken = async (node: ComposeNode): Promise<boolean> => {
    const replicas = await asked(node, async (one) => {
      await one.set(KEY, last);
      return one.wait(1, 500);
    });
    return (replicas ?? 0) >= 1;
  };
  return {
    redis,
    sentinels,
    namedBy,
    /** Starts all at once, but for the one that is late. */
    startAll: async (late?: ComposeNode) => {
      const start = async (node: ComposeNode): Promise<void> => {
        if (node === late) await new Promise((done) => setTimeout(done, LATE_MS));
        await node.start();
      };
      await Promise.all([...redis, ...sentinels].map(start));
    },
    /** Writes the next number down with whoever all Sentinels call the primary, once one replica has it. Gives who that is. */
    write: async (): Promise<ComposeNode> => {
      last += 1;
      let primary: ComposeNode | undefined;
      await until(async () => {
        const named = await Promise.all(sentinels.map(namedBy));
        primary = named[0];
        return primary !== undefined && named.every((one) => one === primary) && (await isTaken(primary));
      });
      if (!primary) throw new Error('no primary');
      return primary;
    },
    /** Resolves once each Redis holds what was written last. */
    holdLast: () => until(async () => (await Promise.all(redis.map(holds))).every((one) => one === last)),
    holds,
    last: () => last,
  };
}

it('what was written last is there after two kills and a start of all, also where the primary comes late', async () => {
  const { redis, sentinels, ...writer } = createWriter();
  await writer.startAll();
  for (let round = 1; round <= ROUNDS; round += 1) {
    // One comes back alone, and follows who took over.
    const first = await writer.write();
    await first.end('SIGKILL');
    expect(await writer.write()).not.toBe(first);
    await first.start();
    await writer.holdLast();

    const old = await writer.write();
    await old.end('SIGKILL');
    const primary = await writer.write();
    expect(primary).not.toBe(old);

    // A Sentinel that comes back alone knows who took over.
    const [sentinel] = sentinels;
    await sentinel?.end('SIGTERM');
    await sentinel?.start();
    expect(sentinel && (await writer.namedBy(sentinel))).toBe(primary);

    for (const node of [...sentinels, ...redis]) await node.end('SIGTERM');
    await writer.startAll(round % 2 === 0 ? primary : undefined);
    const named = await Promise.all(sentinels.map(writer.namedBy));
    expect(named).toEqual([primary, primary, primary]);
    expect(await writer.holds(primary)).toBe(writer.last());
    await writer.holdLast();
  }
});
