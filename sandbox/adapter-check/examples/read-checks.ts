import type { ExampleAnswer } from '../../../src/platform/hosting/examples.ts';
import { sessionWire } from '../../../src/platform/hosting/service-credentials.ts';
import { attempt, fault, type Finding, ok, unshown, wordsOf } from '../finding.ts';
import { HTML_404 } from './double.ts';
import { differences, differencesOfAll } from './meant.ts';
import { type Played, same } from './played.ts';
import { answerOf, readsShown } from './routes.ts';

/** A firewall's page, which is no word of the service. */
export const HTML_403: ExampleAnswer = {
  status: 403,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>Access denied</title></head><body>Blocked</body></html>',
};

/** The token for which the key is exchanged. */
export function sessionAsMeant({ adapter, examples, double }: Played): readonly Finding[] {
  const session = adapter.auth?.session;
  if (!session) return [];
  if (!examples.session) return [fault('session', 'there is no example of it')];
  const { decode } = session(double.key);
  const { means } = examples.session;
  const read = decoded(() => decode(answerOf(examples.session ?? {})));
  const unusable = sessionWire
    .safeParse(read)
    .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  return [same('session', unusable ?? differences(means, read), JSON.stringify(means))];
}

/** One instance as meant, and none for the id of another. */
export async function oneAsMeant({ adapter, hosting, examples }: Played): Promise<readonly Finding[]> {
  const { means } = examples.one;
  const read = await attempt(() => hosting.findInstance(means.id));
  const found =
    'fault' in read
      ? fault('one as meant', wordsOf(read.fault))
      : same('one as meant', differences(means, read.value), `${means.id}, ${means.status}`);
  const other = `${means.id}9`;
  const isTaken = decoded(() => adapter.instances.one(other).decode(answerOf(examples.one)))?.id === other;
  return [
    found,
    isTaken
      ? fault('another one', `what is said of ${means.id} is read as ${other}`)
      : ok('another one', 'is not taken for the one that was asked for'),
  ];
}

/** What isn't there, and what is no answer of the service: only the first is "there is none". */
export async function noAnswers({ hosting, double, examples }: Played): Promise<readonly Finding[]> {
  const { id } = examples.one.means;
  const findings: Finding[] = [];
  for (const [check, answer] of [
    ['a wrong prefix', HTML_404],
    ["a firewall's page", HTML_403],
  ] as const) {
    const read = await attempt(() =>
      double.during(
        () => answer,
        () => hosting.findInstance(id),
      ),
    );
    findings.push(
      'fault' in read && read.fault.fault === 'unclear'
        ? ok(check, 'is no word of the service')
        : fault(check, `is taken for one: ${'fault' in read ? wordsOf(read.fault) : 'there is none'}`),
    );
  }
  return findings;
}

/** What was begun, and several actions in one call. */
export function actionsAsMeant({ adapter, examples }: Played): readonly Finding[] {
  const { begun, actions } = adapter.instances;
  const missing = [
    ...(begun && !examples.begun ? [unshown('begun')] : []),
    ...(actions && !examples.actions ? [unshown('several actions')] : []),
  ];
  const shown = readsShown(adapter, examples).flatMap(({ name, read, answer }) => {
    if (name !== 'begun' && name !== 'several actions') return [];
    const got = decoded(() => read.decode(answerOf(answer)));
    const page = typeof got === 'object' && got !== null && 'actions' in got ? got : undefined;
    const all = page ? page.actions : got;
    const means = 'means' in answer ? answer.means : [];
    if (!Array.isArray(all) || !Array.isArray(means)) return [fault(name, 'can not be read')];
    const { hasMore } = examples.begun ?? {};
    const ofPage = page && hasMore !== undefined ? differences({ hasMore }, page) : [];
    return [same(name, [...differencesOfAll(means, all), ...ofPage], `${means.length} as meant`)];
  });
  return [...missing, ...shown];
}

export function decoded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
