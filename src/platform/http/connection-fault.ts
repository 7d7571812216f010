/** Why a connection did not come about, as the rest of a sentence whose beginning names the other side, and what to do. */
export interface ConnectionFault {
  readonly why: string;
  readonly todo: string;
}

const CERTIFICATE = 'Have it renewed or replaced on the other side.';
const NO_TRUST = {
  why: "its certificate isn't trusted here",
  todo: 'If it is your own, name the certificate of its authority in NODE_EXTRA_CA_CERTS.',
};
const NO_TLS = {
  why: 'what answers there speaks no TLS',
  todo: 'Check the port, or write http:// if it has none.',
};
const NO_ANSWER = {
  why: 'nothing answers there',
  todo: 'Check the address, and what may block the way to it.',
};
const NO_NAME = {
  why: 'no host has that name',
  todo: 'Check how the address is spelled, and that this machine can look names up.',
};
const NO_ROUTE = { why: 'no way leads there from here', todo: 'Check the network of this machine.' };
const CLOSED = {
  why: 'it closed the connection without an answer',
  todo: 'Check the port, and whether the address should begin with https://.',
};

const FAULTS: Readonly<Record<string, ConnectionFault>> = {
  CERT_HAS_EXPIRED: { why: 'its certificate has expired', todo: CERTIFICATE },
  CERT_NOT_YET_VALID: {
    why: "its certificate isn't valid yet",
    todo: "Check this machine's clock, or have it replaced on the other side.",
  },
  CERT_REVOKED: { why: 'its certificate was revoked', todo: CERTIFICATE },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    why: 'its certificate is for another name',
    todo: 'Write the name that the certificate has, or have it replaced on the other side.',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: NO_TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: NO_TRUST,
  UNABLE_TO_GET_ISSUER_CERT: NO_TRUST,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NO_TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NO_TRUST,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: NO_TLS,
  ENOTFOUND: NO_NAME,
  EAI_AGAIN: NO_NAME,
  ECONNREFUSED: {
    why: 'nothing listens there',
    todo: 'Check the address and its port, and whether it is up.',
  },
  EHOSTUNREACH: NO_ROUTE,
  ENETUNREACH: NO_ROUTE,
  ETIMEDOUT: NO_ANSWER,
  UND_ERR_CONNECT_TIMEOUT: NO_ANSWER,
  ECONNRESET: CLOSED,
  UND_ERR_SOCKET: CLOSED,
};

/** Deeper than any library wraps its errors. */
const MAX_DEPTH = 6;

/** What an error of a call says of the connection, however deep it stands in it; undefined where it says nothing. Pure. */
export function connectionFaultIn(error: unknown, depth = 0): ConnectionFault | undefined {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return undefined;
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
  // An answer that is no HTTP: mostly TLS to a port that speaks none, or the reverse.
  if (code.startsWith('HPE_')) return CLOSED;
  return Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined;
}
