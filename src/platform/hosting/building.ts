import { HostingError } from './hosting-error.ts';
import { atOnce, Unreadable } from './unreadable.ts';

/**
 * What an adapter builds a call of. Whatever it throws becomes a HostingError (not built, not done): nothing has left. `doing` is for
 * the log.
 */
export function building<T>(doing: string, build: () => T): T {
  try {
    return atOnce(build());
  } catch (cause) {
    const said = cause instanceof Unreadable ? { said: cause.message } : {};
    const details = { fault: 'not-built', outcome: 'not-done', retryable: false, cause } as const;
    throw new HostingError(`${doing}: building the call`, { ...details, ...said });
  }
}
