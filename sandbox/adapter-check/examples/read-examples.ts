import type { Adapter } from '../../../src/platform/hosting/adapter.ts';
import { parseBody } from '../../../src/platform/hosting/body.ts';
import type { ExampleAnswer, Examples } from '../../../src/platform/hosting/examples.ts';

/** Examples with what their adapter reads in the texts of their bodies. */
export interface ReadExamples {
  readonly examples: Examples;
  /** An answer in the text in which its body was read. One that was changed since stays a value: sent as JSON, it is read as the same. */
  readonly asSent: (answer: ExampleAnswer) => ExampleAnswer;
}

/** What is no answer in the examples, and may have a `body` of its own. */
const NO_ANSWER = ['means', 'headers'];

/** The examples of a service that doesn't answer in JSON, as its adapter reads them; any others as they are. */
export function readBy({ readBody }: Adapter, examples: Examples): ReadExamples {
  if (!readBody) return { examples, asSent: (answer) => answer };
  const texts = new Map<unknown, string>();
  const readText = (text: string): unknown => {
    const read = parseBody(text, readBody);
    texts.set(read, text);
    return read;
  };
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inside]: [string, unknown]) => {
        if (NO_ANSWER.includes(name)) return [name, inside];
        if (name !== 'body') return [name, walk(inside)];
        return [name, typeof inside === 'string' ? readText(inside) : inside];
      }),
    );
  };
  return {
    examples: walk(examples) as Examples,
    asSent: ({ body, ...answer }) => ({ ...answer, body: texts.get(body) ?? body }),
  };
}
