import type { Adapter } from '../../../src/platform/hosting/adapter.ts';
import type { Examples } from '../../../src/platform/hosting/examples.ts';
import type { Instance } from '../../../src/platform/hosting/service.ts';
import { clientOf, type Tried } from '../client.ts';
import { foundById, listed, tooManyRequests, unknownId } from '../check.ts';
import { fault, type Finding, unshown } from '../finding.ts';
import { atItsEnd, leftOut, pausedReasons, proves, sentences } from '../says-checks.ts';
import { actionsOf } from './action-checks.ts';
import { changedAnswers } from './change-checks.ts';
import { openDouble } from './double.ts';
import { listAsMeant, listsAsShown, shiftingList } from './list-checks.ts';
import { addonsAsMeant, moneyAsMeant } from './money-checks.ts';
import type { Played } from './played.ts';
import { actionsAsMeant, noAnswers, oneAsMeant, sessionAsMeant } from './read-checks.ts';
import { refusalsAsMeant } from './refusal-checks.ts';
import { writesAsMeant } from './write-checks.ts';

/** Plays an adapter without its service, against a double that answers with its own examples. */
export async function checkExamples(adapter: Adapter, shown: Examples): Promise<readonly Finding[]> {
  const double = await openDouble(adapter, shown);
  const tried: Tried = {
    adapter,
    url: double.url,
    loginUrl: double.login === undefined ? undefined : `${double.url}${double.login}`,
    token: double.key,
    patienceMs: 0,
  };
  const hosting = clientOf(tried, double.url, double.key);
  const { examples } = double;
  const played: Played = { adapter, examples, double, hosting };
  try {
    const { all, findings } = await listed(hosting);
    const known = all.filter(({ id }) => id === examples.one.means.id);
    return [
      ...sessionAsMeant(played),
      // Which words are known, the examples say themselves.
      ...findings.filter(({ check }) => check !== 'statuses'),
      ...listsAsShown(played),
      await listAsMeant(played),
      ...(await shiftingList(played)),
      leftOut(adapter),
      ...sentences(adapter),
      atItsEnd(adapter, all, fault),
      await pausedAsShown(played, all),
      proves(adapter),
      ...(await foundById(hosting, known)),
      ...(await oneAsMeant(played)),
      await unknownId(hosting, all),
      ...(await noAnswers(played)),
      await tooManyRequests(tried),
      ...(await moneyAsMeant(played)),
      await addonsAsMeant(played),
      ...(await writesAsMeant(played)),
      ...(await actionsOf(played)),
      ...actionsAsMeant(played),
      ...(await refusalsAsMeant(played)),
      ...(await changedAnswers(adapter, examples, double.url)),
    ];
  } finally {
    await hosting.close();
    await double.close();
  }
}

/** Why instances are paused; where the adapter tells that by the balance, an example of one is missed. */
async function pausedAsShown({ adapter, hosting }: Played, all: readonly Instance[]): Promise<Finding> {
  const { billing } = adapter;
  const judges = billing?.kind === 'prepaid' && billing.pausedFor !== undefined;
  return judges && !all.some(({ status }) => status === 'paused')
    ? unshown('an instance that is paused')
    : pausedReasons(hosting, all);
}
