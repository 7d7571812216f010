import { oneOf } from '../../core/ask/mend-words.ts';
import { noAccess } from '../../core/policy/no-access.ts';
import { adminsOf, whoCanHelp } from '../../core/policy/messages.ts';
import { leastRoleWith, type Permission } from '../../core/policy/permissions.ts';
import type { Decision, Policy } from '../../core/policy/decide.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Route, Topic, Feature } from '../../core/intake/route.ts';
import { closest } from '../../core/ask/closest.ts';
import { BoundedMap } from '../../platform/bounded-map.ts';
import type { Message } from '../../platform/slack/message.ts';
import { join, type Phrase, say, strong } from '../../platform/slack/phrase.ts';
import type { Lamplighter } from './home.ts';

const HELP_ROUTE = 'lamplighter.help';

/** One line of help, and the words that it is found by. */
interface Entry {
  readonly noun: string;
  readonly route: Route;
  /** A part of what the route does, shown only where the route or the topic is asked about. */
  readonly topic?: Topic;
  readonly names: readonly string[];
  /** What help shows of it. */
  readonly line: Phrase;
}

/** `/lamplighter help [topic]`: read from the route table, and only what this person may do. */
export function helpRoute(deps: Lamplighter): Route {
  let entriesOfAll: readonly Entry[] | undefined;
  const known = new BoundedMap<string, About>(MOST_KEPT);
  const drawn = createDrawn();
  const findAbout = (words: readonly string[]): About => {
    const key = JSON.stringify(words);
    const before = known.get(key);
    if (before) return before;
    // Made at the first question: only then is there every feature, and after that they stay the same.
    entriesOfAll ??= deps.features().flatMap((feature) => entriesOf(deps.prefix, feature));
    const about = aboutOf(words, entriesOfAll);
    known.set(key, about);
    return about;
  };
  return {
    id: HELP_ROUTE,
    serves: 'help',
    verb: 'help',
    spoken: {
      isFirst: true,
      asks: [
        ['what (may|can) (i|you) (do|ask|say)', ''],
        ['how (do|does) (you|this) work', ''],
        ['how (do|can|would|to) (i|you|we|one)? <do>', '{do}'],
        ['(what|how) can you (do|help)', ''],
        'help',
        '(commands|manual|docs)',
        'how does this work',
      ],
    },
    permission: undefined,
    writes: false,
    usage: '[topic]',
    summary: 'what you may do here, or about a word: help restart, help alerts, help filters',
    handle: async (ask) => {
      const typed = ask.value === undefined ? ask.words : [ask.value];
      const words = typed.map((word) => word.toLowerCase()).filter((word) => !word.startsWith('-'));
      const about = findAbout(words);
      const { channelId } = ask.place;
      const { policy, decisions } = await deps.access.checkEach(ask.actor, about.permissions, { channelId });
      return drawn(policy, about, decisions, words);
    },
  };
}

/** What some words are about. */
interface About {
  readonly entries: readonly Entry[];
  /** What is asked of the person before it is drawn. */
  readonly permissions: ReadonlySet<Permission>;
}

/** So many are kept of what words are about, and of the messages: one for each that people with the same rights asked for. */
const MOST_KEPT = 100;

/** Throws a Refusal where there is no help about the words. */
function aboutOf(words: readonly string[], all: readonly Entry[]): About {
  const entries = all.filter((entry) => isAbout(entry, words));
  if (entries.length === 0) throw noSuchTopic(words, all);
  return { entries, permissions: new Set(entries.flatMap(({ route }) => route.permission ?? [])) };
}

function entriesOf(prefix: string, { noun, routes }: Feature): Entry[] {
  return routes.flatMap((route) => {
    const { usage } = route;
    if (usage === undefined) return [];
    const command = `/${prefix}${noun} ${route.verb}`;
    const names = [noun, route.verb, ...(route.aliases ?? []), ...(route.spoken?.verbs ?? [])];
    const topics = (route.topics ?? []).map((topic) => ({
      noun,
      route,
      topic,
      names: [...names, ...topic.words],
      line: usageLine(command, topic.usage ?? usage, topic.summary),
    }));
    return [{ noun, route, names, line: usageLine(command, usage, route.summary) }, ...topics];
  });
}

function usageLine(command: string, usage: string, summary: string): Phrase {
  return say`${strong(usage === '' ? command : `${command} ${usage}`)}: ${summary}`;
}

function isAbout({ noun, topic, names }: Entry, words: readonly string[]): boolean {
  if (topic && words.every((word) => word === noun)) return false;
  return words.every((word) => names.includes(word));
}

/** What help says of entries to somebody with these rights. Throws a Refusal where nothing of it is for this person. */
type Draw = (
  policy: Policy,
  about: About,
  decisions: ReadonlyMap<Permission, Decision>,
  words: readonly string[],
) => Message;

/** Draws what it has not drawn for the same words and rights before. */
function createDrawn(): Draw {
  const known = new BoundedMap<string, Message>(MOST_KEPT);
  return (policy, { entries }, decisions, words) => {
    const allowed = new Set([...decisions].flatMap(([one, { allowed: isSo }]) => (isSo ? [one] : [])));
    const no = [...decisions].find(([, decision]) => !decision.allowed);
    const isNothing = !entries.some((entry) => mayDo(entry, allowed));
    if (no && !no[1].allowed && (isNothing || no[1].reason === 'not checked')) {
      // What is asked for is a verb, and nobody has said one yet.
      const { code, answer } = noAccess(no[1], no[0], policy);
      throw new Refusal(code, answer);
    }
    const key = JSON.stringify([words, [...allowed], adminsOf(policy), policy.rolesFile]);
    const before = known.get(key);
    if (before) return before;
    const message = helpMessage(policy, entries, allowed, words);
    known.set(key, message);
    return message;
  };
}

function mayDo({ route: { permission } }: Entry, allowed: ReadonlySet<Permission>): boolean {
  return permission === undefined || allowed.has(permission);
}

function helpMessage(
  policy: Policy,
  entries: readonly Entry[],
  allowed: ReadonlySet<Permission>,
  words: readonly string[],
): Message {
  const shown = entries.filter((entry) => mayDo(entry, allowed));
  const more = entries.filter((entry) => !mayDo(entry, allowed) && !entry.topic);
  const hasRole = shown.some(({ route }) => route.permission !== undefined);
  if (words.length === 0 && hasRole) return overview(shown);
  return {
    lines: [
      words.length === 0
        ? say`You have no role here, so you can only do what is listed below.${whoCanHelp(adminsOf(policy), policy.rolesFile)}`
        : say`What you can do here:`,
      ...(more.length === 0 ? [] : [notAllowed(more, hasRole)]),
    ],
    bullets: shown.map(({ line }) => line),
    note: say`The same words work when you mention me, also in threads, where "this" is the instance of the card.`,
  };
}

/** What fits on one screen of a phone: the things that most people do, and where the rest stands. */
function overview(entries: readonly Entry[]): Message {
  const first = new Map(
    entries.flatMap(({ route, topic }) => (topic || !route.spoken?.example ? [] : [route.spoken.example])),
  );
  const nouns = [...new Set(entries.map(({ noun }) => noun))];
  return {
    lines: [say`Say it your way. A sentence that would change something gets you a button first.`],
    bullets: [...first].map(([line, what]) => say`${strong(line)}: ${what}`),
    buttons: nouns.map((noun) => ({ label: `More: ${noun}`, routeId: HELP_ROUTE, value: noun })),
  };
}

/** What there is besides, by the role that it takes. */
function notAllowed(entries: readonly Entry[], hasRole: boolean): Phrase {
  const byRole = new Map<string, Map<string, string[]>>();
  for (const { noun, route } of entries) {
    if (route.permission === undefined) continue;
    const role = leastRoleWith(route.permission);
    const verbs = byRole.get(role) ?? new Map<string, string[]>();
    byRole.set(role, verbs.set(noun, [...(verbs.get(noun) ?? []), route.verb]));
  }
  const roles = [...byRole].map(([role, verbs]) => {
    const each = [...verbs].map(([noun, those]) => `${noun} ${those.join(', ')}`);
    return say`${each.join(', ')} (${role})`;
  });
  return hasRole
    ? say`Not with your role: ${join(roles, '; ')}.`
    : say`With a role you could also use: ${join(roles, '; ')}.`;
}

function noSuchTopic(words: readonly string[], all: readonly Entry[]): Refusal {
  const typed = words.join(' ');
  const meant = closest(typed, [...new Set(all.flatMap(({ names }) => names))]);
  const nouns = [...new Set(all.map(({ noun }) => noun))].join(', ');
  return new Refusal(
    'no-such-topic',
    meant === undefined
      ? say`There is no help about "${typed}". There is help about ${nouns}, and about each command, as in /lamplighter help restart.`
      : say`There is no help about "${typed}". Did you mean ${meant}?`,
    meant === undefined ? oneOf() : oneOf([meant]),
  );
}
