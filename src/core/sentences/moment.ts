import type { People } from '../../platform/slack/people.ts';
import type { Moment } from './times.ts';

const DEFAULT_ZONE = 'UTC';

/** Now, Unix ms, in the zone that somebody's clock shows, as Slack knows it; in UTC where it doesn't. */
export async function momentOf(
  { people }: { readonly people: Pick<People, 'zone'> },
  userId: string,
  now: number,
): Promise<Moment> {
  const zone = await people.zone(userId).catch(() => undefined);
  return { at: now, zone: zone ?? DEFAULT_ZONE };
}
