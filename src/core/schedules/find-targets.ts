import type { Examined } from '../changes/examine.ts';
import { resolveAsked } from '../changes/preview-several.ts';
import { readSeveral } from '../lookup/several.ts';
import type { Incomplete, Instance } from '../../platform/hosting/service.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import type { Schedule } from './schedule-record.ts';
import type { Parts } from '../parts/parts.ts';

/** What a schedule is about at the moment. */
export interface Targets {
  readonly instances: readonly Instance[];
  /** Those that were named and are not there any more, each with the reason. */
  readonly gone: Examined['skipped'];
  readonly remarks: readonly Phrase[];
  /** Set where the list that filters were asked of may lack some. */
  readonly incomplete?: Incomplete | undefined;
}

/** The instances that a schedule means now: those that were named, or that its filters find. Throws HostingError or a Refusal. */
export async function findTargets(
  deps: Pick<Parts, 'hosting' | 'access' | 'favorites'>,
  { target, owner, channelId }: Pick<Schedule, 'target' | 'owner' | 'channelId'>,
  now: number,
): Promise<Targets> {
  if ('filters' in target) {
    const ask = { actor: owner, place: { channelId }, askedAt: now };
    const found = await resolveAsked(deps, ask, { words: target.filters });
    return { instances: [], remarks: [], ...found, gone: [] };
  }
  const ids = target.instances.map(({ id }) => id);
  const found = await readSeveral(deps.hosting, ids);
  const byId = new Map(found.map((instance) => [instance.id, instance]));
  const isSame = (one: (typeof target.instances)[number]): boolean =>
    byId.get(one.id) !== undefined && byId.get(one.id)?.createdAt === one.createdAt;
  return {
    instances: target.instances.flatMap((one) => {
      const instance = isSame(one) ? byId.get(one.id) : undefined;
      return instance ? [instance] : [];
    }),
    gone: target.instances
      .filter((one) => !isSame(one))
      .map(({ id, name }) => ({
        id,
        name,
        why: byId.has(id) ? say`is a different instance now` : say`is gone`,
      })),
    remarks: [],
  };
}
