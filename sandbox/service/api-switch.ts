/** How the API of a hosting service answers: as it should, each call late, not at all, or as if the key were wrong. */
export const API_STATES = ['answers', 'slow', 'down', 'refuses'] as const;
export type ApiState = (typeof API_STATES)[number];

/** How late each answer of an API that is slow comes. */
export const SLOW_API_MS = 5_000;

/** Turns a service's API into one of its states, and back. */
export interface ApiSwitch {
  readonly state: ApiState;
  /** Resolves when it is so. */
  set(state: ApiState): Promise<void>;
}

/** `stop` and `start` take the service away and bring it back; `spoil` makes every call go wrong, and gives what ends that. */
export function createApiSwitch({
  start,
  stop,
  spoil,
}: {
  readonly start: () => Promise<unknown>;
  readonly stop: () => Promise<void>;
  readonly spoil: (how: 'slow' | 'refuses') => () => void;
}): ApiSwitch {
  let state: ApiState = 'answers';
  let mend = async (): Promise<unknown> => undefined;
  let last = Promise.resolve();
  const turn = async (next: ApiState): Promise<void> => {
    await mend();
    mend = async () => undefined;
    state = next;
    if (next === 'answers') return;
    if (next === 'down') {
      await stop();
      mend = start;
      return;
    }
    const end = spoil(next);
    mend = async () => end();
  };
  return {
    get state() {
      return state;
    },
    // One after the other: two windows may press at once.
    async set(next) {
      const before = last;
      last = (async () => {
        await Promise.allSettled([before]);
        await turn(next);
      })();
      await last;
    },
  };
}
