import type { ExampleAnswer } from '../../../src/platform/hosting/examples.ts';
import type { HostingError, HostingFault } from '../../../src/platform/hosting/hosting-error.ts';
import { attempt, doubt, fault, few, type Finding, ok, unshown, wordsOf } from '../finding.ts';
import type { Played } from './played.ts';
import { decoded, HTML_403 } from './read-checks.ts';
import { answerOf } from './routes.ts';

/** What may have been done all the same. */
const OPEN: readonly HostingFault[] = ['unclear', 'unavailable'];
const NEEDED: readonly HostingFault[] = ['unauthorized', 'not-found'];
/** What many services say no by, each in its own way. */
const USUAL: readonly HostingFault[] = [...NEEDED, 'wrong-state', 'busy', 'protected', 'rate-limited'];

/** Each way to say no, of a restart: what it means, whether it was sent once, and whether its sentence is read. */
export async function refusalsAsMeant(played: Played): Promise<readonly Finding[]> {
  const { refusals } = played.examples;
  const shown = refusals.map(({ means }) => means);
  const findings = USUAL.filter((means) => !shown.includes(means)).map((means) =>
    NEEDED.includes(means) ? fault(means, 'there is no example of it') : unshown(means),
  );
  for (const { means, answer, says } of refusals) {
    const told = await refused(played, answer);
    findings.push(told.wrong === undefined ? judge(means, told.error, says) : fault(means, told.wrong));
  }
  return [...findings, ...toldByFaultOf(played), ...(await others(played))];
}

/** What the adapter itself tells of errors, where their status says too little. */
function toldByFaultOf({ adapter, examples }: Played): readonly Finding[] {
  const { faultOf } = adapter;
  if (!faultOf) return [];
  const told = examples.refusals.flatMap(({ answer }) => decoded(() => faultOf(answerOf(answer))) ?? []);
  return [
    told.length > 0 ? ok('faultOf', `tells ${few([...new Set(told)])}`) : unshown('what faultOf tells'),
  ];
}

function judge(means: HostingFault, error: HostingError, says: string | undefined): Finding {
  const { fault: read, outcome, said } = error;
  if (read !== means) return fault(means, `is read as ${read}: ${said ?? ''}`);
  const expected = OPEN.includes(means) ? 'unknown' : 'not-done';
  if (outcome !== expected) return fault(means, `its outcome is ${outcome}`);
  if (says !== undefined && said?.includes(says) !== true)
    return fault(means, `says ${JSON.stringify(says)}, and people read ${JSON.stringify(said ?? '')}`);
  return said === undefined
    ? doubt(means, 'people read no sentence of the service: none stands where services have it')
    : ok(means, `"${said}", sent once`);
}

/** What every service says sooner or later, in the form of its own errors and in that of no service. */
async function others(played: Played): Promise<readonly Finding[]> {
  const [own] = played.examples.refusals;
  const findings: Finding[] = [];
  for (const [check, answer, means] of [
    ['429, Retry-After', { ...own?.answer, status: 429, headers: { 'retry-after': '7' } }, 'rate-limited'],
    ['429, no wait said', { ...own?.answer, status: 429, headers: {} }, 'rate-limited'],
    ['500 with a reason', { ...own?.answer, status: 500 }, 'unavailable'],
    ['a page with 403', HTML_403, 'unclear'],
  ] as const) {
    const told = await refused(played, answer);
    if (told.wrong !== undefined) findings.push(fault(check, told.wrong));
    else if (
      told.error.fault !== means ||
      told.error.outcome !== (OPEN.includes(means) ? 'unknown' : 'not-done')
    )
      findings.push(fault(check, `is read as ${wordsOf(told.error)}, ${told.error.outcome}`));
    else if (check === '429, Retry-After' && told.error.retryAfterMs !== 7_000)
      findings.push(fault(check, 'its wait is not read'));
    else findings.push(ok(check, `${means}, ${told.error.outcome}, sent once`));
  }
  return findings;
}

/** A restart that is answered so. */
async function refused(
  { hosting, double, examples }: Played,
  answer: ExampleAnswer,
): Promise<{ readonly wrong: string } | { readonly wrong?: undefined; readonly error: HostingError }> {
  const before = double.calls.length;
  const asked = await attempt(() =>
    double.during(
      () => answer,
      () => hosting.powerInstance(examples.one.means.id, 'restart'),
    ),
  );
  const sent = double.calls.length - before;
  if (!('fault' in asked)) return { wrong: 'is taken for a yes' };
  return sent === 1 ? { error: asked.fault } : { wrong: `was sent ${sent} times: ${wordsOf(asked.fault)}` };
}
