import { z } from 'zod';
import type { Answer } from './answer.ts';
import { HostingError, type HostingFault } from './hosting-error.ts';
import { wasNeverConnected } from '../http/never-connected.ts';
import { parseRetryAfter } from './retry-after.ts';

const MAX_SAID = 300;

/** An HTTP answer that is no success. `doing` is what was being done, for the log; `faultOf` is the service's own word. */
export function errorOfAnswer(
  doing: string,
  answer: Answer,
  now: number,
  faultOf: (answer: Answer) => HostingFault | undefined = () => undefined,
): HostingError {
  const { status, body, headers } = answer;
  const fault = faultOf(answer) ?? faultOfStatus(status, body);
  const retryAfterMs = RETRYABLE.includes(fault) ? parseRetryAfter(headers, now) : undefined;
  return new HostingError(doing, {
    status,
    said: whatItSaid(body),
    fault,
    outcome: fault === 'unavailable' ? 'unknown' : 'not-done',
    retryable: RETRYABLE.includes(fault) || (fault === 'unavailable' && (status === 408 || status >= 500)),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** What was certainly not done, and may be asked again. */
const RETRYABLE: readonly HostingFault[] = ['rate-limited', 'busy'];

/** By HTTP status first, never by the words of the answer, which differ between services. */
function faultOfStatus(status: number, body: unknown): HostingFault {
  if (status === 401) return 'unauthorized';
  if (status === 402) return 'no-credit';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'not-found';
  if (status === 409 || status === 423) return 'wrong-state';
  if (status === 422) return hasDetails(body) ? 'bad-input' : 'wrong-state';
  if (status === 429) return 'rate-limited';
  return status >= 300 && status < 500 && status !== 408 ? 'refused' : 'unavailable';
}

/** No usable answer came: the connection was never made (certainly not done), or it broke (unknown). */
export function errorOfFailure(doing: string, cause: unknown): HostingError {
  if (wasNeverConnected(cause)) {
    return new HostingError(doing, { fault: 'unreachable', outcome: 'not-done', retryable: true, cause });
  }
  return new HostingError(doing, { fault: 'lost', outcome: 'unknown', retryable: true, cause });
}

/** An answer came that can't be read as what was asked for. */
export function errorOfBody(doing: string, why: string, cause?: unknown): HostingError {
  const details = { fault: 'unreadable', outcome: 'unknown', retryable: false } as const;
  return new HostingError(`${doing}: ${why}`, { ...details, cause });
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
  z.object({ error: z.object({ code: text }) }).transform((body) => body.error.code),
  z.object({ error: text }).transform((body) => body.error),
  z
    .object({
      errors: z.array(z.union([text, z.object({ message: text }).transform((one) => one.message)])).min(1),
    })
    .transform((body) => body.errors.slice(0, 3).join('; ')),
  z.object({ detail: text }).transform((body) => body.detail),
  z.object({ message: text }).transform((body) => body.message),
  z.object({ title: text }).transform((body) => body.title),
]);

function whatItSaid(body: unknown): string | undefined {
  const parsed = saying.safeParse(body);
  return parsed.success ? parsed.data.replace(/\s+/g, ' ').slice(0, MAX_SAID) : undefined;
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
