import { setTimeout as wait } from 'node:timers/promises';
import type { ListRead } from '../../src/platform/hosting/adapter.ts';
import { isId } from '../../src/platform/hosting/address.ts';
import { listsOf } from '../../src/platform/hosting/read-list.ts';
import type { HostingService, Instance, InstanceList, Power } from '../../src/platform/hosting/service.ts';
import { batchedActions, foundInList, listedActions } from './action-checks.ts';
import { clientOf, type Tried } from './client.ts';
import { attempt, doubt, fault, few, type Finding, notTried, ok, wordsOf } from './finding.ts';
import { severalLists } from './list-checks.ts';
import { createMishaps } from './mishaps.ts';
import { atItsEnd, leftOut, pausedReasons, proves, sentences } from './says-checks.ts';

const POLL_EVERY_MS = 1_000;
const FEW = 3;
/** Nothing has this id. */
const NOBODY = '1000000000000007';

/** Plays an adapter against its service. Never throws for what the service does. */
export async function checkAdapter(tried: Tried): Promise<readonly Finding[]> {
  const hosting = clientOf(tried, tried.url, tried.token);
  try {
    const instances = await listed(hosting);
    return [
      ...instances.findings,
      await severalLists(tried.adapter, (list) => listedAlone(tried, list)),
      leftOut(tried.adapter),
      atItsEnd(tried.adapter, instances.all, notTried),
      ...sentences(tried.adapter),
      await pausedReasons(hosting, instances.all),
      proves(tried.adapter),
      ...(await foundById(hosting, instances.all)),
      await unknownId(hosting, instances.all),
      await wrongKey(tried),
      await tooManyRequests(tried),
      ...(await money(hosting)),
      ...(await power(tried, hosting, instances.all)),
    ];
  } finally {
    await hosting.close();
  }
}

/** The list as it is read, and what is to be said of it. */
export async function listed(
  hosting: HostingService,
): Promise<{ readonly all: readonly Instance[]; readonly findings: readonly Finding[] }> {
  const list = await attempt(() => hosting.listInstances());
  if ('fault' in list) return { all: [], findings: [fault('list', wordsOf(list.fault))] };
  const { instances, incomplete, pages = 1 } = list.value;
  const findings: Finding[] = [
    incomplete
      ? doubt('list', `${incomplete.read} instances read, and the service has more or may have more`)
      : ok('list', `${instances.length} instances on ${pages} pages`),
  ];
  const odd = instances.filter(({ id }) => !isId(id)).map(({ id }) => JSON.stringify(id));
  findings.push(
    odd.length === 0
      ? ok('ids', 'each is one segment of a path')
      : fault('ids', `${few(odd)} can't stand in a path, so nothing can be done with them`),
  );
  const words = [
    ...new Set(instances.filter((one) => one.status === 'unknown').map((one) => one.statusWord)),
  ];
  findings.push(
    words.length === 0
      ? ok('statuses', 'each is known')
      : doubt('statuses', `${few(words)}: the bot shows these words and offers no action`),
  );
  if (instances.some(({ createdAt }) => createdAt === undefined))
    findings.push(
      doubt(
        'birthdays',
        'an instance without createdAt can not be distinguished from another that gets its id',
      ),
    );
  return { all: instances, findings };
}

async function listedAlone(tried: Tried, list: ListRead<Instance>): Promise<InstanceList> {
  const { adapter } = tried;
  const alone = { ...adapter, instances: { ...adapter.instances, list } };
  const hosting = clientOf({ ...tried, adapter: alone }, tried.url, tried.token);
  try {
    return await hosting.listInstances();
  } finally {
    await hosting.close();
  }
}

export async function foundById(
  hosting: HostingService,
  all: readonly Instance[],
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const known of all.slice(0, FEW)) {
    const one = await attempt(() => hosting.findInstance(known.id));
    const check = `one: ${known.id}`;
    if ('fault' in one) findings.push(fault(check, wordsOf(one.fault)));
    else if (!one.value) findings.push(fault(check, 'is in the list and not there by its id'));
    else if (one.value.name !== known.name || one.value.createdAt !== known.createdAt)
      findings.push(fault(check, 'has another name or birthday by its id than in the list'));
    else findings.push(ok(check, `${one.value.name}, ${one.value.statusWord}`));
  }
  return findings;
}

export async function unknownId(hosting: HostingService, all: readonly Instance[]): Promise<Finding> {
  // An id of the same form, where the service checks that first.
  const id = all[0]?.id.replace(/[0-9a-f](?=[0-9a-f]*$)/g, '0') ?? NOBODY;
  const wanted = all.some((one) => one.id === id) ? NOBODY : id;
  const found = await attempt(() => hosting.findInstance(wanted));
  if ('fault' in found) return doubt('no such instance', wordsOf(found.fault));
  return found.value === undefined
    ? ok('no such instance', 'is said by 404')
    : fault('no such instance', `${wanted} was found although nothing has this id`);
}

async function wrongKey(tried: Tried): Promise<Finding> {
  const hosting = clientOf(tried, tried.url, tried.token.replaceAll(/[a-z0-9]/gi, 'x'));
  const tries = await attempt(() => hosting.checkKey());
  await hosting.close();
  if (!('fault' in tries)) return fault('a wrong key', 'is taken');
  const { fault: said } = tries.fault;
  return said === 'unauthorized' || said === 'forbidden'
    ? ok('a wrong key', 'is refused')
    : doubt('a wrong key', `is a fault "${said}" and not "unauthorized"`);
}

/** One page is answered 429 on the way, and asked for again. */
export async function tooManyRequests(tried: Tried): Promise<Finding> {
  const mishaps = createMishaps();
  const hosting = clientOf(tried, tried.url, tried.token, mishaps.wayOut);
  const [list] = listsOf(tried.adapter.instances.list);
  mishaps.next('too many', { pathEnd: endOf(list?.path ?? '') });
  const read = await attempt(() => hosting.checkKey());
  await hosting.close();
  return 'fault' in read
    ? fault('too many requests', wordsOf(read.fault))
    : ok('too many requests', 'a read is repeated once the wait is over');
}

async function money(hosting: HostingService): Promise<readonly Finding[]> {
  switch (hosting.about.offers.billing) {
    case undefined:
      return [notTried('money', 'the adapter reads none')];
    case 'prepaid': {
      const balance = await attempt(() => hosting.getBalance());
      if ('fault' in balance) return [fault('balance', wordsOf(balance.fault))];
      return [
        balance.value ? ok('balance', `${balance.value.credits} left`) : doubt('balance', 'none there'),
      ];
    }
    case 'postpaid': {
      const month = await attempt(() => hosting.getSpending());
      if ('fault' in month) return [fault('this month', wordsOf(month.fault))];
      const { monthSoFar, owedBefore = '0' } = month.value;
      const { currency = '' } = hosting.about;
      return [
        ok('this month', `${monthSoFar} ${currency}, ${owedBefore} ${currency} owed from before`),
        ...(await moneyLists(hosting)),
      ];
    }
  }
}

/** What a month is spent on, and the bills, where the adapter reads them. */
async function moneyLists({ about, ...hosting }: HostingService): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  if (about.offers.charges) {
    const read = await attempt(() => hosting.listCharges());
    if ('fault' in read) findings.push(fault('charges', wordsOf(read.fault)));
    else findings.push(ok('charges', `${read.value.charges.length} read`));
  }
  if (about.offers.bills) {
    const read = await attempt(() => hosting.listBills());
    if ('fault' in read) findings.push(fault('bills', wordsOf(read.fault)));
    else findings.push(ok('bills', `${read.value.bills.length} read`));
  }
  return findings;
}

/** A restart that is lost on its way back, then a stop and a start: each sent once. */
async function power(
  tried: Tried,
  hosting: HostingService,
  all: readonly Instance[],
): Promise<readonly Finding[]> {
  const { powerId } = tried;
  if (powerId === undefined) return [notTried('power', 'name an instance with --power to have it restarted')];
  const instance = all.find(({ id }) => id === powerId);
  if (!instance) return [fault('power', `there is no instance ${powerId}`)];
  if (instance.status !== 'running')
    return [fault('power', `${powerId} is ${instance.status}; start it first`)];
  const before = await listedActions(hosting, powerId);
  const findings = [await lostAnswer(tried, powerId), await foundInList(hosting, powerId, before)];
  const actionIds: string[] = [];
  const asking: HostingService = {
    ...hosting,
    powerInstance: async (...given) => {
      const answer = await hosting.powerInstance(...given);
      if (answer.actionId !== undefined) actionIds.push(answer.actionId);
      return answer;
    },
  };
  for (const [verb, target] of [
    ['restart', 'running'],
    ['stop', 'stopped'],
    ['start', 'running'],
  ] as const)
    findings.push(await followed(tried, asking, powerId, verb, target));
  if (tried.adapter.instances.actions) findings.push(await batchedActions(hosting, actionIds));
  return findings;
}

/** The end of a path, without its query and what of the key stands in it. */
function endOf(path: string): string {
  const [plain = ''] = path.split('?', 1);
  return plain.slice(plain.lastIndexOf('}') + 1);
}

async function lostAnswer(tried: Tried, id: string): Promise<Finding> {
  const mishaps = createMishaps();
  const hosting = clientOf(tried, tried.url, tried.token, mishaps.wayOut);
  const { method, path } = tried.adapter.instances.power(id, 'restart');
  const call = { method, pathEnd: endOf(path) };
  mishaps.next('answer lost', call);
  const asked = await attempt(() => hosting.powerInstance(id, 'restart'));
  const sent = mishaps.countSent(call);
  await hosting.close();
  if (!('fault' in asked)) return fault('a lost answer', 'was taken for one that came');
  const isRight = asked.fault.outcome === 'unknown' && sent === 1;
  return isRight
    ? ok('a lost answer', 'the outcome is unknown, and the call was sent once')
    : fault('a lost answer', `${wordsOf(asked.fault)}; sent ${sent} times`);
}

async function followed(
  { patienceMs }: Tried,
  hosting: HostingService,
  id: string,
  verb: Power,
  target: string,
): Promise<Finding> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const asked = await attempt(() => hosting.powerInstance(id, verb));
    if ('fault' in asked) {
      // What is still under way is in the way of the next.
      const mayPass = ['wrong-state', 'busy', 'rate-limited'].includes(asked.fault.fault);
      if (!mayPass || Date.now() > until) return fault(verb, wordsOf(asked.fault));
      await wait(POLL_EVERY_MS);
      continue;
    }
    const { actionId } = asked.value;
    const isProved = hosting.about.actionProves.includes(verb);
    if (isProved && actionId === undefined)
      return fault(verb, 'is said to be proved by its action, and its answer names none');
    let early: string | undefined;
    for (;;) {
      const action = actionId === undefined ? undefined : await hosting.findAction(actionId);
      const now = await hosting.findInstance(id);
      if (action?.state === 'failed')
        return fault(verb, `the service says that it failed: ${action.said ?? ''}`);
      if (isProved && action?.state === 'done' && now?.status !== target) early ??= now?.statusWord ?? 'gone';
      if (action?.state !== 'running' && now?.status === target && early !== undefined)
        return doubt(verb, `is said to be proved by its action, which ended while it was still ${early}`);
      if (action?.state !== 'running' && now?.status === target)
        return ok(verb, `${now.statusWord}${actionId === undefined ? '' : `, action ${actionId} is done`}`);
      if (Date.now() > until) return fault(verb, `is still ${now?.statusWord ?? 'gone'}`);
      await wait(POLL_EVERY_MS);
    }
  }
}
