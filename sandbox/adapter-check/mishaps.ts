import type { Dispatcher } from 'undici';
import { direct, type WayOut } from '../../src/platform/http/way-out.ts';

/** How the next matching call goes wrong: nothing of it is sent, or everything but its answer comes to pass. */
type Mishap = 'too many' | 'answer lost';

/** Calls whose path ends so, with any method where none is said. */
interface Which {
  readonly method?: string;
  readonly pathEnd: string;
}

/** The way to a service on which one call at a time can go wrong. Each call leaves as it is, so that its signature holds. */
interface Mishaps {
  readonly wayOut: WayOut;
  next(mishap: Mishap, which: Which): void;
  countSent(which: Which): number;
}

export function createMishaps(): Mishaps {
  const sent: Call[] = [];
  let waiting: { readonly mishap: Mishap; readonly which: Which } | undefined;
  const take = (call: Call): Mishap | undefined => {
    if (!waiting || !isOf(waiting.which, call)) return undefined;
    const { mishap } = waiting;
    waiting = undefined;
    return mishap;
  };
  const interceptor: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
    const mishap = take(options);
    if (mishap === 'too many') return refuse(handler);
    sent.push(options);
    return dispatch(options, mishap === undefined ? handler : losing(handler));
  };
  return {
    wayOut: { ...direct, open: (options) => direct.open(options).compose(interceptor) },
    next: (mishap, which) => {
      waiting = { mishap, which };
    },
    countSent: (which) => sent.filter((call) => isOf(which, call)).length,
  };
}

type Call = Pick<Dispatcher.DispatchOptions, 'method' | 'path'>;

function isOf({ method, pathEnd }: Which, call: Call): boolean {
  const [path = ''] = call.path.split('?', 1);
  return (method ?? call.method) === call.method && path.endsWith(pathEnd);
}

/** What stands in for the control of a connection that nobody made. */
const NO_CONNECTION: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};

function refuse(handler: Dispatcher.DispatchHandler): true {
  const headers = { 'content-type': 'application/json', 'retry-after': '1' };
  handler.onRequestStart?.(NO_CONNECTION, {});
  handler.onResponseStart?.(NO_CONNECTION, 429, headers, 'Too Many Requests');
  handler.onResponseData?.(NO_CONNECTION, Buffer.from('{}'));
  handler.onResponseEnd?.(NO_CONNECTION, {});
  return true;
}

/** Hears the answer, and tells of a connection that was cut. */
function losing(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart: () => undefined,
    onResponseData: () => undefined,
    onResponseEnd: (controller) => handler.onResponseError?.(controller, new Error('the connection was cut')),
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  };
}
