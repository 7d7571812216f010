import { HostingError } from '../../src/platform/hosting/hosting-error.ts';

/** What one check showed. */
export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'doubt' | 'fault' | 'not tried';
  readonly said: string;
}

/** What a call gives, or its fault. Throws whatever else went wrong. */
export async function attempt<T>(call: () => Promise<T>): Promise<{ value: T } | { fault: HostingError }> {
  try {
    return { value: await call() };
  } catch (error) {
    if (error instanceof HostingError) return { fault: error };
    throw error;
  }
}

/** A fault as a line says it. */
export function wordsOf({ message, fault: kind, said }: HostingError): string {
  return `${message} (${kind})${said === undefined ? '' : `: ${said}`}`;
}

export const ok = (check: string, said: string): Finding => ({ check, level: 'ok', said });
export const doubt = (check: string, said: string): Finding => ({ check, level: 'doubt', said });
export const fault = (check: string, said: string): Finding => ({ check, level: 'fault', said });
export const notTried = (check: string, said: string): Finding => ({ check, level: 'not tried', said });

/** Of what an adapter offers, and nobody has shown an answer. */
export const unshown = (check: string): Finding => notTried(check, `there is no example of ${check}`);

const FEW = 3;

/** The first of some names. */
export function few(all: readonly string[]): string {
  const more = all.length > FEW ? ` and ${all.length - FEW} more` : '';
  return `${all.slice(0, FEW).join(', ')}${more}`;
}
