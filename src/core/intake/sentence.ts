import type { Access } from '../policy/access.ts';
import { NoRight } from '../policy/no-access.ts';
import { Refusal } from '../refusal.ts';
import type { RefusalCode } from '../refusal-words.ts';
import type { Offers } from '../offers/offers.ts';
import { namesOf } from '../sentences/names.ts';
import { type Phrasebook, phrasebookOf } from '../sentences/phrasebook.ts';
import { type Spot, type Understood, understand } from '../sentences/understand.ts';
import type { Threads } from '../threads/threads.ts';
import type { HostingService, Instance } from '../../platform/hosting/service.ts';
import { HostingError } from '../../platform/hosting/hosting-error.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import type { People } from '../../platform/slack/people.ts';
import type { Button, Message } from '../../platform/slack/message.ts';
import type { Ask } from '../ask/ask.ts';
import { isWrittenDown, isWrite, permissionFor, type Route } from './route.ts';
import type { RouteTable } from './routes.ts';
import { cannotDo, doYouWant, labelOf, readAs, whichOne, youAreWelcome } from './sentence-messages.ts';
import { typedButton } from './typed-button.ts';

export interface SentenceDeps {
  readonly hosting: Pick<HostingService, 'listInstances' | 'listAddons' | 'about'>;
  readonly access: Pick<Access, 'which' | 'require'>;
  readonly threads: Pick<Threads, 'find'>;
  readonly offers: Offers;
  readonly people: Pick<People, 'zone'>;
  readonly routes: RouteTable;
}

/** What a line that is no command comes to. */
export type Meant =
  /** Something that only shows, which is asked for in its place. `note`: how the line was read. */
  | { readonly ask: Ask; readonly route: Route; readonly note?: Message['note'] }
  /** What the person reads, mostly buttons. */
  | { readonly reply: Message }
  /** A change that this person may not do. */
  | { readonly ask: Ask; readonly route: Route; readonly refused: NoRight };

/** Reads a line whose words were refused, as no command or as one; undefined where the refusal says it best. */
export type ReadSentence = (ask: Ask) => Promise<Meant | undefined>;

/** Refusals of words that weren't understood. A line that was refused so may be a sentence. */
export const SLIPS: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'unknown-word',
  'unknown-verb',
  'no-such-name',
  'no-such-instance',
  'no-such-favourite',
  'no-such-addon',
  'no-instance',
  'no-type',
  'bad-type',
  'bad-argument',
  'bad-option',
  'bad-filter',
  'bad-schedule',
  'bad-grant',
  'bad-freeze',
  'bad-thaw',
  'bad-alerts',
  'bad-last',
  'bad-set',
  'bad-snooze',
  'bad-favourite',
  'one-at-a-time',
  'unclear',
]);

/** Names are looked up again at the press. */
const FRESH_MS = 10_000;
const ADDONS_FRESH_MS = 300_000;
/** Words after which an add-on may be named. */
const MAY_NAME_ADDON =
  /\b(?:add|attach|install|enable|buy|put|give|needs?|wants?|remove|detach|uninstall|disable|drop|ha(?:s|ve)|with|add-?ons?)\b/i;
const DEFAULT_ZONE = 'UTC';

export function createReadSentence(deps: SentenceDeps): ReadSentence {
  let book: Phrasebook | undefined;
  return async (ask) => {
    if (ask.line === undefined) return undefined;
    // Every route is known only once all are made.
    book ??= phrasebookOf([...deps.routes.byId.values()]);
    const spot = await spotOf(deps, ask);
    const understood = understand(book, ask.line, spot);
    return understood && meantBy(deps, ask, understood, spot.known.names.all);
  };
}

/** What this person may know of where they say it. */
async function spotOf(deps: SentenceDeps, { actor, place, line = '', askedAt }: Ask): Promise<Spot> {
  const [instances, addons, zone, shown] = await Promise.all([
    seenBy(deps, actor, place.channelId),
    MAY_NAME_ADDON.test(line) ? addonTypes(deps) : [],
    deps.people.zone(actor.userId).catch(() => undefined),
    place.threadTs === undefined ? [] : aboutThread(deps, place.channelId, place.threadTs),
  ]);
  return {
    known: { names: namesOf(instances), addons: new Set(addons) },
    moment: { at: askedAt, zone: zone ?? DEFAULT_ZONE },
    about: instances.filter(({ id, name }) => shown.some((one) => one.id === id && one.name === name)),
  };
}

/** None where the service can't be asked: its own answer says so to whoever names one. */
async function seenBy(
  { hosting, access }: SentenceDeps,
  actor: Ask['actor'],
  channelId: string,
): Promise<readonly Instance[]> {
  try {
    const [{ instances }, maySee] = await Promise.all([
      hosting.listInstances({ freshMs: FRESH_MS }),
      access.which(actor, 'instances:read', channelId),
    ]);
    return instances.every(maySee) ? instances : instances.filter(maySee);
  } catch (error) {
    if (error instanceof HostingError || error instanceof Refusal) return [];
    throw error;
  }
}

async function addonTypes({ hosting }: SentenceDeps): Promise<readonly string[]> {
  if (!hosting.about.offers.addons) return [];
  try {
    const page = await hosting.listAddons({ freshMs: ADDONS_FRESH_MS });
    return [...new Set(page?.addons.map(({ type }) => type.toLowerCase()))];
  } catch (error) {
    if (error instanceof HostingError) return [];
    throw error;
  }
}

async function aboutThread(
  { threads }: SentenceDeps,
  channelId: string,
  threadTs: string,
): ReturnType<Threads['find']> {
  try {
    return await threads.find(channelId, threadTs);
  } catch (error) {
    if (!isRedisAway(error)) throw error;
    return [];
  }
}

async function meantBy(
  deps: SentenceDeps,
  ask: Ask,
  understood: Understood,
  known: readonly Instance[],
): Promise<Meant | undefined> {
  switch (understood.what) {
    case 'thanks':
      return { reply: youAreWelcome() };
    case 'read':
      return readOf(deps, ask, understood, known);
    case 'which': {
      const { route, asked } = askFor(deps, ask, understood.routeId, understood.words);
      // It names nothing to act on, so its own refusal asks of what.
      const asksItself = route?.spoken?.verbs !== undefined || route?.spoken?.isForOne === true;
      return route && asksItself ? { ask: asked, route } : undefined;
    }
    case 'cannot': {
      const buttons = await cannotButtons(deps, understood.about);
      return { reply: cannotDo(understood.cannot, understood.about, buttons) };
    }
    case 'offers':
      return offersOf(deps, ask, understood);
  }
}

/** The same person asking a route in words of its own. */
function askFor(
  { routes }: SentenceDeps,
  { id, actor, place, responseUrl, triggerId, replaces, askedAt }: Ask,
  routeId: string,
  words: readonly string[],
): { readonly route: Route | undefined; readonly asked: Ask } {
  const asked = {
    id,
    route: routeId,
    words: [...words],
    actor,
    place,
    responseUrl,
    triggerId,
    replaces,
    askedAt,
  };
  return { route: routes.byId.get(routeId), asked };
}

async function readOf(
  deps: SentenceDeps,
  ask: Ask,
  { routeId, words }: Extract<Understood, { what: 'read' }>,
  known: readonly Instance[],
): Promise<Meant | undefined> {
  const { route, asked } = askFor(deps, ask, routeId, words);
  if (!route) return undefined;
  const isOnlyShown = !isWrittenDown(route, words) || words.includes(DRY_RUN);
  if (isOnlyShown) return { ask: asked, route, note: readAs(route, words, known) };
  const button = await typedButton(deps.offers, labelOf(route, words, known), {
    route: route.id,
    words: [...words],
  });
  return button && { reply: { lines: [readAs(route, words, known)], buttons: [button] } };
}

const DRY_RUN = '--dry-run';

async function offersOf(
  deps: SentenceDeps,
  ask: Ask,
  { offers, isWhich }: Extract<Understood, { what: 'offers' }>,
): Promise<Meant | undefined> {
  const buttons: Button[] = [];
  for (const { routeId, words, about } of offers) {
    const { route, asked } = askFor(deps, ask, routeId, words);
    if (!route) continue;
    const refused = await refusedRight(deps, asked, route);
    if (refused) return { ask: asked, route, refused };
    const label = labelOf(route, words, about);
    const button = await typedButton(deps.offers, label, { route: route.id, words: [...words] });
    if (button) buttons.push(routeId.endsWith('.delete') ? { ...button, style: 'danger' } : button);
  }
  if (buttons.length === 0) return undefined;
  return { reply: { lines: [isWhich ? whichOne() : doYouWant(buttons.length)], buttons } };
}

/** Why this person may do it nowhere, so that they are offered to ask for it. */
async function refusedRight(
  { access }: SentenceDeps,
  { id, actor, place, words }: Ask,
  route: Route,
): Promise<NoRight | undefined> {
  const permission = permissionFor(route, words);
  if (permission === undefined) return undefined;
  try {
    await access.require(actor, permission, 'any', {
      channelId: place.channelId,
      route: route.id,
      operationId: id,
    });
    return undefined;
  } catch (error) {
    if (error instanceof NoRight) return error;
    throw error;
  }
}

async function cannotButtons(deps: SentenceDeps, about: readonly Instance[]): Promise<readonly Button[]> {
  const [only, ...others] = about;
  const show = only && others.length === 0 ? shownBy(deps, only.id) : [];
  const asked = [
    ...show,
    ...[...deps.routes.byService].flatMap(([service, route]) =>
      service === 'help' ? [{ route, words: [] }] : [],
    ),
  ];
  const made = await Promise.all(
    asked.map(({ route, words }) =>
      typedButton(deps.offers, labelOf(route, words, about), { route: route.id, words: [...words] }),
    ),
  );
  return made.filter((button) => button !== undefined);
}

/** The routes that show one instance, by what they are asked for with. */
function shownBy(
  { routes }: SentenceDeps,
  id: string,
): readonly { readonly route: Route; readonly words: readonly string[] }[] {
  return [...routes.byId.values()].flatMap((route) =>
    route.spoken?.asks?.includes('<x>') && !isWrite(route, [id]) ? [{ route, words: [id] }] : [],
  );
}
