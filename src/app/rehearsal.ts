import { createRehearsal, createWeeklyRehearsal, type WeeklyDeps } from '../features/doctor/index.ts';
import { asError } from '../platform/log/as-error.ts';
import type { Log } from '../platform/log/log.ts';
import { changingDeps } from './changing.ts';
import type { ConfiguredAccount } from './config/accounts.ts';
import { billingFactsOf } from './doctor.ts';
import type { FeaturesDeps } from './features-deps.ts';

type Given = FeaturesDeps & Pick<WeeklyDeps, 'isProtected'> & { readonly log: Pick<Log, 'limited'> };

/** Rehearses once a week the restart of what is protected, as its daily look comes to it. Gives that look, which never throws. */
export function createWeekly(live: () => ConfiguredAccount, given: Given): () => Promise<void> {
  const findPlaces = billingFactsOf({ ...given, live });
  const weekly = createWeeklyRehearsal({
    ...given,
    changes: given.changes.instances,
    rehearsal: createRehearsal(changingDeps(given)),
    findAlertsChannel: async () =>
      (await findPlaces()).places.find(({ uses }) => uses.includes('alerts'))?.channelId,
  });
  return () =>
    weekly().catch((error: unknown) => given.log.limited('the rehearsal of the week', asError(error)));
}
