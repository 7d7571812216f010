import { isRedisAway } from '../../platform/redis/away.ts';
import { NewerFormat } from '../../platform/redis/stored.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Message } from '../../platform/slack/message.ts';
import { say } from '../../platform/slack/phrase.ts';
import { Refusal } from '../refusal.ts';
import type { Ask } from '../ask/ask.ts';
import { isWrite, type Route } from './route.ts';
import type { RouteTable, Routed } from './routes.ts';
import { hostingWords, notReadable, notReadableYet, wentWrong } from './messages.ts';

type Asked = Pick<Ask, 'id' | 'route' | 'words' | 'actor' | 'isVerbless'>;

/** What the person reads about an error that ended their request, which is logged here. */
export function errorAnswer(
  { routes, log, clock }: Pick<Routed, 'routes' | 'log' | 'clock'>,
  error: unknown,
  ask: Asked,
  route: Pick<Route, 'id' | 'writes'>,
): Message {
  const { id, actor } = ask;
  const asked = { request: id, route: route.id, by: actor.userId, agent: actor.through?.agent };
  if (error instanceof Refusal) {
    log.info({ ...asked, code: error.code }, 'refused');
    const isVerbless = error.code === 'no-such-instance' && ask.isVerbless;
    return isVerbless ? notUnderstood(routes, error, ask) : error.answer;
  }
  const requestId = id.slice(0, 8);
  if (error instanceof HostingError) {
    log.warn({ ...asked, requestId, error }, 'answering');
    return {
      lines: [hostingWords(error, { requestId, isRead: !isWrite(route, ask.words), now: clock.now() })],
    };
  }
  if (isRedisAway(error)) {
    log.warn({ ...asked, requestId, error }, 'answering');
    return { lines: [notReadable(error)] };
  }
  if (error instanceof NewerFormat) {
    log.warn(
      { ...asked, requestId, error },
      'leaving what a newer version wrote to a process of that version',
    );
    return { lines: [notReadableYet()] };
  }
  log.error({ ...asked, requestId, error }, 'answering');
  return { lines: [wentWrong(requestId)] };
}

/** Words without a verb that are no instance: several begin with what was meant as a verb, one may be either. */
function notUnderstood(routes: RouteTable, { answer }: Refusal, ask: Asked): Message {
  const [word = '', ...more] = ask.words;
  const hint = routes.verbHint(ask.route, word);
  if (more.length === 0) return { ...answer, note: hint };
  return {
    lines: [
      say`I don't know an instance called "${ask.words.join(' ')}" or a command called "${word}". ${hint}`,
    ],
  };
}
