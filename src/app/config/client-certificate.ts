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

/** With what the bot shows the hosting service who it is, where that asks for it. */
export const CLIENT_DECLARATIONS = {
  HOSTING_API_CLIENT_CERT: {
    ofAccount: true,
    about: 'Certificate in PEM that the bot shows the hosting API, with those between it and its authority',
    secret: true,
    schema: pem((text) => new X509Certificate(text), 'must be a certificate in PEM'),
  },
  HOSTING_API_CLIENT_KEY: {
    ofAccount: true,
    about: 'Its private key in PEM, without a passphrase',
    secret: true,
    schema: pem(createPrivateKey, 'must be a private key in PEM, without a passphrase'),
  },
} as const;

const [CERT, KEY] = ['HOSTING_API_CLIENT_CERT', 'HOSTING_API_CLIENT_KEY'] as const;

/** What is wrong with the two beside each other. Pure; names variables and never their values. */
export function faultsOfClient(values: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { [CERT]: cert, [KEY]: key } = values;
  if ((cert === undefined) !== (key === undefined)) {
    const [set, missing] = cert === undefined ? [KEY, CERT] : [CERT, KEY];
    return [`${missing} is missing, and ${set} needs it`];
  }
  return cert !== undefined && key !== undefined && isOfAnother(cert, key)
    ? [`${KEY} is not the key of ${CERT}`]
    : [];
}

/** Whether a certificate and a key can both be read and don't belong together. */
function isOfAnother(cert: string, key: string): boolean {
  try {
    return !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

export function clientCertificateOf(env: {
  readonly HOSTING_API_CLIENT_CERT?: string | undefined;
  readonly HOSTING_API_CLIENT_KEY?: string | undefined;
}): ClientCertificate | undefined {
  const { [CERT]: cert, [KEY]: key } = env;
  return cert === undefined || key === undefined ? undefined : { cert, key };
}
