import { describe, expect, it } from 'vitest';
import { type FaultedKind, KINDS } from '../../faults/kinds.ts';
import type { HostingService, WriteOptions } from '../../src/platform/hosting/service.ts';
import { REQUEST_JOB } from '../../src/core/intake/request-job.ts';
import type { WorkQueue } from '../../src/platform/queue/queue.ts';
import { instead } from '../support/instead.ts';
import { inject, type InjectionOptions } from '../support/inject.ts';

const restart = KINDS.find(({ kind }) => kind === 'instances.restart')!;

const forgetsRequests = instead('queue', 'wakeNew', async (own, name, id) => {
  if (name !== REQUEST_JOB) await (own as WorkQueue).wakeNew(name as string, id as string);
});
const writesDownAfterwards = instead('hosting', 'powerInstance', async (own, id, power, options) => {
  const { beforeSend, ...rest } = options as WriteOptions;
  const answer = await (own as HostingService).powerInstance(id as string, power as 'restart', rest);
  await beforeSend?.({ method: 'POST' });
  return answer;
});
const looksNothingUp = instead('messenger', 'findOnPage', () =>
  Promise.resolve({ found: [], next: undefined }),
);

type Guard = Required<Pick<InjectionOptions, 'at' | 'without'>> & {
  readonly guard: string;
  /** What goes wrong when it is taken out. */
  readonly fault: RegExp;
  readonly kind?: FaultedKind;
};

const GUARDS: readonly Guard[] = [
  {
    guard: 'writing a call down before it leaves',
    at: { point: 'hosting.powerInstance 1', inject: 'crash' },
    without: { faultPoints: writesDownAfterwards },
    fault: /sent twice/,
  },
  {
    guard: 'looking a post up before it is repeated',
    at: { point: 'messenger.post 1', inject: 'crash' },
    without: { faultPoints: looksNothingUp },
    fault: /doubled/,
  },
];

describe.each(GUARDS)('$guard', ({ at, without, fault }) => {
  it('keeps the promise', async () => {
    expect(await inject({ kind: restart, at })).toMatchObject({ isInjected: true, faults: [] });
  });

  it('is missed where it is taken out', async () => {
    const { isInjected, faults } = await inject({ kind: restart, at, without });
    expect(isInjected).toBe(true);
    expect(faults.join('\n')).toMatch(fault);
  });
});

describe('the sweep', () => {
  it('brings an acknowledged request to its end that the queue forgot', async () => {
    expect((await inject({ kind: restart, without: { faultPoints: forgetsRequests } })).faults).toEqual([]);
  });

  it('is missed where it is taken out', async () => {
    const without = { faultPoints: forgetsRequests, timings: { sweepEveryMs: 3_600_000 } };
    const { faults } = await inject({ kind: restart, without });
    expect(faults.join('\n')).toMatch(/never heard of again/);
  });
});

describe('the deadline of a post', () => {
  const at = { point: 'operations.change 1', inject: 'pause' } as const;

  it('keeps a card from being posted by one that slept while another posted it', async () => {
    expect(await inject({ kind: restart, at })).toMatchObject({ isInjected: true, posts: 2, faults: [] });
  });

  it('is missed where it is taken out, though the second card is taken away again', async () => {
    const without = { timings: { sendWithinMs: 3_600_000 } };
    expect(await inject({ kind: restart, at, without })).toMatchObject({ isInjected: true, posts: 3 });
  });
});

describe('the deadline of a call', () => {
  // The two changes before it are the card's.
  const at = { point: 'operations.change 3', inject: 'pause' } as const;

  it('keeps a restart from leaving after its asker has read that nobody knows', async () => {
    expect(await inject({ kind: restart, at })).toMatchObject({ isInjected: true, calls: 0, faults: [] });
  });

  it('is missed where it is taken out', async () => {
    const without = { timings: { sendWithinMs: 3_600_000 } };
    expect(await inject({ kind: restart, at, without })).toMatchObject({ isInjected: true, calls: 1 });
  });
});
