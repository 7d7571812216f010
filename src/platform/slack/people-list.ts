import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { atMost } from '../time/wait.ts';

/**
 * What is read of a person as `users.info` and `users.list` tell of them: https://docs.slack.dev/reference/objects/user-object
 * What rights hang on is read strictly; what can't be read of the rest is taken as not there, which gives nobody more.
 */
export const userSchema = z.object({
  id: z.string(),
  team_id: z.string().optional(),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
  is_stranger: z.boolean().optional(),
  tz: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  profile: z
    .object({
      email: z.string().optional().catch(undefined),
      display_name: z.string().optional().catch(undefined),
      real_name: z.string().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  enterprise_user: z
    .object({ enterprise_id: z.string().optional(), teams: z.array(z.string()).optional() })
    .optional()
    .catch(undefined),
});
export type User = z.infer<typeof userSchema>;

/** Slack wants it under 1000: https://docs.slack.dev/reference/methods/users.list */
const PAGE_SIZE = 999;
/** Slack takes about 20 such calls a minute (tier 2): https://docs.slack.dev/apis/web-api/rate-limits */
const MAX_PAGES = 5;
/** So many people one reading brings at most, where Slack keeps to the size of a page. */
export const MAX_LISTED = PAGE_SIZE * MAX_PAGES;
/** Nobody waits longer for a reading, counted from its beginning. */
const LONGEST_WAIT_MS = 2_000;
/** After a list that can't be read; as long as the longest pause that Slack asks for. */
const UNREADABLE_REST_MS = 10 * 60_000;
/** After a list with more pages than are read. */
const TOO_LONG_REST_MS = 60 * 60_000;

/** The list of the workspace's people, for many who are looked up at once. */
interface PeopleList {
  /**
   * Has the list read, unless it was lately or is left alone for now; who waits meanwhile shares one reading. Resolves once
   * it is read, or can't be, or is slow: what it brought is remembered by then. Never throws.
   */
  read(): Promise<void>;
}

interface PeopleListDeps {
  readonly web: WebClient;
  /** Takes each person that the list names, with when their page was asked for (`performance.now()`, ms). */
  readonly remember: (user: User, askedAt: number) => void;
  /** A list that was read is not read again before then. */
  readonly goodForMs: number;
}

export function createPeopleList({ web, remember, goodForMs }: PeopleListDeps): PeopleList {
  let reading: { readonly startedAt: number; readonly done: Promise<void> } | undefined;
  let restUntil = 0;
  /** Gives how long the list is left alone from then on. */
  const readPages = async (): Promise<number> => {
    let cursor: string | undefined;
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const askedAt = performance.now();
      const answer = await web.users.list({ limit: PAGE_SIZE, cursor });
      const page = readPage(answer);
      if (!page) return UNREADABLE_REST_MS;
      for (const user of page.users) remember(user, askedAt);
      if (page.nextCursor === undefined) return goodForMs;
      cursor = page.nextCursor;
    }
    return TOO_LONG_REST_MS;
  };
  const begin = async (): Promise<void> => {
    const restMs = await readPages().catch(() => UNREADABLE_REST_MS);
    restUntil = performance.now() + restMs;
    reading = undefined;
  };
  return {
    read: async () => {
      const now = performance.now();
      if (!reading && now < restUntil) return;
      reading ??= { startedAt: now, done: begin() };
      const leftMs = reading.startedAt + LONGEST_WAIT_MS - now;
      if (leftMs > 0) await atMost(leftMs, reading.done);
    },
  };
}

const pageSchema = z.object({
  members: z.array(z.unknown()),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/**
 * Pure: what an answer of `users.list` tells. Who can't be read is left out, so that they are asked about alone.
 * `nextCursor`: of the next page, undefined for the last one. Undefined for what is no such answer.
 */
export function readPage(
  answer: unknown,
): { readonly users: readonly User[]; readonly nextCursor: string | undefined } | undefined {
  const page = pageSchema.safeParse(answer).data;
  if (!page) return undefined;
  const users = page.members.flatMap((member) => userSchema.safeParse(member).data ?? []);
  return { users, nextCursor: page.response_metadata?.next_cursor || undefined };
}
