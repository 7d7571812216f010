import { NotReplicated } from './survive.ts';

export const REPLICA = 'this Redis is a replica, which takes no writes: REDIS_URL must name the primary';

/** What Redis says of a state that ends by itself, or once somebody gives it room. */
const PASSING_REPLIES = new Set([
  'LOADING',
  'BUSY',
  'OOM',
  'MISCONF',
  'NOREPLICAS',
  'TRYAGAIN',
  'CLUSTERDOWN',
  'MOVED',
  'ASK',
]);
const WRONG_CONNECTIONS =
  /^(EACCES|ENOTSOCK|EPROTO|ERR_TLS_.*|ERR_SSL_.*|CERT_.*|DEPTH_ZERO_.*|SELF_SIGNED_.*|UNABLE_TO_.*)$/;

/** What the other side says over TLS of a client without a certificate, or with one that it doesn't take. */
const WANTS_CERTIFICATE =
  /\balert (?:certificate required|unknown ca|bad certificate|certificate (?:unknown|expired|revoked)|unsupported certificate|access denied|decrypt error)\b/;

/** How the library calls an answer in no form that Redis speaks. */
const NOT_REDIS = /RESP type/;

/** A script meets a missing permission in other words than a command. */
const NOT_ALLOWED =
  /^(Ready check failed: )?NOPERM|ACL failure in script|user executing the script can't run/;

/** The first word of what Redis itself said; undefined for what the connection said. */
function replyCodeOf({ message }: Error): string | undefined {
  return /^(?:Ready check failed: )?([A-Z]{2,})\b/.exec(message)?.[1];
}

/**
 * Whether Redis is only down: not there, not reachable, its name not known yet, or not done with starting. False for
 * what waiting does not mend: a refused password, a missing permission, a replica, a bad certificate, not a Redis. Pure.
 */
export function isRedisDown(error: Error): boolean {
  const code = replyCodeOf(error);
  if (code !== undefined) return PASSING_REPLIES.has(code) || /max number of clients/.test(error.message);
  if (NOT_REDIS.test(error.message)) return false;
  return !('code' in error && typeof error.code === 'string' && WRONG_CONNECTIONS.test(error.code));
}

/** Whether something that answers said so, and not the connection, for want of an answer. Pure. */
export function isFromRedis(error: Error): boolean {
  return error instanceof NotReplicated || NOT_REDIS.test(error.message) || replyCodeOf(error) !== undefined;
}

/** Why the Redis at `redisUrl` can't be used, in a sentence that says what to do. Pure. */
export function redisNo(error: Error, redisUrl = ''): string {
  if (error instanceof NotReplicated)
    return `${error.message}: see that its replicas run, or allow it with LAMPLIGHTER_ALLOW=lone-redis`;
  if (WANTS_CERTIFICATE.test(error.message))
    return 'Redis takes nobody without a client certificate that it knows: put one into REDIS_CLIENT_CERT, and its key into REDIS_CLIENT_KEY';
  if (NOT_REDIS.test(error.message))
    return 'what answers at REDIS_URL is not a Redis, or speaks TLS: then it begins with rediss://';
  const [, unknown] = /unknown command '?(\w+)/i.exec(error.message) ?? [];
  if (unknown !== undefined)
    return `Redis does not know ${unknown.toUpperCase()}, which the bot needs: it may have been renamed there`;
  if (NOT_ALLOWED.test(error.message))
    return `the user in REDIS_URL lacks a permission that the bot can't do without: ${error.message}`;
  switch (replyCodeOf(error)) {
    case 'NOAUTH':
      return 'Redis wants a password: put it into REDIS_URL';
    case 'DENIED':
      return 'Redis is in protected mode, in which it takes nobody from another machine: give it a password (requirepass), and put it into REDIS_URL';
    case 'WRONGPASS':
      return 'Redis refuses the password in REDIS_URL';
    case 'READONLY':
      return REPLICA;
    case 'LOADING':
      return 'Redis is still reading its data';
    case 'OOM':
      return 'Redis takes no writes: its memory is full (maxmemory)';
    case 'MISCONF':
      return 'Redis takes no writes: it could not save its data to its disk';
    case 'NOREPLICAS':
      return 'Redis takes no writes: too few of its replicas are in step (min-replicas-to-write)';
    case 'BUSY':
      return 'Redis is busy with a script that does not end';
    default:
      if ('code' in error && (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN'))
        return `no host has the name in REDIS_URL: ${error.message}`;
      // A port that speaks no TLS waits for more of what it takes for a command.
      if (/ETIMEDOUT/.test(error.message) && redisUrl.startsWith('rediss:'))
        return `reaching Redis at REDIS_URL: ${error.message}. Does that port speak TLS? Without it REDIS_URL begins with redis://`;
      // What a server says of a certificate that is missing is often lost, since it closes the connection right after.
      if (/ECONNRESET|EPIPE/.test(error.message) && /^(?:redis|valkey)s[:+]/.test(redisUrl))
        return `reaching Redis at REDIS_URL: ${error.message}. If it asks for a client certificate, put one that it knows into REDIS_CLIENT_CERT`;
      if (/ECONNRESET|EPIPE/.test(error.message))
        return `reaching Redis at REDIS_URL: ${error.message}. It may be in protected mode, in which it takes nobody from another machine without a password`;
      return `reaching Redis at REDIS_URL: ${error.message}`;
  }
}
