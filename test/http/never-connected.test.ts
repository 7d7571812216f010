import { expect, test } from 'vitest';
import { wasNeverConnected } from '../../src/platform/http/connection-fault.ts';

const coded = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code, ...more });

test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])(
  '%s while connecting or looking the name up proves that nothing was done, and from a connection in use it does not',
  (code) => {
    expect(wasNeverConnected(coded(code, { syscall: 'connect' }))).toBe(true);
    expect(wasNeverConnected(coded(code, { syscall: 'getaddrinfo' }))).toBe(true);
    for (const syscall of ['read', 'write', undefined])
      expect(wasNeverConnected(coded(code, { syscall }))).toBe(false);
  },
);

test.each([
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('%s only happens before anything is sent, so nothing was done', (code) => {
  expect(wasNeverConnected(coded(code))).toBe(true);
});

test.each([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_ABORTED',
  'ERR_TLS_HANDSHAKE_TIMEOUT',
])('%s leaves it open whether it was done', (code) => {
  expect(wasNeverConnected(coded(code, { syscall: 'connect' }))).toBe(false);
});

test('of several addresses that were tried, every one must have failed to connect', () => {
  const refused = coded('ECONNREFUSED', { syscall: 'connect' });
  expect(wasNeverConnected(new AggregateError([refused, refused]))).toBe(true);
  expect(wasNeverConnected(new AggregateError([refused, coded('ECONNRESET')]))).toBe(false);
  expect(wasNeverConnected(new AggregateError([]))).toBe(false);
});

test('the error below the one that is thrown counts, and what is no error proves nothing', () => {
  const below = coded('ENOTFOUND', { syscall: 'getaddrinfo' });
  expect(wasNeverConnected(new TypeError('fetch failed', { cause: below }))).toBe(true);
  expect(wasNeverConnected(new TypeError('fetch failed'))).toBe(false);
  expect(wasNeverConnected('ECONNREFUSED')).toBe(false);
  expect(wasNeverConnected({ code: 'ECONNREFUSED', syscall: 'connect' })).toBe(false);
});
