import { createPrivateKey, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { accountsAt } from './accounts-file.ts';
import { faultOfInstanceLink } from './addresses.ts';
import { baseUrl, headerText, pem, wholeUrl, without } from './schemas.ts';
import type { VariableTree } from './variable.ts';

/** The service that is meant where none is named: the one that has no address of its own. */
export const DEFAULT_SERVICE = 'instance-hosting';

/** A shorter part of a key is a word like others. */
const SHORTEST_PART = 12;

/** A certificate, and the private key that belongs to it. */
export const certificate = pem(
  (text) => new X509Certificate(text),
  'must be a certificate in PEM',
).optional();
export const privateKey = pem(
  createPrivateKey,
  'must be a private key in PEM, without a passphrase',
).optional();

/** The hosting service, or several accounts of such. */
export const HOSTING = {
  hosting: {
    service: {
      name: 'HOSTING_SERVICE',
      ofAccount: true,
      about:
        'Which service it is: `instance-hosting`, `digitalocean`, `ec2`, `hetzner`, `lightsail`, `ovhcloud`, `scaleway`, `upcloud`, `vultr`, or the path or the npm package of an adapter of your own',
      default: DEFAULT_SERVICE,
      schema: z
        .string()
        .regex(
          /^(?:[a-z][a-z0-9-]{0,40}|\.{0,2}\/[^\0\r\n]{1,400}|(?:@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]{0,100})$/,
          'must be the name of a service like hetzner, the path of an adapter like ./my-cloud.js, or the name of its package',
        ),
    },
    url: {
      name: 'HOSTING_API_URL',
      ofAccount: true,
      about:
        "Address of the hosting API, with or without its prefix like `/api/v1`; the clouds' own by default",
      required: 'default service',
      schema: baseUrl.optional(),
    },
    token: {
      name: 'HOSTING_API_TOKEN',
      ofAccount: true,
      about: 'API key of the hosting service; left out with `HOSTING_ACCOUNTS`',
      required: 'always',
      secret: true,
      // A key may be several in one, as `ID:SECRET`.
      hidden: (text) => [text, ...text.split(':').filter((part) => part.length >= SHORTEST_PART)],
      schema: headerText,
    },
    loginUrl: {
      name: 'HOSTING_LOGIN_URL',
      ofAccount: true,
      about:
        'Address at which the key is exchanged for a token, where the service wants that; its own by default',
      schema: wholeUrl.optional(),
    },
    clientCertificate: {
      cert: {
        name: 'HOSTING_API_CLIENT_CERT',
        ofAccount: true,
        about:
          'Certificate in PEM that the bot shows the hosting API, with those between it and its authority',
        secret: true,
        needs: ['HOSTING_API_CLIENT_KEY'],
        schema: certificate,
      },
      key: {
        name: 'HOSTING_API_CLIENT_KEY',
        ofAccount: true,
        about: 'Its private key in PEM, without a passphrase',
        secret: true,
        needs: ['HOSTING_API_CLIENT_CERT'],
        schema: privateKey,
      },
    },
  },
  accountsFile: {
    name: 'HOSTING_ACCOUNTS',
    isLive: true,
    isFile: true,
    about: 'Path of a file with several accounts, in YAML or JSON, each with its service and key',
    schema: accountsAt.optional(),
  },
  links: {
    instanceUrl: {
      name: 'INSTANCE_URL',
      ofAccount: true,
      about:
        "Page of an instance in the hosting service's console, which buttons open, like `https://console.example.com/servers/{id}`",
      schema: without(faultOfInstanceLink).optional(),
    },
  },
} as const satisfies VariableTree;
