import { createPrivateKey, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import type { ClientCertificate } from '../../platform/http/way-out.ts';

/** A text in PEM that `read` takes, and what is wrong with any other. */
function pem(read: (text: string) => unknown, message: string): z.ZodType<string | undefined> {
  return z
    .string()
    .refine((text) => {
      try {
        read(text);
        return true;
      } catch {
        return false;
      }
    }, message)
    .optional();
}

const cert = pem((text) => new X509Certificate(text), 'must be a certificate in PEM');
const key = pem(createPrivateKey, 'must be a private key in PEM, without a passphrase');
const KEY_ABOUT = 'Its private key in PEM, without a passphrase';

/** With what the bot shows the hosting service who it is, where that asks for it. */
export const CLIENT_DECLARATIONS = {
  HOSTING_API_CLIENT_CERT: {
    ofAccount: true,
    about: 'Certificate in PEM that the bot shows the hosting API, with those between it and its authority',
    secret: true,
    schema: cert,
  },
  HOSTING_API_CLIENT_KEY: { ofAccount: true, about: KEY_ABOUT, secret: true, schema: key },
} as const;

/** The same for Redis and its Sentinels. */
export const REDIS_CLIENT_DECLARATIONS = {
  REDIS_CLIENT_CERT: {
    about: 'Certificate in PEM that the bot shows Redis and its Sentinels, where they ask for one',
    secret: true,
    schema: cert,
  },
  REDIS_CLIENT_KEY: { about: KEY_ABOUT, secret: true, schema: key },
} as const;

const CLIENTS = ['HOSTING_API_CLIENT', 'REDIS_CLIENT'] as const;
type Client = (typeof CLIENTS)[number];

/** What is wrong with a certificate and its key beside each other. Pure; names variables and never their values. */
export function faultsOfClients(values: Readonly<Record<string, string | undefined>>): readonly string[] {
  return CLIENTS.flatMap((client) => {
    const [CERT, KEY] = [`${client}_CERT`, `${client}_KEY`];
    const [certText, keyText] = [values[CERT], values[KEY]];
    if (certText !== undefined && keyText !== undefined)
      return isOfAnother(certText, keyText) ? [`${KEY} is not the key of ${CERT}`] : [];
    if (certText === keyText) return [];
    const [set, missing] = certText === undefined ? [KEY, CERT] : [CERT, KEY];
    return [`${missing} is missing, and ${set} needs it`];
  });
}

/** Whether a certificate and a key can both be read and don't belong together. */
function isOfAnother(certText: string, keyText: string): boolean {
  try {
    return !new X509Certificate(certText).checkPrivateKey(createPrivateKey(keyText));
  } catch {
    return false;
  }
}

/** The certificate with its key; undefined where neither is set. */
export function clientCertificateOf(
  env: { readonly [Name in `${Client}_${'CERT' | 'KEY'}`]?: string | undefined },
  client: Client,
): ClientCertificate | undefined {
  const { [`${client}_CERT` as const]: certText, [`${client}_KEY` as const]: keyText } = env;
  return certText === undefined || keyText === undefined ? undefined : { cert: certText, key: keyText };
}
