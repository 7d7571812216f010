import { createDecipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyringError, parseKeyring, SealError } from '../../src/platform/secrets/keyring.ts';
import { runs } from '../support/runs.ts';

const keyOf = (letter: string): string => Buffer.alloc(32, letter).toString('base64');
const OLD = `2025b:${keyOf('o')}`;
const NEW = `2026a:${keyOf('n')}`;
const TEAM = 'T0LANTERN01';

/** What opening throws; anything else fails the test. */
function faultOf(text: string, sealed: string, owner = TEAM): string {
  try {
    parseKeyring(text).open(sealed, owner);
  } catch (error) {
    if (error instanceof SealError) return error.code;
    throw error;
  }
  throw new Error('opened');
}

describe('what is sealed', () => {
  it('can be read again with the key and the name of the owner, whatever it says', () => {
    const keyring = parseKeyring(NEW);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, owner) => {
        expect(keyring.open(keyring.seal(text, owner), owner)).toEqual({
          text,
          isUnderFirstKey: true,
        });
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('is never the same twice, and never holds the text', () => {
    const keyring = parseKeyring(NEW);
    const sealed = Array.from({ length: 200 }, () => keyring.seal('xoxb-1234', TEAM));
    expect(new Set(sealed).size).toBe(200);
    for (const one of sealed) expect(one).not.toMatch(/xoxb|1234|eG94Yi0/);
  });

  it('is AES-256-GCM under the key that it names', () => {
    const sealed = parseKeyring(NEW).seal('xoxb-1234', TEAM);
    const [version, name, encoded = ''] = sealed.split('.');
    expect([version, name]).toEqual(['v1', '2026a']);
    const bytes = Buffer.from(encoded, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', Buffer.alloc(32, 'n'), bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from(JSON.stringify(['v1', '2026a', TEAM]))).setAuthTag(bytes.subarray(12, 28));
    expect(`${decipher.update(bytes.subarray(28), undefined, 'utf8')}${decipher.final('utf8')}`).toBe(
      'xoxb-1234',
    );
  });

  it('can not be read for another owner', () => {
    const sealed = parseKeyring(NEW).seal('xoxb-1234', TEAM);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('', 'T0LANTERN02', `${TEAM} `)), (owner) => {
        fc.pre(owner !== TEAM);
        expect(faultOf(NEW, sealed, owner)).toBe('unreadable');
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('can not be read once one character is changed, cut off or put in', () => {
    const sealed = parseKeyring(NEW).seal('xoxb-1234', TEAM);
    const anywhere = fc.nat({ max: sealed.length - 1 });
    fc.assert(
      fc.property(
        anywhere,
        fc.constantFrom('', 'A', 'b', '-', '_', '=', '.', '\n', 'é'),
        fc.nat(2),
        (at, by, cut) => {
          const other = sealed.slice(0, at) + by + sealed.slice(at + cut);
          fc.pre(other !== sealed);
          expect(faultOf(`${NEW},${OLD}`, other)).toMatch(/^(unreadable|unknown_key)$/);
        },
      ),
      { numRuns: runs(20_000) },
    );
  });

  it('can not be read with another key, also under the same name', () => {
    const sealed = parseKeyring(NEW).seal('xoxb-1234', TEAM);
    expect(faultOf(OLD, sealed)).toBe('unknown_key');
    expect(faultOf(`2026a:${keyOf('x')}`, sealed)).toBe('unreadable');
    expect(faultOf(`${OLD},2026b:${keyOf('n')}`, sealed)).toBe('unknown_key');
  });

  it('can not be read under the name of another key, even if that is the same key', () => {
    const sealed = parseKeyring(NEW).seal('xoxb-1234', TEAM);
    expect(faultOf(`2026b:${keyOf('n')}`, sealed.replace('2026a', '2026b'))).toBe('unreadable');
  });

  it.each(['', 'v1', 'v1.2026a.', 'v1.2026a.AAAA', 'v2.2026a.AAAA', 'xoxb-1234-5678', '{}'])(
    'is not what %j says',
    (text) => {
      expect(faultOf(NEW, text)).toBe('unreadable');
    },
  );

  it('is known to need its key by name, and no word says more than that', () => {
    const sealed = parseKeyring(NEW).seal('xoxb-1234', TEAM);
    expect(() => parseKeyring(OLD).open(sealed, TEAM)).toThrow('no key is named 2026a');
    expect(() => parseKeyring(NEW).open(sealed, 'T1')).toThrow(
      'changed, cut short, or sealed for somebody else',
    );
  });
});

describe('keys are changed without a stop:', () => {
  it('what was sealed under an older key is read, and known to be', () => {
    const sealed = parseKeyring(OLD).seal('xoxb-1234', TEAM);
    const both = parseKeyring(`${NEW}, ${OLD}`);
    expect(both.open(sealed, TEAM)).toEqual({ text: 'xoxb-1234', isUnderFirstKey: false });
    expect(both.seal('x', TEAM)).toMatch(/^v1\.2026a\./);
  });

  it('a process that has the new key as its second reads what others seal already', () => {
    const sealed = parseKeyring(`${NEW},${OLD}`).seal('xoxb-1234', TEAM);
    expect(parseKeyring(`${OLD},${NEW}`).open(sealed, TEAM).text).toBe('xoxb-1234');
  });
});

describe('a keyring', () => {
  it.each([
    ['', 'must be a name and 32 bytes in base64 for each key'],
    [',', 'must be a name and 32 bytes in base64 for each key'],
    [keyOf('a'), 'must be a name and 32 bytes in base64 for each key'],
    [
      `2026a:${Buffer.alloc(16, 'a').toString('base64')}`,
      'must be a name and 32 bytes in base64 for each key',
    ],
    [
      `2026a:${Buffer.alloc(33, 'a').toString('base64')}`,
      'must be a name and 32 bytes in base64 for each key',
    ],
    [`20 26:${keyOf('a')}`, 'must be a name and 32 bytes in base64 for each key'],
    [`${NEW},`, 'must be a name and 32 bytes in base64 for each key'],
    [`${NEW},2026a:${keyOf('x')}`, 'must have a different name for each key'],
    [`${NEW},2026b:${keyOf('n')}`, 'must not have the same key twice'],
  ])('of %j says what is wrong', (text, fault) => {
    expect(() => parseKeyring(text)).toThrow(fault);
  });

  it('never says a key, whatever is wrong with it', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom(NEW, OLD, keyOf('c')), fc.base64String());
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        try {
          parseKeyring(parts.join(','));
        } catch (error) {
          expect(error).toBeInstanceOf(KeyringError);
          expect((error as Error).message).toMatch(
            /^must (be a name and 32|have a different|not have the same)/,
          );
        }
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('takes base64 as URLs write it, and what openssl rand writes', () => {
    const bytes = randomBytes(32);
    for (const text of [bytes.toString('base64'), bytes.toString('base64url')])
      expect(parseKeyring(`a:${text}`).seal('x', TEAM)).toMatch(/^v1\.a\./);
  });
});
