import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkExamples } from '../../sandbox/adapter-check/examples/check-examples.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { checkedAdapter } from '../../src/platform/hosting/adapter-shape.ts';
import type { Adapter } from '../../src/platform/hosting/adapter.ts';
import { listsOf } from '../../src/platform/hosting/read-list.ts';
import {
  answerTo,
  answeredWith,
  botMessages,
  deletes,
  opensModal,
  privateMessage,
  privateTexts,
  readAll,
  runToEnd,
} from '../support/sandbox.ts';
import { says } from '../sentences/says.ts';
import { RULE_RUNS } from '../support/runs.ts';
import { until } from '../support/until.ts';
import { incidents, reads } from '../watches/watching.ts';
import {
  END,
  markCanceled,
  playOnTermCloud,
  received,
  type Server,
  serverCalled,
  type TermCloud,
} from './outside/term-cloud-double.ts';
import { adapter, examples } from './outside/term-cloud.ts';

const CANCEL = 'POST /v1/servers/s-web-1/cancel ""';
/** `END`, as people in the sandbox read it. */
const THEN = 'Dec 31, 2099 11:00 PM';
const CANCELED = { cancelled_to: END };

async function cardOf(sandbox: Sandbox): Promise<string> {
  await sandbox.settled();
  return sandbox.slack.read(botMessages(sandbox)[0]!);
}

function serverOf({ servers }: TermCloud, name: string): Server {
  return servers.get(`s-${name}`)!;
}

describe('a deletion where servers are rented by the month', () => {
  test('is confirmed as a cancellation, with what is lost then and until when it costs', async () => {
    const { sandbox } = await playOnTermCloud();
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    expect(sandbox.slack.readView(modal)).toBe(
      [
        '== Cancel a subscription ==',
        'Cancel web-1 (s-web-1) at the end of its paid month?',
        'It is running.',
        `It runs, and costs, until then: ${THEN}.`,
        "I can't take that back. Its backups stay and still cost. Then you lose:",
        '• its server, with its disks',
        'Type web-1 to cancel it: [ ____ ]',
        '  After you confirm, anyone who can start and stop instances can call it off for 1 s.',
        '[ Keep it ] [ Cancel subscription ]',
      ].join('\n'),
    );
    const { errors } = await sandbox.slack.person('admin').submits(modal, { typed: 'web-2' });
    expect(errors).toEqual({
      field: 'That is not its name. Type web-1 exactly, capitals too, or keep it.',
    });
  });

  test('says that nobody knows the date where the service has none', async () => {
    const { sandbox } = await playOnTermCloud([serverCalled('web-1', { paid_until: null, state: 'off' })]);
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    expect(sandbox.slack.readView(modal)).toContain(
      "It stays, and costs, until then. The hosting service doesn't say when that is.",
    );
  });

  test('ends as canceled, is never called deleted, and the server can be restarted until its end', async () => {
    const { cloud, sandbox } = await playOnTermCloud();
    expect(await answerTo(sandbox, 'admin', '/instances show web-1')).toContain(`Paid until: ${THEN}`);
    await deletes(sandbox);
    expect(await cardOf(sandbox)).toContain(`✅ Canceled web-1 (s-web-1): it runs until ${THEN}.`);
    const window = sandbox.slack.read(botMessages(sandbox)[0]!, 0);
    expect(window).toContain('🗑️ Canceling web-1 (s-web-1) in 1 s, asked by @admin');
    expect(window).toContain(
      'Until then it can be called off.\nIt stays, and costs, until the end of its paid month. Its disks go with it then.',
    );
    expect(window).toContain('[ Keep it ]');
    expect(cloud.writes()).toEqual([CANCEL]);

    const list = await answerTo(sandbox, 'admin', '/instances list');
    expect(list).toContain('web-1 (s-web-1) · running · ends 2099-12-31');
    expect(list).toContain('db-1 (s-db-1) · running\n');
    const shown = await answeredWith(sandbox, 'admin', '/instances show web-1');
    const card = sandbox.slack.read(shown);
    expect(card).toContain(`It is canceled, and runs until ${THEN}.`);
    expect(card).not.toContain('Paid until');
    expect(JSON.stringify(shown.content.blocks)).not.toContain('Cancel subscription');
    const other = await answeredWith(sandbox, 'admin', '/instances show db-1');
    expect(JSON.stringify(other.content.blocks)).toContain('Cancel subscription…');

    const story = await answerTo(sandbox, 'admin', '/lamplighter story web-1');
    expect(story).toContain('@admin asked to cancel web-1 (s-web-1): done');
    const told = [...readAll(sandbox), ...privateTexts(sandbox, 'admin')].join('\n');
    expect(told).not.toMatch(/\bdelet(?:ed|ing)/iu);
    await runToEnd(sandbox, 'ana', '/instances stop web-1');
    expect(readAll(sandbox).join('\n')).toContain('✅ Stopped web-1');
    expect(await answerTo(sandbox, 'admin', '/instances show web-1')).toContain(
      `It is canceled, and stays until ${THEN}.`,
    );
  });

  test('waits until the service shows it, however long after its answer', async () => {
    const { cloud, sandbox } = await playOnTermCloud();
    cloud.onCancel = received;
    await deletes(sandbox);
    await until(() => cloud.writes().length === 1);
    const asked = cloud.calls.length;
    // It is read some times more, and nothing is said of an end.
    await until(() => cloud.calls.length > asked + 4);
    expect(readAll(sandbox)[0]).toContain('⏳ Canceling web-1 (s-web-1)');
    markCanceled(cloud, serverOf(cloud, 'web-1'));
    expect(await cardOf(sandbox)).toContain(`✅ Canceled web-1 (s-web-1): it runs until ${THEN}.`);
  });

  test('that the service takes and never shows is unknown, and no success', async () => {
    const { cloud, sandbox } = await playOnTermCloud(undefined, { timings: { patienceMs: 400 } });
    cloud.onCancel = received;
    await deletes(sandbox);
    expect(await cardOf(sandbox)).toMatch(
      /❔ web-1 \(s-web-1\): unknown whether it is canceled\. The service took the request, but doesn't show until when it runs after .+\. I stopped watching; ask your hosting service\./u,
    );
    expect(cloud.writes()).toEqual([CANCEL]);
  });

  test('whose answer is lost is settled by the next reading', async () => {
    const { cloud, sandbox } = await playOnTermCloud();
    cloud.onCancel = (server) => {
      markCanceled(cloud, server);
      return undefined;
    };
    await deletes(sandbox);
    expect(await cardOf(sandbox)).toContain(
      `✅ Canceled web-1 (s-web-1): it runs until ${THEN}. It was not canceled before my call and is now, though the service's answer was lost.`,
    );
    expect(cloud.writes()).toEqual([CANCEL]);
  });

  test('that was lost on its way is asked for once more', async () => {
    const { cloud, sandbox } = await playOnTermCloud();
    const onCancel = cloud.onCancel;
    cloud.onCancel = () => {
      cloud.onCancel = onCancel;
      return undefined;
    };
    await deletes(sandbox);
    expect(await cardOf(sandbox)).toContain('✅ Canceled web-1 (s-web-1)');
    expect(cloud.writes()).toEqual([CANCEL, CANCEL]);
  });

  test('is refused in words where it is canceled already, and where it was meanwhile', async () => {
    const { cloud, sandbox } = await playOnTermCloud([
      serverCalled('web-1'),
      serverCalled('old-1', CANCELED),
    ]);
    expect(await answerTo(sandbox, 'admin', '/instances delete old-1')).toContain(
      `Nothing was done: old-1 (s-old-1) is canceled, and runs until ${THEN}.`,
    );
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-1');
    markCanceled(cloud, serverOf(cloud, 'web-1'));
    await sandbox.slack.person('admin').submits(modal, { typed: 'web-1' });
    await privateMessage(sandbox, 'admin', 'Nothing was done: web-1 (s-web-1) is canceled');
    expect(cloud.writes()).toEqual([]);
  });

  test('asks the service for nothing where somebody canceled it there in the last moment', async () => {
    const { cloud, sandbox } = await playOnTermCloud(undefined, { timings: { cancelWindowMs: 600 } });
    await deletes(sandbox);
    await sandbox.slack.until(() => botMessages(sandbox)[0]);
    markCanceled(cloud, serverOf(cloud, 'web-1'));
    expect(await cardOf(sandbox)).toContain(
      'web-1 (s-web-1) was canceled already when its time came. Nothing was asked of the service.',
    );
    expect(cloud.writes()).toEqual([]);
  });

  test('can be called off by a button that says so', async () => {
    const { cloud, sandbox } = await playOnTermCloud(undefined, { timings: { cancelWindowMs: 60_000 } });
    await deletes(sandbox);
    const card = await sandbox.slack.until(() => botMessages(sandbox)[0]);
    const running = await answerTo(sandbox, 'ana', '/lamplighter operations');
    expect(running).toMatch(/web-1 \(s-web-1\) will be canceled in .+\n.*\[ Keep it \]/su);
    expect(await answerTo(sandbox, 'ana', '/instances show web-1')).toContain('[ Keep it ]');
    await sandbox.slack.person('ana').presses(card, 'Keep it');
    expect(await cardOf(sandbox)).toContain(
      '⚪ Did not cancel web-1 (s-web-1): @ana called that off. Nothing was done.',
    );
    expect(cloud.writes()).toEqual([]);
  });

  test('that is asked for in a sentence is offered by a button that says so', async () => {
    const { sandbox } = await playOnTermCloud();
    const offered = await says(sandbox, 'can you get rid of web-1');
    expect(offered).toContain('[ Cancel subscription of web-1 (s-web-1) ]');
    expect(offered).not.toContain('[ Delete');
  });

  test('says what it would do on a dry run', async () => {
    const { sandbox } = await playOnTermCloud();
    expect(await answerTo(sandbox, 'admin', '/instances delete web-1 --dry-run')).toBe(
      [
        'Would ask you to type its name and then cancel web-1 (s-web-1), which is running, at the end of its paid month. This was a dry run: nothing was done. Then it would lose:',
        '• its server, with its disks',
      ].join('\n'),
    );
  });

  test('needs the approval that a policy asks of deletions, and asks for it by its own name', async () => {
    const { cloud, sandbox } = await playOnTermCloud(undefined, {
      env: { LAMPLIGHTER_APPROVE: 'web-*' },
    });
    await deletes(sandbox);
    const asked = await sandbox.slack.until(() =>
      readAll(sandbox).find((text) => text.includes('cancel web-1 (s-web-1)')),
    );
    expect(asked).not.toMatch(/delet/iu);
    expect(cloud.writes()).toEqual([]);
  });
});

describe('a watch', () => {
  test('says nothing of what its own end has taken, and all of what was taken before', async () => {
    const over = { cancelled_to: '2026-01-31T00:00:00Z' };
    const { cloud, sandbox } = await playOnTermCloud([
      serverCalled('web-1', over),
      serverCalled('web-2', CANCELED),
      serverCalled('web-3', over),
      serverCalled('web-4'),
    ]);
    await sandbox.slack.person('admin').types('#ops', '/instances watch name:web-*');
    await reads(sandbox, 'Watching name:web-*');
    const listed = (): number => cloud.calls.filter(({ url }) => url.pathname === '/v1/servers').length;
    const before = listed();
    await until(() => listed() > before + 3);
    cloud.servers.delete('s-web-1');
    cloud.servers.set('s-web-3', { ...serverOf(cloud, 'web-3'), state: 'off' });
    cloud.servers.delete('s-web-2');
    cloud.servers.set('s-web-4', { ...serverOf(cloud, 'web-4'), state: 'off' });
    await reads(sandbox, 'web-2 (s-web-2) was deleted');
    await reads(sandbox, 'web-4 (s-web-4) was stopped');
    expect(incidents(sandbox).join('\n')).not.toMatch(/web-[13]/u);
  });
});

describe('what a service writes as an end', () => {
  const listed = (odd: unknown, field: string) => {
    const left: string[] = [];
    const [list] = listsOf(
      checkedAdapter({
        ...adapter,
        instances: {
          ...adapter.instances,
          list: { ...listsOf(adapter.instances.list)[0]!, item: (one) => one as never },
        },
      }).instances.list,
    );
    const given = { id: 's-1', name: 'web-1', status: 'running', statusWord: 'on', can: {}, [field]: odd };
    const one = list!.item(given, (name) => left.push(name));
    return { one: one as unknown as Record<string, unknown>, left };
  };

  test.each(['2026-12-31T23:00:00Z', '2026-12-31T23:00:00+01:00', '2026-12-31T23:00:00.123-08:00'])(
    '%s is an end',
    (text) => {
      expect(listed(text, 'endsAt')).toMatchObject({ one: { endsAt: text }, left: [] });
    },
  );

  test.each([
    '2026-12-31',
    '2026-12-31T23:00:00',
    '2026-12-31 23:00:00Z',
    '2026-02-30T00:00:00Z',
    '31.12.2026',
    '1798758000',
    'never',
    '',
    1_798_758_000,
    null,
    true,
    {},
  ])('%j is none, is left out, and the server is shown all the same', (odd) => {
    for (const field of ['endsAt', 'paidUntil']) {
      const { one, left } = listed(odd, field);
      expect(one).toMatchObject({ id: 's-1' });
      expect(one).not.toHaveProperty(field);
      expect(left).toEqual([field]);
    }
  });

  test('is a moment that is the same for everybody, or nothing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.date().map(String), fc.jsonValue()), (odd) => {
        const { one } = listed(odd, 'endsAt');
        const { endsAt } = one;
        if (endsAt === undefined) return;
        expect(endsAt).toMatch(/(?:Z|[+-]\d\d:\d\d)$/u);
        expect(Date.parse(endsAt as string)).not.toBeNaN();
      }),
      { numRuns: RULE_RUNS },
    );
  });

  test('that can not be read is a server that is not canceled, and can be', async () => {
    const { sandbox } = await playOnTermCloud([serverCalled('web-1', { cancelled_to: 'soon' })]);
    expect(await answerTo(sandbox, 'admin', '/instances list')).not.toContain('ends');
    await deletes(sandbox);
    expect(await cardOf(sandbox)).toContain(`✅ Canceled web-1 (s-web-1): it runs until ${THEN}.`);
  });
});

describe('the check of an adapter', () => {
  const faultsOf = async (one: Adapter): Promise<readonly string[]> =>
    (await checkExamples(one, examples))
      .filter(({ level }) => level !== 'ok' && level !== 'not tried')
      .map(({ check, said }) => `${check}: ${said}`);

  test('takes one that cancels at the end of a month', async () => {
    expect(await faultsOf(adapter)).toEqual([]);
  });

  test('finds that nothing shows what is canceled, and a word that fits into no sentence', async () => {
    const [list] = listsOf(adapter.instances.list);
    const item = (record: unknown) => ({ ...list!.item(record), endsAt: undefined });
    const blind = { ...adapter, instances: { ...adapter.instances, list: { ...list!, item } } };
    expect(await faultsOf(blind)).toContain(
      'canceled at an end: nothing has endsAt, without which the bot never calls one canceled',
    );
    const deletion = { ...adapter.deletion, atEndOf: 'the end of its month.' } as Adapter['deletion'];
    expect(await faultsOf({ ...adapter, deletion })).toContainEqual(
      expect.stringContaining('does not follow "the end of", as "its paid month" does'),
    );
    const dated = (record: unknown) => ({ ...list!.item(record), endsAt: '2026-12-31' });
    const odd = { ...adapter, instances: { ...adapter.instances, list: { ...list!, item: dated } } };
    expect(await faultsOf(odd)).toContainEqual(expect.stringContaining('endsAt is not what an instance has'));
  });
});
