import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import type { Answer } from '../../src/platform/hosting/answer.ts';
import { createHostingClient } from '../../src/platform/hosting/client.ts';
import { errorOfAnswer } from '../../src/platform/hosting/errors.ts';
import { HostingError } from '../../src/platform/hosting/hosting-error.ts';
import type { Requester } from '../../src/platform/hosting/request.ts';
import type { HostingService } from '../../src/platform/hosting/service.ts';

/** A call as an adapter asks for it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** What a client hands over of a read or a write: a read says no method. */
type Sent = Partial<Pick<Parameters<Requester['write']>[0], 'method'>> & Parameters<Requester['read']>[0];

/** A client whose every request gets the next of these answers. */
export function clientOf(adapter: Adapter, answers: readonly (Partial<Answer> & { body?: unknown })[]) {
  const asked: Asked[] = [];
  const given = [...answers];
  const answer = async ({ doing, method = 'GET', path, body }: Sent): Promise<Answer> => {
    asked.push({ method, path, ...(body === undefined ? {} : { body }) });
    const next = { status: 200, headers: {}, body: undefined, ...given.shift() };
    if (next.status >= 300) throw errorOfAnswer(doing, next, 0, adapter);
    return next;
  };
  const requester: Requester = { read: answer, write: answer, close: async () => undefined };
  const hosting: HostingService = createHostingClient(adapter, adapter.origin ?? '', requester);
  return { hosting, asked };
}

/** The HostingError that a call ends in; anything else fails the test. */
export const faultOf = async (call: Promise<unknown>): Promise<HostingError> => {
  const error: unknown = await call.catch((thrown: unknown) => thrown);
  if (error instanceof HostingError) return error;
  throw new Error(`not a HostingError: ${String(error)}`, { cause: error });
};
