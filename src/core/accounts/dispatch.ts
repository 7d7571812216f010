import type { Listeners } from '../intake/listeners.ts';
import { NeitherTakenNorAnswered } from '../intake/answer.ts';
import { textOfMessage } from '../intake/text-of-message.ts';
import type { Threads } from '../threads/threads.ts';
import { idOf } from '../../platform/id.ts';
import { type AccountMark, marked, unmarked } from '../../platform/slack/account-mark.ts';
import { arrivedAtOf, incomingIdOf } from '../../platform/slack/incoming-request.ts';
import { acknowledgement } from '../../platform/slack/response-url.ts';
import { type Caller, isReachable } from './account.ts';
import { directWith, tell } from './tell-alone.ts';
import { type AskedAccount, whose } from './whose.ts';
import {
  type WithDefaults,
  noneHere,
  notReachable,
  ownOf,
  reachableFor,
  takeNames,
  type ChosenAccounts,
} from './choose.ts';
import { dispatchStep } from './dispatch-step.ts';
import { homeHeard, pressHeard, saidBy, saidIn, saidTo, shortcutHeard } from './read-heard.ts';
import { commandSchema, messageSchema } from '../intake/incoming.ts';
import { writerOf } from '../intake/message-listener.ts';
import type { Base } from '../base.ts';

/** An account with what answers for it. */
export interface Served extends AskedAccount, WithDefaults {
  readonly listeners: Listeners;
  readonly mark: AccountMark;
  readonly threads: Pick<Threads, 'find'>;
}

export interface DispatchDeps extends Pick<Base, 'log' | 'messenger' | 'homes' | 'responder' | 'inFlight'> {
  /** In the order of the configuration; at least one. */
  readonly served: readonly [Served, ...Served[]];
  readonly chosen: ChosenAccounts;
  readonly apiUrl: string;
}

/**
 * Listeners that hand each request to the account that it is about: the one that is named or marked on what was pressed, else
 * the channel's own. What names an account that can't be reached from there goes to none. What can't be read goes to the
 * first, which counts it and drops it.
 */
export function createDispatch(deps: DispatchDeps): Listeners {
  const { served } = deps;
  const [first] = served;
  return {
    command: createCommand(deps),
    press: createPress(deps),
    submission: ({ body, ack, context }) => {
      const own = unmarked('submission', body);
      return (named(served, own.account) ?? first).listeners.submission({ body: own.body, ack, context });
    },
    typing: ({ body, ack, context }) => {
      const own = unmarked('suggestion', body);
      return (named(served, own.account) ?? first).listeners.typing({ body: own.body, ack, context });
    },
    shortcut: createShortcut(deps),
    message: createMessage(deps),
    home: createHome(deps),
    workflowStep: dispatchStep(served),
  };
}

function named(served: readonly Served[], name: string | undefined): Served | undefined {
  return served.find(({ account }) => account.name === name);
}

function createCommand(deps: DispatchDeps): Listeners['command'] {
  const { served } = deps;
  const [first] = served;
  return async ({ body, ack, context: arrived }) => {
    const read = commandSchema.safeParse(body).data;
    if (!read) return first.listeners.command({ body, ack, context: arrived });
    const caller = { userId: read.user_id, channelId: read.channel_id };
    const began = Date.now();
    const meant = await whose(deps, caller, {
      ...saidBy(read, arrived),
      text: read.text,
      line: read.text,
      command: read.command,
    });
    if ('said' in meant) return ack(acknowledgement(meant.said));
    const [only, ...others] = meant.to;
    const context = since(began, arrived);
    if (others.length === 0 && only) {
      return only.listeners.command({
        body: { ...body, text: meant.text },
        ack: (said) => ack(typeof said === 'object' ? marked(only.mark, said) : said),
        context,
      });
    }
    // An acknowledgement holds one answer, so each account says its part after it.
    const once = async (): Promise<void> => undefined;
    await Promise.all(
      meant.to.map(({ listeners }) => listeners.command({ body, ack: once, context, isForSeveral: true })),
    );
    return ack();
  };
}

function createPress(deps: DispatchDeps): Listeners['press'] {
  const { served } = deps;
  const [first] = served;
  return async ({ body, ack, context }) => {
    const own = unmarked('press', body);
    const press = pressHeard.safeParse(body).data;
    if (!press) return first.listeners.press({ body, ack, context });
    const channelId = press.channel?.id ?? press.container?.channel_id;
    const caller = { userId: press.user.id, channelId };
    // What has no mark is from before there were accounts: any of them says that it leads nowhere.
    const one = own.account === undefined ? reachableFor(served, caller)[0] : named(served, own.account);
    // A modal says itself where it was asked for, and its account checks that.
    const isCheckedLater = press.view?.type === 'modal';
    if (one && (isCheckedLater || isReachable(one.account, caller))) {
      if (press.view?.type === 'home') await goHome(deps, press.user.id, one);
      return one.listeners.press({ body: own.body, ack, context });
    }
    const about = { id: `unreachable ${incomingIdOf(context)}`, responseUrl: press.response_url };
    if (channelId !== undefined) await tell(deps, { ...caller, channelId }, notReachable(), about);
    return ack();
  };
}

function createShortcut(deps: DispatchDeps): Listeners['shortcut'] {
  const { served } = deps;
  const [first] = served;
  return async ({ body, ack, context }) => {
    const read = shortcutHeard.safeParse(body).data;
    if (!read) return first.listeners.shortcut({ body, ack, context });
    const caller = { userId: read.user.id, channelId: read.channel?.id };
    const reachable = reachableFor(served, caller);
    // A message that names its account is about that one, wherever it stands.
    const text = textOfMessage(read.message);
    const { names, rest } = takeNames(
      text,
      reachable.map(({ account }) => account.name),
    );
    const meant = names.length === 1 ? named(reachable, names[0]) : undefined;
    if (meant) {
      const { ts, thread_ts } = read.message ?? {};
      const message = { ...(ts ? { ts } : {}), ...(thread_ts ? { thread_ts } : {}), text: rest };
      return meant.listeners.shortcut({ body: Object.assign({}, body, { message }), ack, context });
    }
    const threadTs = read.message?.thread_ts ?? read.message?.ts;
    const sure =
      (await ofThread(reachable, { ...caller, threadTs })) ?? (await ownOf(served, reachable, caller));
    if (!sure && read.message && reachable.length > 1) {
      // Nothing says which: each shows what the message names of its own, under its name, and nothing is picked for anybody.
      const once = async (): Promise<void> => undefined;
      for (const { listeners } of reachable) await listeners.shortcut({ body, ack: once, context });
      return ack();
    }
    const one = sure ?? (await lookedAt(deps, reachable, read.user.id));
    if (one) return one.listeners.shortcut({ body, ack, context });
    // No account's name is said to a person who can reach none.
    const channelId = caller.channelId ?? (await directWith(deps, read.user.id));
    if (channelId === undefined) throw new NeitherTakenNorAnswered();
    const about = { id: `none for ${incomingIdOf(context)}`, responseUrl: read.response_url };
    if (!(await tell(deps, { ...caller, channelId }, noneHere(), about))) throw new NeitherTakenNorAnswered();
    return ack();
  };
}

function createMessage(deps: DispatchDeps): Listeners['message'] {
  const { served } = deps;
  const [first] = served;
  return async ({ body, context: arrived }) => {
    const message = messageSchema.safeParse(body).data;
    // What nobody wrote, or changed, begins nothing at any.
    const userId = message && writerOf(message.event, arrived.botUserId);
    if (!message || userId === undefined) return first.listeners.message({ body, context: arrived });
    const { event } = message;
    const { thread_ts: threadTs } = event;
    const caller = { userId, channelId: event.channel };
    const began = Date.now();
    const meant = await whose(deps, caller, {
      ...saidIn(message, userId, arrived),
      text: event.text,
      line: saidTo(event),
    });
    const context = since(began, arrived);
    // In the thread of a card its account is meant, unless another is named.
    const ofCard =
      'to' in meant && meant.isNamed
        ? undefined
        : await ofThread(reachableFor(served, caller), { ...caller, threadTs });
    if (ofCard) return ofCard.listeners.message({ body, context });
    const messageId = idOf(`line ${event.channel} ${event.ts}`);
    const remember = remembering(deps);
    const before = await remember.find(messageId);
    if (!before && 'said' in meant) {
      const about = { id: `which account ${event.channel} ${event.ts}`, threadTs };
      if (!(await tell(deps, caller, meant.said, about))) throw new NeitherTakenNorAnswered();
      await remember.keep(messageId, []);
      return undefined;
    }
    const { text, to } = 'to' in meant ? meant : { text: event.text, to: [] };
    const goesTo = before ?? to;
    if (!before) await remember.keep(messageId, to);
    const unnamed = { ...body, event: { ...body.event, text } };
    await Promise.all(goesTo.map(({ listeners }) => listeners.message({ body: unnamed, context })));
    return undefined;
  };
}

/** To which accounts a message went, so that it goes to the same when Slack delivers it again. Never throws. */
function remembering({ chosen, served, log }: DispatchDeps): {
  find(messageId: string): Promise<readonly Served[] | undefined>;
  keep(messageId: string, to: readonly Served[]): Promise<void>;
} {
  const warn = (error: unknown): undefined => {
    log.warn({ error }, 'remembering to which accounts a message goes');
    return undefined;
  };
  return {
    find: async (messageId) => {
      const names = await chosen.findWent(messageId).catch(warn);
      return names?.map((name) => named(served, name)).filter((one) => one !== undefined);
    },
    keep: async (messageId, to) => {
      const names = to.map(({ account }) => account.name);
      await chosen.keepWent(messageId, names).catch(warn);
    },
  };
}

/** What is known of a request whose account was sought since `began`: the time for taking it in counts from now. */
function since<Context extends Readonly<Record<string, unknown>>>(began: number, context: Context): Context {
  return { ...context, arrivedAt: arrivedAtOf(context) + Date.now() - began };
}

function createHome(deps: DispatchDeps): Listeners['home'] {
  const { served, homes, inFlight } = deps;
  const [first] = served;
  return async ({ body, context }) => {
    const event = homeHeard.safeParse(body).data?.event;
    if (!event) return first.listeners.home({ body, context });
    const reachable = reachableFor(served, { userId: event.user, channelId: event.channel });
    const one = await lookedAt(deps, reachable, event.user);
    if (one) {
      await goHome(deps, event.user, one);
      return one.listeners.home({ body, context });
    }
    void inFlight.run(() => homes.publish(event.user, event.channel, [noneHere()]));
    return undefined;
  };
}

/** The account of the card in whose thread something is asked; undefined outside of one, and while nobody can tell. */
async function ofThread(
  reachable: readonly Served[],
  { channelId, threadTs }: Caller & { readonly threadTs?: string | undefined },
): Promise<Served | undefined> {
  if (channelId === undefined || threadTs === undefined) return undefined;
  const about = await Promise.all(
    reachable.map((one) => one.threads.find(channelId, threadTs).catch(() => undefined)),
  );
  return reachable.find((_, index) => (about[index]?.instances.length ?? 0) > 0);
}

/** The account whose Home a person looked at last, else the first that they can reach; undefined where they can reach none. */
async function lookedAt(
  { chosen }: DispatchDeps,
  reachable: readonly Served[],
  userId: string,
): Promise<Served | undefined> {
  const name = await chosen.find(userId).catch(() => undefined);
  return named(reachable, name) ?? reachable[0];
}

/** A person has one Home: it shows this account from now on. */
async function goHome({ chosen, log }: DispatchDeps, userId: string, { account }: Served): Promise<void> {
  await chosen
    .choose(userId, account.name)
    .catch((error: unknown) => log.warn({ by: userId, error }, 'remembering whose Home is shown'));
}
