import { z } from 'zod';
import { parseUrl } from '../../platform/http/parse-url.ts';

const STDOUT = 'stdout';

/** Levels at which the log leaves out what the audit is written with. */
const TOO_QUIET: ReadonlySet<unknown> = new Set(['warn', 'error', 'fatal', 'silent']);

/** Where the audit goes besides Redis. */
export const AUDIT_DECLARATIONS = {
  AUDIT_STREAM: {
    about:
      'Where each entry of the audit goes as well: `stdout`, or an https URL that takes lines of JSON by POST',
    schema: z
      .string()
      .refine(
        isPlace,
        'must be stdout or an https URL without a user and a password; http only for this machine',
      )
      .optional(),
  },
  AUDIT_STREAM_AUTHORIZATION: {
    isLive: true,
    about: 'The `Authorization` header for that URL, like `Bearer …`',
    secret: true,
    schema: z
      .string()
      .regex(/^[\x20-\x7e]{8,}$/, 'must be at least 8 printable ASCII characters')
      .optional(),
  },
} as const;

const HERE = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function isPlace(text: string): boolean {
  if (text === STDOUT) return true;
  const url = parseUrl(text);
  if (!url || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && HERE.test(url.hostname));
}

/** How the audit is kept. */
export interface AuditConfig {
  readonly keepMs: number;
  /** Where it goes besides Redis, and with what it is let in there. */
  readonly stream: { readonly to: string; readonly authorization: string | undefined } | undefined;
}

export function auditOf(env: {
  readonly LAMPLIGHTER_AUDIT_KEEP: number;
  readonly AUDIT_STREAM?: string | undefined;
  readonly AUDIT_STREAM_AUTHORIZATION?: string | undefined;
}): AuditConfig {
  const { LAMPLIGHTER_AUDIT_KEEP: keepMs, AUDIT_STREAM: to, AUDIT_STREAM_AUTHORIZATION: authorization } = env;
  return { keepMs, stream: to === undefined ? undefined : { to, authorization } };
}

/** What is wrong with them beside the others. */
export function faultsOfAudit(values: Readonly<Record<string, string | undefined>>): readonly string[] {
  return values['AUDIT_STREAM'] === STDOUT && TOO_QUIET.has(values['LOG_LEVEL'])
    ? ['LOG_LEVEL must be info or lower, since AUDIT_STREAM=stdout writes the audit into the log']
    : [];
}
