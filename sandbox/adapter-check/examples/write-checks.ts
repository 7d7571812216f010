import { isDeepStrictEqual } from 'node:util';
import type { ExampleAnswer } from '../../../src/platform/hosting/examples.ts';
import { attempt, doubt, fault, few, type Finding, ok, unshown, wordsOf } from '../finding.ts';
import { differences } from './meant.ts';
import type { Played } from './played.ts';
import { decoded } from './read-checks.ts';
import { answerOf, writesShown } from './routes.ts';

/** What a proxy or another service may answer with a status that says yes. */
const NO_WORD: readonly ExampleAnswer[] = [
  { body: {} },
  { body: [] },
  { body: { ok: true } },
  { body: '<html><head><title>Welcome</title></head></html>' },
  { status: 202 },
  { status: 204 },
];

/** Each thing that can be asked of an instance or an add-on: sent once, read as meant, and no other answer is taken for a yes. */
export async function writesAsMeant(played: Played): Promise<readonly Finding[]> {
  const { adapter, double, hosting, examples } = played;
  const findings: Finding[] = [];
  for (const { name, id, of, ask, answer } of writesShown(adapter, examples)) {
    if (!answer) {
      findings.push(unshown(name));
      continue;
    }
    const write = of(id);
    const before = double.calls.length;
    const asked = await attempt(() => ask(hosting));
    const sent = double.calls.length - before;
    const taken = NO_WORD.filter(
      ({ body, status }) =>
        !isDeepStrictEqual(body ?? null, answer.body ?? null) &&
        didDecode(() => write.decode(answerOf(status === undefined ? { body } : { body, status }))),
    );
    const [wrong, silent] = [
      taken.filter(({ body }) => body !== undefined),
      taken.filter(({ body }) => body === undefined),
    ];
    const differing = 'value' in asked ? differences(answer.means, asked.value ?? {}) : [];
    const isAnyones = namesId(answer.body, id) && didDecode(() => of(`${id}9`).decode(answerOf(answer)));
    if ('fault' in asked) findings.push(fault(name, wordsOf(asked.fault)));
    else if (differing.length > 0) findings.push(fault(name, few(differing)));
    else if (sent !== 1) findings.push(fault(name, `was sent ${sent} times`));
    else if (wrong.length > 0)
      findings.push(fault(name, `takes ${few(wrong.map(({ body }) => JSON.stringify(body)))} for a yes`));
    else if (isAnyones) findings.push(fault(name, 'takes an answer about another instance'));
    else if (silent.length > 0)
      findings.push(doubt(name, 'takes an answer with nothing in it for a yes as well'));
    else findings.push(ok(name, `${write.method} ${write.path}, sent once`));
  }
  return findings;
}

function didDecode(read: () => unknown): boolean {
  return decoded(() => [read()]) !== undefined;
}

/** Whether an answer says what it is about: by an id, by a name that is one, or by a link. */
function namesId(value: unknown, id: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const own = id.slice(id.lastIndexOf('.') + 1);
  return Object.entries(value).some(
    ([name, inside]) =>
      (/(?:id|name)$/i.test(name) && String(inside) === id) ||
      (typeof inside === 'string' && inside.split('/').slice(1).includes(own)) ||
      namesId(inside, id),
  );
}
