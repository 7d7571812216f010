import { z } from 'zod';
import { parseUrl } from '../../platform/http/parse-url.ts';
import { KeyringError, parseKeyring } from '../../platform/secrets/keyring.ts';
import { httpUrl, secret, words } from './schemas.ts';

const teamIds = words.pipe(
  z
    .array(
      z
        .string()
        .regex(
          /^[TE][A-Z0-9]{5,20}$/,
          'must be ids of Slack workspaces like T012ABCDEF, or of organizations like E012ABCDEF',
        ),
    )
    .min(1, 'must name a workspace'),
);
const longSecret = secret.min(16, 'is too short to be real');
const tokenKeys = z.string().superRefine((text, context) => {
  try {
    parseKeyring(text);
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
  }
});
/** A cookie that only travels encrypted, but on this machine. */
const publicUrl = httpUrl.refine((text) => {
  const url = parseUrl(text);
  const isHere = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1';
  return (
    url !== undefined &&
    (url.protocol === 'https:' || isHere) &&
    `${url.search}${url.hash}${url.username}` === ''
  );
}, 'must be an https URL without a query');

/** What is set where the bot can be installed in several workspaces. */
export const INSTALL_DECLARATIONS = {
  SLACK_TEAMS: {
    about:
      'Ids of the workspaces (`T…`) and organizations (`E…`) that may install the bot; set in place of `SLACK_BOT_TOKEN`',
    schema: teamIds.optional(),
  },
  SLACK_CLIENT_ID: {
    about: 'Client id of the app; with `SLACK_TEAMS`',
    schema: z
      .string()
      .regex(/^\d+\.\d+$/, 'must be a client id like 1234567890.1234567890')
      .optional(),
  },
  SLACK_CLIENT_SECRET: {
    about: 'Client secret of the app; with `SLACK_TEAMS`',
    secret: true,
    schema: secret.optional(),
  },
  SLACK_STATE_SECRET: {
    about: 'Any long random text, which signs installs under way; with `SLACK_TEAMS`',
    secret: true,
    schema: longSecret.optional(),
  },
  SLACK_PUBLIC_URL: {
    about: 'Where people reach the bot, like `https://lamplighter.example.com`; with `SLACK_TEAMS`',
    schema: publicUrl.optional(),
  },
  LAMPLIGHTER_TOKEN_KEYS: {
    about:
      'Keys that encrypt the tokens of workspaces, like `2026a:BASE64`, 32 bytes each; the first encrypts, all decrypt; with `SLACK_TEAMS`',
    secret: true,
    schema: tokenKeys.optional(),
  },
} as const;
