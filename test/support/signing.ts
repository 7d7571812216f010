import { generateKeyPairSync, type KeyObject } from 'node:crypto';

/** Two Ed25519 keys that belong together, in PEM. */
export function signingKeys(): { readonly signingKey: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pemOf = (key: KeyObject, type: 'pkcs8' | 'spki'): string =>
    String(key.export({ format: 'pem', type }));
  return { signingKey: pemOf(privateKey, 'pkcs8'), publicKey: pemOf(publicKey, 'spki') };
}
