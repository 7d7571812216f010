import { z } from 'zod';
import { faultOfSigningKey } from '../../core/audit/head.ts';
import { channelId, isSafeUrl } from './schemas.ts';

const STDOUT = 'stdout';

/** Levels at which the log leaves out what the audit is written with. */
const TOO_QUIET: ReadonlySet<unknown> = new Set(['warn', 'error', 'fatal', 'silent']);

/** Where the audit goes besides Redis, and what says later that nobody has rewritten it. */
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
    about: 'The `Authorization` header for that URL, like `Bearer …`',
    secret: true,
    schema: z
      .string()
      .regex(/^[\x20-\x7e]{8,}$/, 'must be at least 8 printable ASCII characters')
      .optional(),
  },
  AUDIT_HEAD_CHANNEL: {
    ofAccount: true,
    about: 'Id of the channel that the head of the audit is posted to at the end of each day (UTC), signed',
    schema: channelId.optional(),
  },
  AUDIT_SIGNING_KEY: {
    about: 'Ed25519 private key in PEM, without a passphrase, which signs it',
    secret: true,
    schema: z
      .string()
      .superRefine((text, context) => {
        const message = faultOfSigningKey(text);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      })
      .optional(),
  },
} as const;

function isPlace(text: string): boolean {
  return text === STDOUT || isSafeUrl(text);
}

/** How the audit is kept. */
export interface AuditConfig {
  readonly keepMs: number;
  /** Where it goes besides Redis, and with what it is let in there. */
  readonly stream: { readonly to: string; readonly authorization: string | undefined } | undefined;
  /** Where its head goes each day, and with what it is signed. */
  readonly head: { readonly channelId: string; readonly signingKey: string } | undefined;
}

export function auditOf(env: {
  readonly LAMPLIGHTER_AUDIT_KEEP: number;
  readonly AUDIT_STREAM?: string | undefined;
  readonly AUDIT_STREAM_AUTHORIZATION?: string | undefined;
  readonly AUDIT_HEAD_CHANNEL?: string | undefined;
  readonly AUDIT_SIGNING_KEY?: string | undefined;
}): AuditConfig {
  const { LAMPLIGHTER_AUDIT_KEEP: keepMs, AUDIT_STREAM: to, AUDIT_STREAM_AUTHORIZATION: authorization } = env;
  const { AUDIT_HEAD_CHANNEL: toChannel, AUDIT_SIGNING_KEY: signingKey } = env;
  return {
    keepMs,
    stream: to === undefined ? undefined : { to, authorization },
    head:
      toChannel === undefined || signingKey === undefined ? undefined : { channelId: toChannel, signingKey },
  };
}

/** What is wrong with them beside the others. */
export function faultsOfAudit(values: Readonly<Record<string, string | undefined>>): readonly string[] {
  const isLost = values['AUDIT_STREAM'] === STDOUT && TOO_QUIET.has(values['LOG_LEVEL']);
  const isUnsigned = values['AUDIT_HEAD_CHANNEL'] !== undefined && values['AUDIT_SIGNING_KEY'] === undefined;
  return [
    ...(isLost
      ? ['LOG_LEVEL must be info or lower, since AUDIT_STREAM=stdout writes the audit into the log']
      : []),
    ...(isUnsigned ? ['AUDIT_SIGNING_KEY is missing, and AUDIT_HEAD_CHANNEL needs it'] : []),
  ];
}
