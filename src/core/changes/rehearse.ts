import type { Changing } from './changing.ts';
import { findOrLast } from '../lookup/find-or-last.ts';
import { nameOf } from '../instances/messages.ts';
import { approvalOf } from '../policy/pattern.ts';
import type { Decision } from '../policy/decide.ts';
import type { Permission } from '../policy/permissions.ts';
import { isRefusalOf, Refusal } from '../refusal.ts';
import type { Ask } from '../ask/ask.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import type { Instance } from '../../platform/hosting/service.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { checkBefore, whatOf } from './begin-change.ts';
import type { Args, Declared } from './declaration.ts';
import { findTheirs } from './find-asked.ts';

/** What a change of one instance would meet if it were asked for now. */
export interface Rehearsed {
  readonly instance: Instance;
  /** "restart web-1 (101)". */
  readonly what: Phrase;
  readonly routeId: string;
  readonly permission: Permission;
  /** Whether who asks may, by what Slack says now. */
  readonly decision: Decision;
  /** Why it isn't possible now, in the words in which it would be refused. */
  readonly stops: readonly Phrase[];
  /** Whether that is over in a while by itself. */
  readonly isPassing: boolean;
  /** Whether the service said how the instance is now: without that, nobody knows whether it is possible. */
  readonly isRead: boolean;
  /** Whether it would be shown first, for a yes. */
  readonly asksFirst: boolean;
  readonly needsApproval: boolean;
}

/**
 * The way of a change up to its last call: the same look-ups and checks, each asked of the service and of Slack now, and nothing is
 * written. Throws a Refusal where the words mean no instance, and HostingError where nobody can tell.
 */
export async function rehearse<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  asked: Ask,
): Promise<Rehearsed> {
  const { id: routeId, verb, permission } = declared;
  // What is offered beside a refusal would be the real thing.
  const ask: Ask = { ...asked, route: routeId, words: [...asked.words, '--dry-run'], value: undefined };
  const { found, last } = await findOrLast(deps.hosting, (instances) =>
    findTheirs(declared, deps, ask, instances),
  );
  const { instance, args } = found;
  const [decision, came] = await Promise.all([
    deps.access.check(ask.actor, permission, instance, {
      channelId: ask.place.channelId,
      route: routeId,
      operationId: ask.id,
      isFresh: true,
    }),
    // Where the service is down, that is what is in the way, and the list of before says nothing of now.
    last ? UNREAD : checkNow(declared, deps, ask, instance, args),
  ]);
  return {
    instance,
    what: whatOf(declared, instance, args),
    routeId,
    permission,
    decision,
    ...came,
    needsApproval: approvalOf(deps.approvalRules(), verb, instance) !== undefined,
  };
}

const UNREAD: Findings = { stops: [], isPassing: false, isRead: false, asksFirst: false };

type Findings = Pick<Rehearsed, 'stops' | 'isPassing' | 'isRead' | 'asksFirst'>;

/** Whether it is possible by what the service says of this one instance now. */
async function checkNow<A extends Args>(
  declared: Declared<A>,
  deps: Changing,
  ask: Ask,
  listed: Instance,
  args: A,
): Promise<Findings> {
  const stopped = (stops: readonly Phrase[], isPassing = false): Findings => ({
    stops,
    isPassing,
    isRead: true,
    asksFirst: false,
  });
  try {
    const instance = await deps.hosting.findInstance(listed.id);
    if (!instance) return stopped([say`There is no instance ${nameOf(listed)} any more.`]);
    const at = { ask, instance, args, buttonToken: undefined, isConfirmed: false };
    // It is to say what is wrong with Redis, and not to wait until nothing is.
    const { findHolderFailFast: findHolder } = deps.operations;
    const now = { ...deps, operations: { ...deps.operations, findHolder } };
    const { question } = await checkBefore(declared, now, at);
    return { ...stopped([]), asksFirst: question !== undefined };
  } catch (error) {
    if (error instanceof Refusal) return stopped(error.answer.lines, isRefusalOf(error.code, 'passing'));
    if (isRedisAway(error))
      return stopped([say`Whether anything holds ${nameOf(listed)} can't be read from my database.`]);
    if (!(error instanceof HostingError)) throw error;
    return UNREAD;
  }
}
