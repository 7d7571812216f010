import type { Ask } from '../../core/ask/ask.ts';
import { entryOf } from '../../core/audit/entry-of.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import type { Grantee } from '../../core/policy/grant.ts';
import { type Commit, together } from '../../core/records/commit.ts';
import type { Message } from '../../platform/slack/message.ts';

/** What records a setting, with what each person reads of it. A group has no direct messages. */
export async function saying(
  { outbox }: { readonly outbox: Outbox },
  ask: Ask,
  now: number,
  messages: readonly { readonly id: string; readonly to: Grantee; readonly content: Message }[],
): Promise<Commit<'moved'>> {
  const said = messages.flatMap(({ to, ...one }) => ('userId' in to ? [{ ...one, to }] : []));
  return together<'moved'>(
    { audit: entryOf(ask, 'set', now, { result: 'done' }) },
    await outbox.saying(said, 'moved'),
  );
}
