const BY_NAME_OR_ROUTE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const WHILE_CONNECTING = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** A call was given up before anything of it was sent. */
export class NotSentError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NotSentError';
  }
}

/**
 * Whether an error of an HTTP call proves that no connection was made, so that nothing can have been done.
 * The same codes from a socket in use prove nothing: a route that dies under a request ends in EHOSTUNREACH too.
 */
export function wasNeverConnected(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof NotSentError) return true;
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.every(wasNeverConnected);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (WHILE_CONNECTING.has(code)) return true;
  const syscall = 'syscall' in error ? error.syscall : undefined;
  if (BY_NAME_OR_ROUTE.has(code)) return syscall === 'connect' || syscall === 'getaddrinfo';
  return wasNeverConnected(error.cause);
}
