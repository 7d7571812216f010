import { basename } from 'node:path';
import { z } from 'zod';
import { faultOfSigningKey } from '../../core/audit/chain.ts';
import { ROLES } from '../../core/policy/permissions.ts';
import { type KnownVerbs, type PolicyFile, readPolicyFile } from '../../core/policy/policy-file.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time/duration.ts';
import { isSafeUrl } from './addresses.ts';
import { channelId, duration, without, words, wordsLike, yesNo } from './schemas.ts';
import { textAt } from './values.ts';
import type { VariableTree } from './variable.ts';

/** What the policy file fixes, and its name for sentences: without its folders, which are nobody's business. */
export interface NamedPolicy extends PolicyFile {
  readonly name: string;
  /** What is wrong with it where only these verbs change something, each with its line. */
  faultsAt(known: KnownVerbs): readonly string[];
}

/** The path of a policy file, made into what stands there. Each fault names the file and the line. */
const policyAt = z.string().transform((path, context): NamedPolicy => {
  const text = textAt(path);
  const fault = (message: string): void => context.addIssue({ code: 'custom', message });
  if (typeof text !== 'string') {
    fault(`can't be read${text.place}: ${text.why}`);
    return z.NEVER;
  }
  const name = basename(path);
  const faultsAt = (known?: KnownVerbs): readonly string[] => {
    const read = readPolicyFile(text, known);
    if ('file' in read) return [];
    return read.faults.map(
      ({ line, what }) => `has a fault in ${name}, line ${line}: ${what.replace(/\.$/, '')}`,
    );
  };
  const read = readPolicyFile(text);
  if ('file' in read) return { name, ...read.file, faultsAt };
  for (const said of faultsAt()) fault(said);
  return z.NEVER;
});

const LIVE = { ofAccount: true, isLive: true } as const;

/** Where the audit goes that is written into the log. */
export const STDOUT = 'stdout';

/** Who may do what, and how what they did is kept. */
export const ACCESS = {
  admins: {
    name: 'LAMPLIGHTER_ADMINS',
    ...LIVE,
    about: 'Slack user ids of the admins, separated by commas; they have every right',
    schema: wordsLike(/^[UW][A-Za-z0-9_]{1,63}$/, 'must be Slack user ids like U012ABCDEF').default([]),
  },
  everyone: {
    name: 'LAMPLIGHTER_EVERYONE',
    ...LIVE,
    about: `Role of every full member: ${ROLES.map((role) => `\`${role}\``).join(', ')} or \`none\``,
    default: 'none',
    schema: z.enum([...ROLES, 'none']),
  },
  /** Whether agents may ask. */
  hasAgents: {
    name: 'LAMPLIGHTER_AGENTS',
    about:
      'Whether agents may ask at `/mcp`, in the name of people and with their rights: `yes` or `no`. They read and propose, and change nothing',
    default: 'no',
    schema: yesNo,
  },
  protectedInstances: {
    name: 'LAMPLIGHTER_PROTECTED',
    ...LIVE,
    isGuard: true,
    about:
      "Instances that can't be deleted through the bot and ask before a stop or restart: names like `prod-*`, ids, or `label:env=prod`",
    schema: words.default([]),
  },
  approved: {
    name: 'LAMPLIGHTER_APPROVE',
    ...LIVE,
    isGuard: true,
    about:
      'Instances that change only once a second person approves: names like `prod-*`, ids, or `label:env=prod`',
    schema: words.default([]),
  },
  /** What the policy file fixes, and the file's name. */
  policy: {
    name: 'LAMPLIGHTER_POLICY',
    ...LIVE,
    isFile: true,
    isGuard: true,
    about:
      'Path of a policy file in YAML; what it says wins over the variables and over Slack. It also has the holidays that schedules leave out',
    schema: policyAt.optional(),
  },
  timings: {
    cancelWindowMs: {
      name: 'LAMPLIGHTER_CANCEL_WINDOW',
      ofAccount: true,
      about: 'How long a deletion can be canceled: `90s`, `2m`; at least `10s`, at most `1h`',
      default: '2m',
      schema: duration(10_000, '10s', HOUR_MS, '1h'),
    },
  },
  audit: {
    keepMs: {
      name: 'LAMPLIGHTER_AUDIT_KEEP',
      ofAccount: true,
      about: 'How long the audit is kept: `90d`, `400d`; at least `30d`, at most `3650d`',
      default: '400d',
      schema: duration(30 * DAY_MS, '30d', 3_650 * DAY_MS, '3650d', ['d']),
    },
    stream: {
      to: {
        name: 'AUDIT_STREAM',
        about:
          'Where each entry of the audit goes as well: `stdout`, or an https URL that takes lines of JSON by POST',
        schema: z
          .string()
          .refine(
            (text) => text === STDOUT || isSafeUrl(text),
            'must be stdout or an https URL without a user and a password; http only for this machine',
          )
          .optional(),
      },
      authorization: {
        name: 'AUDIT_STREAM_AUTHORIZATION',
        about: 'The `Authorization` header for that URL, like `Bearer …`',
        secret: true,
        schema: z
          .string()
          .regex(/^[\x20-\x7e]{8,}$/, 'must be at least 8 printable ASCII characters')
          .optional(),
      },
    },
    head: {
      channelId: {
        name: 'AUDIT_HEAD_CHANNEL',
        ofAccount: true,
        about:
          'Id of the channel that the head of the audit is posted to at the end of each day (UTC), signed',
        needs: ['AUDIT_SIGNING_KEY'],
        schema: channelId.optional(),
      },
      signingKey: {
        name: 'AUDIT_SIGNING_KEY',
        about: 'Ed25519 private key in PEM, without a passphrase, which signs it',
        secret: true,
        schema: without(faultOfSigningKey).optional(),
      },
    },
  },
} as const satisfies VariableTree;
