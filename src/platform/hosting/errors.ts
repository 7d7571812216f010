import { z } from 'zod';
import type { Answer } from './answer.ts';
import { HostingError, type HostingFault } from './hosting-error.ts';
import { wasNeverConnected } from '../http/connection-fault.ts';
import { isLimitTold, parseRetryAfter, parseRetryAfterHeader } from './retry-after.ts';

const MAX_SAID = 300;
/** So much of a page is looked at for its title. */
const MAX_PAGE = 4_000;

/**
 * An HTTP answer that is no success. `doing` is what was being done, for the log; `service`: how its adapter reads errors. It
 * is a refusal, which did nothing, where its status is one of those and it is an error in the service's own form; else
 * nobody knows what came of a write.
 */
export function errorOfAnswer(
  doing: string,
  answer: Answer,
  now: number,
  service: ErrorReading = {},
): HostingError {
  const { status, body, headers } = answer;
  const own = unlessThrown(() => isOwnError(body, service), false);
  const fault = isLimitTold(answer) ? 'rate-limited' : faultOfStatus(status, body, own);
  // Of a limit the adapter has no say: whatever its body is about, it is the limit.
  const isForTheAdapter = own && fault !== 'rate-limited';
  const named = isForTheAdapter ? unlessThrown(() => service.faultOf?.(answer), undefined) : undefined;
  const meant = named !== undefined && (REFUSALS.has(status) || isLimit(named, status)) ? named : fault;
  // Whoever says 429, a gateway in front of the service as well, has let nothing through.
  const isOpen = OPEN.includes(meant) || (fault === 'rate-limited' && status !== 429 && !own);
  const isPassing = meant === 'unavailable' && (status === 408 || status >= 500);
  const retryAfterMs =
    meant === 'rate-limited' ? parseRetryAfter(headers, now) : parseRetryAfterHeader(headers, now);
  return new HostingError(doing, {
    status,
    said: whatItSaid(body, service),
    fault: meant,
    outcome: isOpen ? 'unknown' : 'not-done',
    retryable: RETRYABLE.includes(meant) || isPassing,
    retryAfterMs,
  });
}

/** Some services say with 503 that they were asked too often, and have done nothing then. */
function isLimit(fault: HostingFault, status: number): boolean {
  return fault === 'rate-limited' && status === 503;
}

/** Whether a body is an error as the service itself writes it. Throws what the adapter throws. */
export function isOwnError(body: unknown, { isError = isAnyError }: ErrorReading): boolean {
  return isError(body);
}

/** What an adapter reads of an error; `otherwise` where it can't. */
function unlessThrown<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** How an adapter reads the errors of its service. */
export interface ErrorReading {
  /** What an error means, where its status alone says too little. */
  readonly faultOf?: ((answer: Answer) => HostingFault | undefined) | undefined;
  /** Whether a body is an error as the service itself writes it. */
  readonly isError?: ((body: unknown) => boolean) | undefined;
  /** Where the sentence of an error stands, if in a place of the service's own. */
  readonly sentenceOf?: ((body: unknown) => string | undefined) | undefined;
}

/** A success by its status whose body says that it is none. */
export function errorOfSuccess(doing: string, { status, body }: Answer): HostingError | undefined {
  return saysError(body)
    ? new HostingError(doing, {
        status,
        said: whatItSaid(body),
        fault: 'unclear',
        outcome: 'unknown',
        retryable: false,
      })
    : undefined;
}

/** What was certainly not done, and may be asked again. */
const RETRYABLE: readonly HostingFault[] = ['rate-limited', 'busy'];
/** What may have been done all the same. */
const OPEN: readonly HostingFault[] = ['unclear', 'unavailable'];

/** The statuses with which a request is refused before anything is done; any other is no word on what was done. */
const REFUSALS: ReadonlySet<number> = new Set([
  400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 424,
  426, 428, 429, 431,
]);

/** By HTTP status and form, never by the words of the answer, which differ between services. */
function faultOfStatus(status: number, body: unknown, own: boolean): HostingFault {
  if (status === 408 || status >= 500) return 'unavailable';
  if (!own || !REFUSALS.has(status)) return 'unclear';
  if (status === 401) return 'unauthorized';
  if (status === 402) return 'no-credit';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'not-found';
  if (status === 409 || status === 423) return 'wrong-state';
  if (status === 422) return hasDetails(body) ? 'bad-input' : 'wrong-state';
  return 'refused';
}

/** No usable answer came: the connection was never made (certainly not done), or it broke (unknown). */
export function errorOfFailure(doing: string, cause: unknown): HostingError {
  if (wasNeverConnected(cause)) {
    return new HostingError(doing, { fault: 'unreachable', outcome: 'not-done', retryable: true, cause });
  }
  return new HostingError(doing, { fault: 'no-answer', outcome: 'unknown', retryable: true, cause });
}

/** An answer came that can't be read as what was asked for; `status`: that of its HTTP answer, where there was one. */
export function errorOfBody(doing: string, why: string, cause?: unknown, status?: number): HostingError {
  const details = { fault: 'unreadable', outcome: 'unknown', retryable: false } as const;
  return new HostingError(`${doing}: ${why}`, { ...details, cause, status });
}

const text = z.string().min(1);
/** What is wrong with each field: "addon_type is not known". */
const fieldWords = z
  .record(
    z.string(),
    z.union([
      text,
      z
        .array(text)
        .min(1)
        .transform((all) => all.join(', ')),
    ]),
  )
  .transform((fields) =>
    Object.entries(fields)
      .slice(0, 3)
      .map(([field, words]) => `${field} ${words}`)
      .join('; '),
  );
const saying = z.union([
  z
    .object({ error: z.object({ message: text, details: fieldWords }) })
    .transform(({ error }) => (error.details === '' ? error.message : `${error.message}: ${error.details}`)),
  z.object({ error: z.object({ message: text }) }).transform((body) => body.error.message),
  z.object({ error: z.object({ error_message: text }) }).transform((body) => body.error.error_message),
  z.object({ error: z.object({ code: text }) }).transform((body) => body.error.code),
  z.object({ error: text }).transform((body) => body.error),
  z
    .object({
      errors: z.array(z.union([text, z.object({ message: text }).transform((one) => one.message)])).min(1),
    })
    .transform((body) => body.errors.slice(0, 3).join('; ')),
  z.object({ detail: text }).transform((body) => body.detail),
  // Beside a message that is the same for every reason.
  z.object({ help_message: text }).transform((body) => body.help_message),
  z.object({ message: text }).transform((body) => body.message),
  z.object({ Message: text }).transform((body) => body.Message),
  z.object({ title: text }).transform((body) => body.title),
]);

/** What an answer says in words: its message, the title of a page, or a short text as it came. */
function whatItSaid(body: unknown, { sentenceOf }: ErrorReading = {}): string | undefined {
  const own = text.safeParse(unlessThrown(() => sentenceOf?.(body), undefined)).data;
  const usual = own ?? saying.safeParse(body).data ?? (typeof body === 'string' ? textOf(body) : '');
  const short = usual.replace(/\s+/g, ' ').trim().slice(0, MAX_SAID);
  return short === '' ? undefined : short;
}

/** Of a page only its title: the rest is for the eyes of a browser. */
function textOf(body: string): string {
  const head = body.slice(0, MAX_PAGE);
  const [, title] = /<title[^>]{0,200}>([^<]{1,500})/i.exec(head) ?? [];
  return title ?? (/^\s*[<{[]/.test(head) ? '' : head);
}

/** An error as some service writes it: in words that say what it is, not a word beside which nothing stands. */
const anyError = z.union([
  z.object({ error: z.union([text, z.object({ message: text }), z.object({ code: text })]) }),
  z.object({ errors: z.array(z.union([text, z.object({ message: text })])).min(1) }),
  z.object({ errors: z.record(z.string(), z.unknown()).refine((fields) => Object.keys(fields).length > 0) }),
  z.object({ id: text, message: text }),
  z.object({ code: text, message: text }),
  z.object({ title: text, type: text }),
  z.object({ title: text, status: z.number() }),
  z.object({ detail: text, type: text }),
  z.object({ detail: text, status: z.number() }),
]);

function isAnyError(body: unknown): boolean {
  return anyError.safeParse(body).success;
}

const aRecord = z.object({ id: z.union([z.number(), text]), name: text });
const sayingError = z.union([
  z.object({
    error: z.union([text, z.literal(true), z.number(), z.looseObject({}), z.array(z.unknown()).min(1)]),
  }),
  z.object({ errors: z.union([text, z.array(z.unknown()).min(1), z.looseObject({})]) }),
  // Beside a null that would be an empty list.
  z.object({ success: z.literal(false) }),
  z.object({ ok: z.literal(false) }),
  z.object({ data: z.null(), status: z.enum(['error', 'fail', 'failed']) }),
  z.object({ data: z.null(), code: z.number().min(400) }),
]);

/** Whether a body speaks of an error of the call, and not of one that a record of its own has. */
function saysError(body: unknown): boolean {
  return sayingError.safeParse(body).success && !aRecord.safeParse(body).success;
}

/** What tells a list of faulty fields from the list in which some services put any error. */
const FIELD_NAMES = ['field', 'attribute', 'param', 'path', 'pointer', 'source'];
const faultyField = z.looseObject({}).refine((one) => FIELD_NAMES.some((name) => Object.hasOwn(one, name)));
const someFields = z.record(z.string(), z.unknown()).refine((fields) => Object.keys(fields).length > 0);
const detailed = z.union([
  z.object({ error: z.object({ details: z.union([someFields, z.array(z.unknown()).min(1)]) }) }),
  z.object({ errors: z.union([z.array(faultyField).min(1), someFields]) }),
]);

function hasDetails(body: unknown): boolean {
  return detailed.safeParse(body).success;
}
