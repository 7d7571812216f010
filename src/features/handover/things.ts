import type { Owned, OwnedSource } from '../../core/policy/owned.ts';
import type { People } from '../../platform/slack/people.ts';
import type { Bot } from '../../core/bot/bot.ts';

export interface HandoverDeps extends Pick<
  Bot,
  'clock' | 'timings' | 'userGroups' | 'outbox' | 'offers' | 'access'
> {
  /** Every kind of open thing. */
  readonly sources: readonly OwnedSource[];
  readonly people: Pick<People, 'standing' | 'name'>;
}

/** An open thing with where it is kept. */
export type Thing = Owned & { readonly source: string };

/** All open things of one person. */
export async function listThings(
  { sources }: Pick<HandoverDeps, 'sources'>,
  userId: string,
): Promise<readonly Thing[]> {
  const all = await Promise.all(
    sources.map(async ({ name, list }) =>
      (await list(userId)).map((one): Thing => ({ ...one, source: name })),
    ),
  );
  return all.flat();
}

export function isSame(one: Pick<Thing, 'source' | 'id'>, other: Pick<Thing, 'source' | 'id'>): boolean {
  return one.source === other.source && one.id === other.id;
}

/** Whether a thing is one of these. */
export function isIn(
  those: readonly Pick<Thing, 'source' | 'id'>[],
  thing: Pick<Thing, 'source' | 'id'>,
): boolean {
  return those.some((one) => isSame(one, thing));
}
