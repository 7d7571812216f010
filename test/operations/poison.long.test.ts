import { describe, expect, it } from 'vitest';
import type { HostingService, ReadOptions } from '../../src/platform/hosting/service.ts';
import type { FaultPoints } from '../../src/core/base.ts';
import type { OperationStore } from '../../src/core/operations/operation-store.ts';
import { instead } from '../support/instead.ts';
import { answerTo, play, powerCalls, privateTexts, readAll, runToEnd } from '../support/sandbox.ts';

/** A hosting client with a bug: this method throws what nobody expects for web-1. */
const withBug =
  (method: 'powerInstance' | 'findInstance'): FaultPoints =>
  (part, target) =>
    part !== 'hosting'
      ? target
      : new Proxy(target, {
          get: (own, asked, receiver): unknown => {
            const hosting = own as unknown as HostingService; // the part of that name
            if (asked === 'listInstances' && method === 'findInstance') {
              // Looked for in the list it is not found, and then by its id.
              return async (options?: ReadOptions) => {
                const all = await hosting.listInstances(options ?? {});
                if (options?.priority !== 'poll') return all;
                return { ...all, instances: all.instances.filter(({ id }) => id !== '101') };
              };
            }
            if (asked !== method) return Reflect.get(own, asked, receiver);
            return (id: string, ...rest: never[]) => {
              if (id === '101') throw new TypeError('a bug');
              return Reflect.apply(hosting[method], hosting, [id, ...rest]);
            };
          },
        });

/** Records in which nothing is ever written down as given up, unless it is closed with that. */
const neverDeadLettered = instead('operations', 'change', (own, id, move, ...rest) => {
  const step = move as Parameters<OperationStore['change']>[1];
  return (own as OperationStore).change(
    id as string,
    (operation) => {
      const next = step(operation);
      if (next?.deadLetteredAt !== undefined && next.closedAt === undefined) throw new TypeError('a bug');
      return next;
    },
    ...(rest as [Parameters<OperationStore['change']>[2]]),
  );
});

describe('an operation that always throws', () => {
  it('before its call is dead-lettered with one message that nothing was done, and others go on', async () => {
    const sandbox = await play({ bot: false, timings: { longestBackOffMs: 40 } });
    await sandbox.startBot({}, withBug('powerInstance'));
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances restart web-1');
    await runToEnd(sandbox, 'ana', '/instances stop web-2');
    const texts = readAll(sandbox).filter((text) => text.includes('web-1'));
    expect(texts).toHaveLength(2);
    expect(texts[0]).toMatch(/^⚪ I gave up on web-1 \(101\).*nothing was done/);
    expect(texts[1]).toMatch(/^@ana I gave up on web-1/);
    expect(powerCalls(sandbox, 'restart')).toBe(0);
    expect(readAll(sandbox).some((text) => text.includes('Stopped web-2'))).toBe(true);
    expect(sandbox.logs.join('')).toContain('parking an operation');
  });

  it('while it is watched is dead-lettered as unknown, and others are watched to their end', async () => {
    const sandbox = await play({ bot: false, timings: { longestBackOffMs: 40 } });
    await sandbox.startBot({}, withBug('findInstance'));
    const ana = sandbox.slack.person('ana');
    await ana.types('#ops', '/instances restart web-1');
    await ana.types('#ops', '/instances stop web-2');
    await sandbox.slack.until(() => readAll(sandbox).some((text) => text.includes('Stopped web-2')));
    await sandbox.settled(60_000);
    const texts = readAll(sandbox).filter((text) => text.includes('web-1'));
    expect(texts).toHaveLength(2);
    expect(texts[0]).toMatch(/^❔ I gave up on web-1 \(101\).*please check it yourself/);
    expect(powerCalls(sandbox, 'restart')).toBe(1);
  });

  it('and can not even be given up is closed with an end, and its instance is free for the next', async () => {
    const sandbox = await play({ bot: false, timings: { longestBackOffMs: 20 } });
    await sandbox.startBot({}, (part, target) =>
      neverDeadLettered(part, withBug('powerInstance')(part, target)),
    );
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(sandbox.logs.join('')).toContain("closing an operation that can't even be dead-lettered");
    expect(await answerTo(sandbox, 'ana', '/instances history web-1')).toMatch(/restart.*canceled/);
    await sandbox.slack.person('ana').types('#ops', '/instances restart web-1');
    const begun = (): number => sandbox.logs.filter((line) => line.includes('operation begun')).length;
    await sandbox.slack.until(() => begun() === 2 || privateTexts(sandbox, 'ana').length > 1);
    expect(begun()).toBe(2);
  });
});
