import { expect, it } from 'vitest';
import type { Ask } from '../../src/core/ask/ask.ts';
import { beginApproved } from '../../src/core/changes/approve-change.ts';
import type { Operation } from '../../src/core/operations/operation.ts';
import { allowing } from '../support/allowing.ts';

const ASKED_AT = 1_000;
const HALF_AN_HOUR_MS = 30 * 60_000;
const place = { channelId: 'C1' };
const instance = { id: '1', name: 'web-1', status: 'running', createdAt: 'x' };
const words = { verb: 'restart', doing: 'Restarting' };

/** What begins where somebody's change, asked for with or without an address for private answers, is approved. */
async function approved(responseUrl: string | undefined, at: number): Promise<Operation> {
  let begun: Operation | undefined;
  const deps = {
    hosting: { findInstance: async () => instance },
    operations: {
      findHolder: async () => undefined,
      find: async () => undefined,
      begin: async (operation: Operation) => {
        begun = operation;
        return { result: 'begun' };
      },
    },
    clock: { now: () => at },
    access: allowing(),
    waysBack: {},
  };
  const declared = { id: 'instances.restart', verb: 'restart', words, args: { parse: () => ({}) } };
  const approval = {
    what: [],
    id: 'p',
    instance,
    actor: { userId: 'U1' },
    args: {},
    place,
    responseUrl,
    askedAt: ASKED_AT,
  };
  const press: Ask = {
    id: 'a'.repeat(22),
    route: 'approval.approve',
    words: [],
    actor: { userId: 'U2' },
    place,
    responseUrl: 'of the approver',
    replaces: false,
    askedAt: at,
  };
  await beginApproved(declared as never, deps as never, press, approval as never, () => undefined);
  return begun!;
}

it.each([
  ['who asked for it', 'of the asker', HALF_AN_HOUR_MS - 1, 'of the asker'],
  ['nobody, where who asked has no such address', undefined, 1, undefined],
  ['nobody, where Slack takes nothing there any more', 'of the asker', HALF_AN_HOUR_MS, undefined],
])('what is said alone of an approved change goes to %s', async (_whom, responseUrl, afterMs, wanted) => {
  const operation = await approved(responseUrl, ASKED_AT + afterMs);
  expect(operation.actor.userId).toBe('U1');
  expect(operation.responseUrl).toBe(wanted);
});
