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

/** The proxy between the bot and a host let no connection through, so nothing of a call was sent. */
export class ProxyError extends NotSentError {
  /** The proxy's host and port, without the user and the password of its address. */
  readonly proxy: string;
  /** The host and port that it was to connect to. */
  readonly target: string;
  /** What it answered; undefined where no answer came, and `cause` says why. */
  readonly status: number | undefined;

  constructor(proxy: string, target: string, { status, cause }: { status?: number; cause?: unknown }) {
    super(`the proxy ${proxy} makes no connection to ${target} (${status ?? wordsOf(cause)})`, cause);
    this.name = 'ProxyError';
    this.proxy = proxy;
    this.target = target;
    this.status = status;
  }
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error && cause.message !== '' ? cause.message : 'no answer';
}

/** Why a connection did not come about, as the rest of a sentence whose beginning names the other side, and what to do. */
export interface ConnectionFault {
  readonly why: string;
  readonly todo: string;
}

const REPLACE = 'Have it renewed or replaced on the other side.';

/** What the hosting service may want of its callers; others are shown no certificate. */
export const SHOW_CERTIFICATE =
  'If it wants a client certificate, put one that it takes into HOSTING_API_CLIENT_CERT.';

/** Why, what to do, and the codes that say so. */
const KINDS: readonly (readonly [why: string, todo: string, ...codes: string[]])[] = [
  ['its certificate has expired', REPLACE, 'CERT_HAS_EXPIRED'],
  ['its certificate was revoked', REPLACE, 'CERT_REVOKED'],
  [
    "its certificate isn't valid yet",
    "Check this machine's clock, or have it replaced on the other side.",
    'CERT_NOT_YET_VALID',
  ],
  [
    'its certificate is for another name',
    'Write the name that the certificate has, or have it replaced on the other side.',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ],
  [
    "its certificate isn't trusted here",
    'If it is your own, name the certificate of its authority in NODE_EXTRA_CA_CERTS.',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ],
  ['it broke the TLS handshake off', SHOW_CERTIFICATE, 'ALERT'],
  [
    'what answers there speaks no TLS',
    'Check the port, or write http:// if it has none.',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_SSL_PACKET_LENGTH_TOO_LONG',
    'EPROTO',
  ],
  [
    'no host has that name',
    'Check how the address is spelled, and that this machine can look names up.',
    'ENOTFOUND',
    'EAI_AGAIN',
  ],
  ['nothing listens there', 'Check the address and its port, and whether it is up.', 'ECONNREFUSED'],
  ['no way leads there from here', 'Check the network of this machine.', 'EHOSTUNREACH', 'ENETUNREACH'],
  [
    'nothing answers there',
    'Check the address, and what may block the way to it.',
    'ETIMEDOUT',
    'UND_ERR_CONNECT_TIMEOUT',
  ],
  [
    'it closed the connection without an answer',
    'Check the port, and whether it wants https:// or a client certificate.',
    'ECONNRESET',
    'UND_ERR_SOCKET',
    // An answer that is no HTTP: mostly TLS to a port that speaks none, or the reverse.
    'HPE',
  ],
];
const FAULTS: ReadonlyMap<string, ConnectionFault> = new Map(
  KINDS.flatMap(([why, todo, ...codes]) => codes.map((code) => [code, { why, todo }] as const)),
);

/** Deeper than any library wraps its errors. */
const MAX_DEPTH = 6;

/** What an error of a call says of the connection, however deep it stands in it; undefined where it says nothing. Pure. */
export function connectionFaultIn(error: unknown, depth = 0): ConnectionFault | undefined {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return undefined;
  if (error instanceof ProxyError) return faultOfProxy(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // A library's own code for "it failed" has its cause inside.
  const inside = [
    error.cause,
    'original' in error ? error.original : undefined,
    ...(error instanceof AggregateError ? error.errors : []),
  ];
  for (const one of inside) {
    const found = connectionFaultIn(one, depth + 1);
    if (found) return found;
  }
  return FAULTS.get(code.replace(/^HPE_.*/, 'HPE').replace(/^ERR_SSL_.*_ALERT_.*/, 'ALERT'));
}

function faultOfProxy({ proxy, target, status, cause }: ProxyError): ConnectionFault {
  if (status === undefined) {
    const { why, todo } = connectionFaultIn(cause) ?? {
      why: 'nothing answers there',
      todo: 'Check its address and its port, and whether it is up.',
    };
    return { why: `I go through the proxy ${proxy}, and ${why}`, todo };
  }
  if (status === 407)
    return {
      why: `the proxy ${proxy} doesn't take the user and the password, or wants some`,
      todo: `Put the right ones into its address, as in http://user:password@${proxy}.`,
    };
  return {
    why: `the proxy ${proxy} makes no connection to ${target} (${status})`,
    todo:
      status < 500
        ? 'Have that address allowed at the proxy, or put its host into NO_PROXY if I can reach it directly.'
        : 'Check that the proxy can look that name up and reach it.',
  };
}
