import { expect, it } from 'vitest';
import { createAdmit } from '../../src/core/intake/admit.ts';
import { createCommandListener } from '../../src/core/intake/command.ts';
import { say } from '../../src/platform/slack/phrase.ts';

const MAX_BYTES = 500;
const SHORT = { lines: [say`Boats`] };
const LONG = { lines: [say`${'本番'.repeat(MAX_BYTES)}`] };

/** What becomes of an answer to a command whose acknowledgement may take MAX_BYTES. */
async function answered(
  said: typeof SHORT,
  isDelivered = true,
): Promise<{
  readonly acknowledged: readonly unknown[];
  readonly toldFirst: number;
  readonly maxAckBytes: unknown;
}> {
  const acknowledged: unknown[] = [];
  let toldFirst = 0;
  let maxAckBytes: unknown;
  const deps = {
    routes: { matchCommand: () => ({ route: { id: 'boats.show' }, words: [] }) },
    admit: async (_ask: object, _route: object, options: { readonly maxAckBytes?: number }) => {
      maxAckBytes = options.maxAckBytes;
      return said;
    },
    tellFirst: async () => {
      toldFirst += 1;
      return isDelivered;
    },
    commandPrefix: '',
    apiUrl: 'https://slack.com/api/',
  };
  await createCommandListener(deps as never /* nothing is dropped, so nothing is counted */)(
    {
      body: { command: '/boats', text: '', user_id: 'U1', channel_id: 'C1' },
      context: { incomingId: 'e', arrivedAt: 1, isReplayable: false, maxAckBytes: MAX_BYTES },
      ack: async (body?: unknown) => void acknowledged.push(body),
    } as never /* as Bolt gives it */,
  ).catch((error: Error) => acknowledged.push(error.name));
  return { acknowledged, toldFirst, maxAckBytes };
}

it('an answer that fits is the acknowledgement, and who makes it knows how long that may be', async () => {
  expect(await answered(SHORT)).toEqual({
    acknowledged: [expect.objectContaining({ text: 'Boats' })],
    toldFirst: 0,
    maxAckBytes: MAX_BYTES,
  });
});

it('an answer that would close the socket comes by another way, before an empty acknowledgement', async () => {
  expect(await answered(LONG)).toMatchObject({ acknowledged: [undefined], toldFirst: 1 });
});

it('a command whose long answer comes no other way is not acknowledged, so that Slack says that it failed', async () => {
  expect(await answered(LONG, false)).toMatchObject({
    acknowledged: ['NeitherTakenNorAnswered'],
    toldFirst: 1,
  });
});

it.each([
  ['is the acknowledgement where that may be as long', MAX_BYTES, SHORT, 0],
  ['comes by itself where the acknowledgement may not be as long', MAX_BYTES - 1, undefined, 1],
])('an answer that is ready at once %s', async (_how, maxAckBytes, said, times) => {
  let told = 0;
  const deps = {
    answer: {
      decide: async () => ({ reply: SHORT }),
      fitsAcknowledgement: (_reply: object, maxBytes: number) => maxBytes >= MAX_BYTES,
      tell: async () => {
        told += 1;
        return 'delivered';
      },
    },
    intake: { acceptRead: async () => 'accepted', answered: async () => true },
    inFlight: { run: (work: () => unknown) => work() },
    rateLimit: { check: async () => undefined },
    metrics: { slackRequest: () => undefined },
    traces: { add: () => undefined },
    clock: { now: () => 1 },
    timings: { writeDownWithinMs: 60_000 },
  };
  const ask = { id: 'a', route: 'boats.show', words: [], actor: { userId: 'U1' }, askedAt: Date.now() };
  const admit = createAdmit(deps as never); // nothing is late, written down or recorded
  const given = await admit(ask as never, { id: 'boats.show' } as never, { ackSays: 'answers', maxAckBytes });
  expect(given).toBe(said);
  expect(told).toBe(times);
});
