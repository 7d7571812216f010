import { isDirect } from '../../platform/slack/ids.ts';

/** From where, and by whom, a hosting account can be reached at all, whatever roles people have. */
export interface Reach {
  /** Ids of the only channels; without it, every place. */
  readonly channels?: readonly string[];
  /** Ids of the only people; without it, everybody by their role. */
  readonly people?: readonly string[];
  /** Ids of people who can reach it from its channels, their direct messages and the Home in any case. */
  readonly always: readonly string[];
}

/**
 * What stands between a person and an account: that they are not one of its people, or that it isn't for this place; undefined
 * for nothing. Direct messages and the Home are places of those whom the account names. `channelId`: undefined where no
 * channel is known. Pure.
 */
export function outOfReach(
  { channels, people, always }: Reach,
  { userId, channelId }: { readonly userId: string; readonly channelId?: string | undefined },
): 'person' | 'place' | undefined {
  const isNamed = always.includes(userId) || (people?.includes(userId) ?? false);
  if (people && !isNamed) return 'person';
  if (!channels || (channelId !== undefined && channels.includes(channelId))) return undefined;
  const isPrivate = channelId === undefined || isDirect(channelId);
  return isPrivate && isNamed ? undefined : 'place';
}
