import { z } from 'zod';
import { HostingError, type HostingErrorDetails } from './hosting-error.ts';
import { wasNeverConnected } from '../http/never-connected.ts';
import { parseRetryAfter } from './retry-after.ts';

const MAX_SAID = 300;

/** An HTTP answer that is no success. `doing` is what was being done, for the log. */
export function errorOfAnswer(
  doing: string,
  answer: { status: number; headers: Readonly<Record<string, string>>; body: unknown },
  now: number,
): HostingError {
  const { status } = answer;
  return new HostingError(doing, {
    status,
    said: whatItSaid(answer.body),
    ...classify(status, answer.body, () => parseRetryAfter(answer.headers, now)),
  });
}

/** By HTTP status first, never by the words of the answer, which differ between services. */
function classify(
  status: number,
  body: unknown,
  retryAfterMs: () => number | undefined,
): Pick<HostingErrorDetails, 'fault' | 'outcome' | 'retryable' | 'retryAfterMs'> {
  const never = { outcome: 'not-done', retryable: false } as const;
  if (status === 401) return { fault: 'unauthorized', ...never };
  if (status === 402) return { fault: 'no-credit', ...never };
  if (status === 403) return { fault: 'forbidden', ...never };
  if (status === 404 || status === 410) return { fault: 'not-found', ...never };
  if (status === 409 || status === 423) return { fault: 'wrong-state', ...never };
  if (status === 422) return { fault: hasDetails(body) ? 'bad-input' : 'wrong-state', ...never };
  if (status === 429) {
    return { fault: 'rate-limited', outcome: 'not-done', retryable: true, retryAfterMs: retryAfterMs() };
  }
  if (status === 408) return { fault: 'unavailable', outcome: 'unknown', retryable: true };
  if (status >= 300 && status < 500) return { fault: 'refused', ...never };
  return { fault: 'unavailable', outcome: 'unknown', retryable: status >= 500 };
}

/** No usable answer came: the connection was never made (certainly not done), or it broke (unknown). */
export function errorOfFailure(doing: string, cause: unknown): HostingError {
  if (wasNeverConnected(cause)) {
    return new HostingError(doing, { fault: 'unreachable', outcome: 'not-done', retryable: true, cause });
  }
  return new HostingError(doing, { fault: 'lost', outcome: 'unknown', retryable: true, cause });
}

/** An answer came that can't be read as what was asked for. */
export function errorOfBody(doing: string, why: string): HostingError {
  return new HostingError(`${doing}: ${why}`, { fault: 'unreadable', outcome: 'unknown', retryable: false });
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
