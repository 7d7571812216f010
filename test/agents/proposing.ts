import { createOneRecord } from '../../src/core/records/one-record.ts';
import { Redis } from 'ioredis';
import { AGENTS as KIND } from '../../src/features/agents/record.ts';
import type { PostedMessage } from '../../sandbox/slack/index.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

export const AGENTS = { LAMPLIGHTER_AGENTS: 'yes' };
export const RESTART = { verb: 'restart', instance: 'web-1', because: 'it leaks memory' };

/** The proposal that somebody reads in the bot's direct messages. */
export function proposed(sandbox: Sandbox, who = 'ana', nth = 0): Promise<PostedMessage> {
  return sandbox.slack.until(() => all(sandbox, who)[nth]);
}

/** All that were proposed to somebody. */
export function all(sandbox: Sandbox, who: string): readonly PostedMessage[] {
  return sandbox.slack.person(who).dms.filter((message) => sandbox.slack.read(message).startsWith('🤖'));
}

/** Has all that was proposed and answered been so much earlier. */
export async function earlier(sandbox: Sandbox, byMs: number): Promise<void> {
  const redis = new Redis(sandbox.redisUrl);
  await createOneRecord(redis, KIND).change(({ proposals, ...record }) => ({
    ...record,
    proposals: proposals.map(({ answer, ...one }) => ({
      ...one,
      at: one.at - byMs,
      ...(answer ? { answer: { ...answer, at: answer.at - byMs } } : {}),
    })),
  }));
  redis.disconnect();
}
