import { pino } from 'pino';
import { BoundedMap } from '../bounded-map.ts';

/** Whatever was thrown, as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

const HIDDEN = '[hidden]';

/** What secrets of Slack, of hosting services and of agents look like, wherever they come from. */
const SHAPES =
  /\bxox[a-z]-[A-Za-z0-9-]{8,}|\bxapp-[A-Za-z0-9-]{8,}|\boc_live_[A-Za-z0-9_-]{4,}|\bdo[por]_v1_[A-Za-z0-9]{4,}|\bucat_[A-Za-z0-9]{4,}|\blamplighter_T[A-Z0-9]{2,63}\.[a-z0-9-]{0,20}\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{4,}|(?<=Bearer )[^\s"\\]+/g;

/** A text without anything that looks like a secret. Pure. */
export function withoutSecrets(text: string): string {
  return text.replace(SHAPES, HIDDEN);
}

/**
 * Takes known secrets, in plain and as JSON and URLs write them, and anything of their shape out of a line.
 */
export function createRedactor(secrets: readonly string[]): (line: string) => string {
  const forms = secrets
    .flatMap((secret) => {
      const once = JSON.stringify(secret).slice(1, -1);
      const form = new URLSearchParams({ '': secret }).toString().slice(1);
      return [secret, once, JSON.stringify(once).slice(1, -1), encodeURIComponent(secret), form];
    })
    .filter((form) => form.length >= 4);
  const known = [...new Set(forms)].toSorted((one, other) => other.length - one.length);
  return (line) => {
    let clean = line;
    for (const secret of known) clean = clean.replaceAll(secret, HIDDEN);
    return withoutSecrets(clean);
  };
}

/** Where the bot's log goes. Every line passes the redactor as a whole. */
export interface Log {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
  /** An error that may come thousands of times a second: one line for each text in ten seconds, with a count. */
  limited(about: string, error: Error): void;
}

const LIMIT_MS = 10_000;
const MAX_TEXTS = 200;

/** JSON lines. `secrets` are values that must never stand in them. */
export function createLog(
  level: string,
  secrets: readonly string[],
  output: { write(line: string): unknown } = process.stdout,
): Log {
  const redact = createRedactor(secrets);
  const sink = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: (error: unknown) => describeError(error, redact) },
    },
    { write: (line: string) => output.write(redact(line)) },
  );
  const counts = new BoundedMap<string, { count: number; until: number }>(MAX_TEXTS);
  return {
    debug: (fields, text) => sink.debug(fields, text),
    info: (fields, text) => sink.info(fields, text),
    warn: (fields, text) => sink.warn(fields, text),
    error: (fields, text) => sink.error(fields, text),
    limited: (about, error) => {
      const text = redact(`${about}: ${error.message}`).slice(0, 300);
      const now = performance.now();
      const seen = counts.get(text);
      if (seen && now < seen.until) {
        seen.count += 1;
        return;
      }
      counts.set(text, { count: 0, until: now + LIMIT_MS });
      sink.warn({ about, before: seen?.count ?? 0 }, text);
    },
  };
}

/** A log each of whose lines says which account it is about. */
export function logOf(account: string, log: Log): Log {
  return {
    debug: (fields, text) => log.debug({ account, ...fields }, text),
    info: (fields, text) => log.info({ account, ...fields }, text),
    warn: (fields, text) => log.warn({ account, ...fields }, text),
    error: (fields, text) => log.error({ account, ...fields }, text),
    limited: (about, error) => log.limited(`${account}: ${about}`, error),
  };
}

const MAX_ERROR = 1_000;

/** Name, words and stack of an error, without whatever else a library hung on it: requests, headers, tokens. */
function describeError(error: unknown, redact: (text: string) => string): object {
  // Redacted before it is cut: half a secret is not recognized any more.
  const short = (text: string, longest = MAX_ERROR): string => redact(text).slice(0, longest);
  if (!(error instanceof Error)) return { message: short(JSON.stringify(error) ?? typeof error) };
  return {
    name: error.name,
    message: short(error.message),
    stack: short(error.stack ?? '', 3 * MAX_ERROR),
    // What a service answered to us: without it nobody finds out why.
    ...('said' in error && typeof error.said === 'string' ? { said: short(error.said) } : {}),
    ...(error.cause instanceof Error ? { cause: short(error.cause.message) } : {}),
  };
}
