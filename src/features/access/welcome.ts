import { key } from '../../platform/redis/key.ts';
import type { Message } from '../../platform/slack/message.ts';
import { say } from '../../platform/slack/phrase.ts';
import type { Bot } from '../../core/bot/bot.ts';

/** The first admin has been welcomed. */
const welcomeKey = key('welcome');

/** Routes that other features bring, for the buttons. */
interface Routes {
  readonly instances: string;
  readonly alerts: string;
  readonly access: string;
}

/**
 * Welcomes the first admin of a bot that nobody may use yet, once for each Redis. Gives a work to be done again and again,
 * which does nothing after that.
 */
export function createWelcome(
  deps: Pick<Bot, 'redis' | 'admins' | 'outbox' | 'access'>,
  routes: Routes,
): () => Promise<void> {
  const { access, outbox, redis } = deps;
  const [userId] = deps.admins();
  let isDone = userId === undefined;
  return async () => {
    if (isDone || userId === undefined) return;
    const { everyone, grants } = await access.policy();
    if (grants === 'unreadable') return;
    const isNew = everyone === 'none' && grants.length === 0;
    const isFirst = isNew && (await redis.exists(welcomeKey)) === 0;
    if (isFirst) {
      await outbox.post({ id: 'welcome', to: { userId }, content: welcome(routes) });
      await redis.set(welcomeKey, userId);
    }
    isDone = true;
  };
}

function welcome({ instances, alerts, access }: Routes): Message {
  return {
    lines: [
      say`👋 I'm ready. You're an admin, and nobody else can do anything yet.`,
      say`Mention me or use a slash command in any channel; help says what there is.`,
    ],
    buttons: [
      { label: 'See instances', routeId: instances, value: '0', style: 'primary' },
      { label: 'Give someone a role', routeId: access, value: 'now' },
      { label: 'Where alerts go', routeId: alerts, value: 'now' },
    ],
  };
}
