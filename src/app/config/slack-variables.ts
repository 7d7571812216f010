import { z } from 'zod';
import { KeyringError, parseKeyring } from '../../platform/secrets/keyring.ts';
import { faultOfPublicUrl } from './addresses.ts';
import { baseUrl, secret, without, wordsLike } from './schemas.ts';
import type { VariableTree } from './variable.ts';

/** A token that lives for twelve hours, or what renews it. */
const ENDS = /^xoxe[.-]/;

function faultOfTokenKeys(text: string): string | undefined {
  try {
    parseKeyring(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    return error.message;
  }
}

/** Slack, and what is set where the bot can be installed in several workspaces. */
export const SLACK = {
  slack: {
    botToken: {
      name: 'SLACK_BOT_TOKEN',
      about: 'Bot token (`xoxb-…`) of the one workspace that the bot works in',
      required: 'one workspace',
      secret: true,
      schema: secret
        .refine(
          (text) => !ENDS.test(text),
          "ends after 12 hours (xoxe), and I can't renew it: use an app without token rotation, or install me over SLACK_TEAMS, which renews tokens",
        )
        // Where there are several workspaces, each has its own.
        .default(''),
    },
    signingSecret: {
      name: 'SLACK_SIGNING_SECRET',
      about: 'Signing secret; not needed in Socket Mode or by a worker',
      required: 'over HTTP',
      secret: true,
      schema: secret.optional(),
    },
    appToken: {
      name: 'SLACK_APP_TOKEN',
      about: 'App token (`xapp-…`), which turns Socket Mode on; without it, Slack calls over HTTP',
      secret: true,
      schema: secret.optional(),
    },
    install: {
      teams: {
        name: 'SLACK_TEAMS',
        about:
          'Ids of the workspaces (`T…`) and organizations (`E…`) that may install the bot; set in place of `SLACK_BOT_TOKEN`',
        needs: ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_PUBLIC_URL', 'LAMPLIGHTER_TOKEN_KEYS'],
        schema: wordsLike(
          /^[TE][A-Z0-9]{5,20}$/,
          'must be ids of Slack workspaces like T012ABCDEF, or of organizations like E012ABCDEF',
        )
          .refine((ids) => ids.length > 0, 'must name a workspace')
          .optional(),
      },
      clientId: {
        name: 'SLACK_CLIENT_ID',
        about: 'Client id of the app; with `SLACK_TEAMS`',
        schema: z
          .string()
          .regex(/^\d+\.\d+$/, 'must be a client id like 1234567890.1234567890')
          .optional(),
      },
      clientSecret: {
        name: 'SLACK_CLIENT_SECRET',
        about: 'Client secret of the app; with `SLACK_TEAMS`',
        secret: true,
        schema: secret.optional(),
      },
      publicUrl: {
        name: 'SLACK_PUBLIC_URL',
        about: 'Where people reach the bot, like `https://lamplighter.example.com`; with `SLACK_TEAMS`',
        schema: without(faultOfPublicUrl).optional(),
      },
      tokenKeys: {
        name: 'LAMPLIGHTER_TOKEN_KEYS',
        about:
          'Keys that encrypt the tokens of workspaces, like `2026a:BASE64`, 32 bytes each; the first encrypts, all decrypt; with `SLACK_TEAMS`',
        secret: true,
        // Each key by itself as well, so that none of them gets into the log.
        hidden: (text) => [text, ...text.split(',').flatMap((part) => part.trim().split(':').slice(1))],
        schema: without(faultOfTokenKeys).optional(),
      },
    },
    apiUrl: {
      name: 'SLACK_API_URL',
      about: 'Where the Slack Web API is',
      default: 'https://slack.com/api/',
      schema: baseUrl.transform((url) => (url.endsWith('/') ? url : `${url}/`)),
    },
    commandPrefix: {
      name: 'SLACK_COMMAND_PREFIX',
      about: 'Put before every command: `staging-` makes `/staging-instances`',
      schema: z
        .string()
        .regex(/^[a-z0-9_-]{0,20}$/, 'may hold up to 20 of a-z, 0-9, _ and -')
        .default(''),
    },
  },
} as const satisfies VariableTree;
