import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A server's key and certificate, as PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

interface Wish {
  /** The IPv4 addresses and names that it is for, separated by commas. */
  readonly host: string;
  /** Unix ms; from yesterday until tomorrow where left out. */
  readonly from?: number;
  readonly until?: number;
}

const DAY_MS = 86_400_000;

/** One value of DER: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const bytes = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const TRUE = der(0x01, Buffer.from([0xff]));
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const BASIC_CONSTRAINTS = oid('551d13');
const SUBJECT_ALT_NAME = oid('551d11');

function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));
}

function timeOf(at: number): Buffer {
  return der(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replaceAll(/[-T:]/g, '')}Z`));
}

function altName(host: string): Buffer {
  return /^[\d.]+$/.test(host)
    ? der(0x87, Buffer.from(host.split('.').map(Number)))
    : der(0x82, Buffer.from(host));
}

/** A certificate for `key`'s holder, signed by the issuer. Written out by hand, so that no tool is needed. */
function certify(
  subject: { name: string; key: KeyObject },
  issuer: { name: string; key: KeyObject },
  { host, from = Date.now() - DAY_MS, until = Date.now() + DAY_MS }: Partial<Wish>,
): string {
  const hosts = host?.split(',').map(altName);
  const extension = hosts
    ? sequence(SUBJECT_ALT_NAME, der(0x04, sequence(...hosts)))
    : sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE)));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1 + Math.floor(Math.random() * 126)])),
    ECDSA_WITH_SHA256,
    nameOf(issuer.name),
    sequence(timeOf(from), timeOf(until)),
    nameOf(subject.name),
    subject.key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const bits = (content: Buffer): Buffer => der(0x03, Buffer.from([0]), content);
  const whole = sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, issuer.key)));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

const keyPair = (): { publicKey: KeyObject; privateKey: KeyObject } =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** A certificate that only its holder vouches for. */
export function selfSigned(host: string): Certificate {
  const { publicKey, privateKey } = keyPair();
  const cert = certify({ name: host, key: publicKey }, { name: host, key: privateKey }, { host });
  return { key: pem(privateKey), cert };
}

/** An authority of our own: a client that trusts `cert` trusts what it issues. */
export function createAuthority(): { cert: string; issue(wish: Wish): Certificate } {
  const authority = keyPair();
  const issuer = { name: 'Lantern Test Authority', key: authority.privateKey };
  return {
    cert: certify({ name: issuer.name, key: authority.publicKey }, issuer, {}),
    issue: (wish) => {
      const { publicKey, privateKey } = keyPair();
      return { key: pem(privateKey), cert: certify({ name: wish.host, key: publicKey }, issuer, wish) };
    },
  };
}
