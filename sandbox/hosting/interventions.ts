import { matches, type CallMatcher, type RecordedCall } from './calls.ts';

/** A request frozen on its way. */
export interface Hold {
  /** Resolves with the call when it has arrived at the point where it is frozen. */
  readonly arrived: Promise<RecordedCall>;
  /** Lets it go on. Before it arrived: calls the hold off. */
  release(): void;
  /** Cuts its connection. Frozen before its effect, it never has one. */
  drop(): void;
}

/** Whether a request is frozen before it changes anything, or after that and before its answer. */
export type HoldPoint = 'before' | 'after';

type Verdict = 'go on' | 'drop';

/** What tests do to requests on their way: freeze one, or make the next ones fail. */
export interface Interventions<Fault> {
  hold(matcher: CallMatcher, point: HoldPoint): Hold;
  /** Gives what ends it. */
  failNext(matcher: CallMatcher, fault: Fault, times: number): () => void;
  /** Waits if somebody holds this call at this point. */
  pass(call: RecordedCall, point: HoldPoint): Promise<Verdict>;
  takeFault(call: RecordedCall): Fault | undefined;
  /** Cuts everything that is held, so that a stopped sandbox leaves nobody waiting. */
  dropAll(): void;
}

interface Waiting {
  readonly matcher: CallMatcher;
  readonly point: HoldPoint;
  readonly arrive: (call: RecordedCall) => void;
  readonly verdict: Promise<Verdict>;
}

/** No interventions yet. */
export function createInterventions<Fault>(): Interventions<Fault> {
  const waiting: Waiting[] = [];
  const open = new Set<Hold>();
  const faults: { matcher: CallMatcher; fault: Fault; left: number }[] = [];
  return {
    hold(matcher, point) {
      const arrival = createSignal<RecordedCall>();
      const decision = createSignal<Verdict>();
      const entry = { matcher, point, arrive: arrival.resolve, verdict: decision.promise };
      const decide = (verdict: Verdict): void => {
        const index = waiting.indexOf(entry);
        if (index !== -1 && verdict === 'go on') waiting.splice(index, 1);
        open.delete(held);
        decision.resolve(verdict);
      };
      const held: Hold = {
        arrived: arrival.promise,
        release: () => decide('go on'),
        drop: () => decide('drop'),
      };
      waiting.push(entry);
      open.add(held);
      return held;
    },
    failNext(matcher, fault, times) {
      const entry = { matcher, fault, left: times };
      faults.push(entry);
      return () => {
        entry.left = 0;
      };
    },
    async pass(call, point) {
      const index = waiting.findIndex((each) => each.point === point && matches(each.matcher, call));
      if (index === -1) return 'go on';
      const [held] = waiting.splice(index, 1);
      held?.arrive(call);
      return held?.verdict ?? 'go on';
    },
    takeFault(call) {
      const found = faults.find((each) => each.left > 0 && matches(each.matcher, call));
      if (found === undefined) return undefined;
      found.left -= 1;
      return found.fault;
    },
    dropAll() {
      for (const held of open) held.drop();
      waiting.length = 0;
    },
  };
}

// Promise.withResolvers is younger than Node 20.
function createSignal<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
