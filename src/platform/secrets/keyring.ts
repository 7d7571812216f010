import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts texts for storage. Several keys, so that one can be put in place of another while the bot runs. */
export interface Keyring {
  /** Encrypts a text under the first key. Only who names the same owner can open it again. */
  seal(text: string, owner: string): string;
  /**
   * The text of what was sealed for this owner, and whether it was sealed under the first key. Throws SealError for a
   * key that isn't there, a text that was changed or cut, and another owner.
   */
  open(sealed: string, owner: string): { readonly text: string; readonly isUnderFirstKey: boolean };
}

/** A sealed text can't be opened. Its words name the key at most, and never hold what was sealed. */
export class SealError extends Error {
  readonly code: 'unknown_key' | 'unreadable';

  constructor(code: 'unknown_key' | 'unreadable', message: string) {
    super(message);
    this.name = 'SealError';
    this.code = code;
  }
}

/** A text that holds no usable keys. Its words never hold a key. */
export class KeyringError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeyringError';
  }
}

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';
const KEY = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43})=?$/;
const SEALED = /^v1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)$/;

/**
 * A keyring from `NAME:BASE64` pairs of 32 bytes, separated by commas. The first key encrypts, and all of them decrypt.
 * Throws KeyringError, which says what is wrong in words that follow the variable's name.
 */
export function parseKeyring(text: string): Keyring {
  const keys = new Map<string, Buffer>();
  const known = new Set<string>();
  for (const part of text.split(',').map((one) => one.trim())) {
    const [, name = '', encoded = ''] = KEY.exec(part) ?? [];
    const key = Buffer.from(encoded, 'base64');
    if (name === '' || key.length !== KEY_BYTES)
      throw new KeyringError('must be a name and 32 bytes in base64 for each key, as in 2026a:BASE64');
    if (keys.has(name)) throw new KeyringError('must have a different name for each key');
    if (known.has(key.toString('hex'))) throw new KeyringError('must not have the same key twice');
    keys.set(name, key);
    known.add(key.toString('hex'));
  }
  return createKeyring(keys);
}

function createKeyring(keys: ReadonlyMap<string, Buffer>): Keyring {
  const [first] = keys;
  if (!first) throw new KeyringError('must have a key');
  const [firstName, firstKey] = first;
  return {
    seal: (text, owner) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, firstKey, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(bindingOf(firstName, owner));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const bytes = Buffer.concat([iv, cipher.getAuthTag(), body]);
      return [VERSION, firstName, bytes.toString('base64url')].join('.');
    },
    open: (sealed, owner) => {
      const [, name = '', encoded = ''] = SEALED.exec(sealed) ?? [];
      const bytes = Buffer.from(encoded, 'base64url');
      // Node reads base64 that was never written so: one text only may stand for the bytes.
      if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== encoded) throw unreadable();
      const key = keys.get(name);
      if (!key) throw new SealError('unknown_key', `no key is named ${name}`);
      return { text: decrypt(key, bytes, bindingOf(name, owner)), isUnderFirstKey: name === firstName };
    },
  };
}

/** What a sealed text is bound to beside its key, in a form that no two pairs share. */
function bindingOf(name: string, owner: string): Buffer {
  return Buffer.from(JSON.stringify([VERSION, name, owner]));
}

function decrypt(key: Buffer, bytes: Buffer, binding: Buffer): string {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(binding);
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const body = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  } catch {
    throw unreadable();
  }
}

function unreadable(): SealError {
  return new SealError('unreadable', 'changed, cut short, or sealed for somebody else');
}
