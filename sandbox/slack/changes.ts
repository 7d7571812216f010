/** Says that something in the workspace changed, and lets a test wait for a state without polling. */
export interface Changes {
  /** Something changed: everybody who waits looks again. */
  tell(): void;
  /** Calls `look` after each change until the returned function is called. */
  watch(look: () => void): () => void;
  /** Resolves with the first truthy value of `look`; rejects at `timeoutMs`, with `describe()` as the reason. */
  until<T>(look: Look<T>, options: WaitOptions): Promise<Truthy<T>>;
  /** Rejects everybody who still waits. */
  close(): void;
}

/** What looks, and knows at once: a promise is always truthy, so that waiting for one is over before anything was seen. */
export type Look<T> = (() => T) & (T extends PromiseLike<unknown> ? never : unknown);

/** What is left of a type when it is known to be true. */
export type Truthy<T> = Exclude<T, false | null | undefined | 0 | ''>;

interface WaitOptions {
  readonly timeoutMs: number;
  readonly describe: () => string;
}

/** Builds the change bell of one workspace. */
export function createChanges(): Changes {
  const watchers = new Set<() => void>();
  const waiting = new Set<(reason: Error) => void>();
  return {
    tell() {
      for (const look of watchers) look();
    },
    watch(look) {
      watchers.add(look);
      return () => void watchers.delete(look);
    },
    until(look, { timeoutMs, describe }) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          settle();
          reject(new Error(`not seen in ${timeoutMs} ms\n${describe()}`));
        }, timeoutMs);
        const settle = (): void => {
          clearTimeout(timer);
          watchers.delete(check);
          waiting.delete(refuse);
        };
        const refuse = (reason: Error): void => {
          settle();
          reject(reason);
        };
        const check = (): void => {
          try {
            const seen = look();
            if (!isTruthy(seen)) return;
            settle();
            resolve(seen);
          } catch (error) {
            refuse(error instanceof Error ? error : new Error(String(error)));
          }
        };
        watchers.add(check);
        waiting.add(refuse);
        check();
      });
    },
    close() {
      for (const refuse of waiting) refuse(new Error('the Slack double was stopped'));
    },
  };
}

function isTruthy<T>(value: T): value is Truthy<T> {
  return Boolean(value);
}
