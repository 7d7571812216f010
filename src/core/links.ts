import { type Button, linkButton } from '../platform/slack/message.ts';
import type { PausedFor } from '../platform/hosting/instance.ts';

/**
 * Pages outside of Slack that buttons open. Their addresses are configured, and nothing goes into one but an instance's id,
 * encoded: no link is ever made from what a person or a service wrote.
 */
export interface Links {
  /** Opens an instance in the hosting service's console; empty where no such page is configured. */
  console(instanceId: string): readonly Button[];
  /** Opens the page where credit is bought; empty where none is configured. */
  readonly topUp: readonly Button[];
}

/** Where the id of an instance goes. */
export const ID_PLACE = '{id}';

/** Slack takes no longer address. */
const MAX_URL = 3_000;

/** The links of one account. `instanceUrl`: with `{id}` in it. */
export function createLinks({
  instanceUrl,
  topUpUrl,
}: {
  readonly instanceUrl?: string | undefined;
  readonly topUpUrl?: string | undefined;
}): Links {
  return {
    console: (instanceId) => {
      const id = encodedId(instanceId);
      if (instanceUrl === undefined || id === undefined) return [];
      const url = instanceUrl.replaceAll(ID_PLACE, () => id);
      return url.length > MAX_URL ? [] : [linkButton('Open in the console', url)];
    },
    topUp: topUpUrl === undefined ? [] : [linkButton('Top up', topUpUrl)],
  };
}

/** What helps with an instance that can't be changed as it is: credit where it is paused for that, else its page. */
export function linksFor(
  links: Links,
  { id, pausedFor }: { readonly id: string; readonly pausedFor?: PausedFor | undefined },
): readonly Button[] {
  return pausedFor === 'no-credit' && links.topUp.length > 0 ? links.topUp : links.console(id);
}

/** An id as a part of an address; undefined for one that would lead elsewhere or can't be encoded. */
function encodedId(id: string): string | undefined {
  return /^\.{0,2}$/.test(id) || /\p{Cs}/u.test(id) ? undefined : encodeURIComponent(id);
}
