import { type Pattern, patternOf, spell } from './pattern.ts';
import { FALSE_FRIENDS } from './tables.ts';

/** How people ask for a route in a sentence: its own words, which stand with it. */
export interface Spoken {
  /**
   * The verb and other words for it, in its base form: "restart", "reboot", "turn <x> off". People say them in many ways
   * ("web-1 needs a reboot"), which are the same for all.
   */
  readonly verbs?: readonly string[];
  /** Whole sentences that ask for a change. It becomes a button that says what is done. */
  readonly orders?: readonly Saying[];
  /** Parts of sentences that ask for what the route only shows. It is answered at once. */
  readonly asks?: readonly Saying[];
  /** What help shows first of it: something to type, and what comes of that. */
  readonly example?: readonly [line: string, what: string];
  /** It is offered where a line means nothing: what most people want first. */
  readonly isFirst?: true;
  /** The route whose change this one turns around. */
  readonly undoes?: string;
  /** It may be for a while, as the words say that end it: "for 4h". */
  readonly isForAWhile?: true;
  /** Whole sentences that ask for it only where they say until when: "keep web-1 on". */
  readonly whiles?: readonly Saying[];
  /** It takes one instance at a time. */
  readonly isForOne?: true;
}

/**
 * A pattern, and the words with which the route is asked then: `{x}` what it is about, `{xs}` the same of several, `{as}` the
 * same as filters, and `{who}`, `{span}`, `{time}` (the same with its option, or as days of the calendar), `{month}` (where that is one, and nothing else), `{past}` and `{said}` (as
 * `takePeriods` reads it, and the first with an option where it can't), `{when}`, `{end}` (until when), `{addon}`, `{size}`, `{role}`; `[--last {span}]` only where there is one.
 * Without words, those of `{x}` where the pattern has one, and else none.
 */
export type Saying = string | readonly [pattern: string, words: string];

/** A route as far as sentences go. */
export interface SpokenRoute {
  readonly id: string;
  readonly verb: string;
  readonly spoken?: Spoken | undefined;
}

/** What a pattern asks for. */
export interface Entry {
  readonly route: SpokenRoute;
  readonly pattern: Pattern;
  /** The words with which the route is asked, with slots. */
  readonly words: string;
  /** The pattern, spelled out. */
  readonly text: string;
}

/** What all routes are asked for with. */
export interface Phrasebook {
  /** Whole clauses that ask for a change: none of their words may be left unread. */
  readonly orders: readonly Entry[];
  /** Whole clauses that ask for a change where they say until when. */
  readonly whiles: readonly Entry[];
  /** Parts of sentences that ask to see something; the weightiest first. */
  readonly asks: readonly Entry[];
  /** The words of verbs after which something to act on follows. */
  readonly begins: ReadonlySet<string>;
  /** Every word of a pattern. */
  readonly ordinary: ReadonlySet<string>;
  /** The verbs that are known where they are mistyped: the first two of each route, and its own. */
  readonly mistyped: ReadonlySet<string>;
  /** Those of them that a slip of the finger may have been. */
  readonly words: readonly string[];
}

/** In how many ways people ask for a verb; `<v>` is its base form, `<done>` and `<doing>` the others. */
const FRAMES: readonly string[] = [
  '<v> <x> (<along>)? (again|then)?',
  '<x> <v> (then|again)?',
  '<x> (both|all)? (needs|need|wants|want|requires|has|have|must|should|ought|deserves) (to get|to be|to|be|another|its|their)? (<v>|<done>|<doing>) (again)?',
  '<x> could use <v>',
  '<x> is (to be|due for) (<v>|<done>)',
  '(could|can|would|may) <x> (be|get) <done>',
  '<x> (can|could|may) (be|get) <done>',
  'mind <doing> <x>',
  'give <x> <v>',
  'do? <v> (of|on|for) <x>',
  '(get|have) <x> <done>',
  'need <v> (of|on|for) <x>',
  '<v>',
];

const ALONG: readonly string[] = ['up', 'down', 'off', 'back up'];

/** How people ask what a verb would do, which is answered without doing it. */
const ASKED_FIRST: readonly Saying[] = [
  ['(is|would|will) <that> (be)? (safe|ok|fine|dangerous|risky) (to|if i|if we) <self> <x>', '{x} --dry-run'],
  ['(what|who) * (if|when) (i|we|you) <self> <x>', '{x} --dry-run'],
  ['if (i|we) <self> <x>', '{x} --dry-run'],
  ['(what|who) * <selfing> <x> (do|affect|break|cost|mean)', '{x} --dry-run'],
];

/** Compiles what the routes are asked for with. */
export function phrasebookOf(routes: readonly SpokenRoute[]): Phrasebook {
  const changing = routes.filter(({ spoken }) => spoken?.verbs !== undefined);
  const plain = changing.flatMap((route) => verbsOf(route));
  const macros: Record<string, readonly string[]> = {
    do: plain.map(({ verb }) => verb),
    done: plain.map(({ done }) => done),
    doing: plain.map(({ doing }) => doing),
  };
  for (const route of changing) {
    macros[route.verb] = verbsOf(route).map(({ verb }) => verb);
    macros[`${route.verb}ed`] = verbsOf(route).map(({ done }) => done);
    macros[`${route.verb}ing`] = verbsOf(route).map(({ doing }) => doing);
  }
  const orders: Entry[] = [];
  const whiles: Entry[] = [];
  const asks: Entry[] = [];
  for (const route of routes) {
    const { verbs = [], orders: ordered = [], whiles: held = [], asks: asked = [] } = route.spoken ?? {};
    const own = verbsOf(route);
    const ofRoute = { ...macros, self: own.map(({ verb }) => verb), selfing: own.map(({ doing }) => doing) };
    for (const verb of verbs.filter((one) => one.includes('<x>')))
      orders.push(entry(route, [`${verb} (again|then)?`, '{x}'], {}, true));
    // "Start it up", and nothing off.
    const along = ALONG.filter((word) => own.some(({ verb }) => verb.endsWith(` ${word}`)));
    for (const { verb, done, doing } of own) {
      const framed = { v: [verb], done: [done], doing: [doing], along };
      for (const frame of FRAMES) orders.push(entry(route, [frame, '{x}'], framed, true));
    }
    for (const saying of ordered) orders.push(entry(route, saying, ofRoute, true));
    for (const saying of held) whiles.push(entry(route, saying, ofRoute, true));
    for (const saying of [...(verbs.length > 0 ? ASKED_FIRST : []), ...asked])
      asks.push(
        ...asksOf(
          route,
          saying,
          ofRoute,
          changing.map((one) => one.verb),
        ),
      );
  }
  const words = [...orders, ...whiles, ...asks].flatMap(({ text }) => text.match(/[a-z'-]{2,}/g) ?? []);
  return {
    orders,
    whiles,
    asks: asks.toSorted(
      (one, other) => other.pattern.weight - one.pattern.weight || lastOf(one) - lastOf(other),
    ),
    ordinary: new Set([...FALSE_FRIENDS, ...words, ...plain.map(({ verb }) => `${verb}s`)]),
    mistyped: new Set([
      ...routes.flatMap(({ spoken }) => (spoken?.verbs ?? []).slice(0, 2)),
      ...routes.flatMap(({ verb, spoken }) => (spoken?.orders ? [verb] : [])),
    ]),
    words: [...new Set(words)].filter((word) => word.length >= SHORTEST_WORD),
    begins: new Set(changing.flatMap(({ spoken }) => (spoken?.verbs ?? []).flatMap(wordBefore))),
  };
}

/** Shorter words are too near to others. */
const SHORTEST_WORD = 4;

/** What names one instance comes before what takes several as a filter. */
function lastOf({ words }: Entry): number {
  return words.includes('{as}') ? 1 : 0;
}

/** One for each verb where the words name the verb. */
function asksOf(
  route: SpokenRoute,
  saying: Saying,
  macros: Readonly<Record<string, readonly string[]>>,
  changing: readonly string[],
): readonly Entry[] {
  if (typeof saying === 'string' || !saying[1].includes('{do}')) return [entry(route, saying, macros, false)];
  return changing.map((verb) =>
    entry(
      route,
      [saying[0], saying[1].replace('{do}', verb)],
      { ...macros, do: macros[verb] ?? [], doing: macros[`${verb}ing`] ?? [] },
      false,
    ),
  );
}

function entry(
  route: SpokenRoute,
  saying: Saying,
  macros: Readonly<Record<string, readonly string[]>>,
  isWhole: boolean,
): Entry {
  const text = textOf(saying);
  const words = typeof saying === 'string' ? (text.includes('<x>') ? '{x}' : '') : saying[1];
  if (isWhole && text.includes('*'))
    throw new Error(`an order explains all of it, and "${text}" of ${route.id} leaves room`);
  const spelled = spell(text, macros);
  return { route, pattern: patternOf(spelled, isWhole), words, text: spelled.replace(/<[a-z]+>/g, '') };
}

function textOf(saying: Saying): string {
  return typeof saying === 'string' ? saying : saying[0];
}

/** The verbs of a route in their three forms, without the place of what they are about. */
function verbsOf({
  spoken,
}: SpokenRoute): readonly { readonly verb: string; readonly done: string; readonly doing: string }[] {
  return (spoken?.verbs ?? []).map((typed) => {
    const verb = withoutSlot(typed);
    return { verb, ...formsOf(verb) };
  });
}

/** "turn <x> off" as "turn off". */
function withoutSlot(verb: string): string {
  return verb.replace(' <x>', '');
}

/** Verbs of many meanings: what follows them is mostly nothing to act on. */
const GENERAL: ReadonlySet<string> = new Set('get have give put bring take'.split(' '));

/** The word of a verb after which comes what is acted on: the "off" of "turn off", the "turn" of "turn <x> off". */
function wordBefore(verb: string): string[] {
  const words = verb.split(' ');
  const slot = words.indexOf('<x>');
  const before = words.slice(slot < 0 ? -1 : slot - 1, slot < 0 ? undefined : slot);
  return before.filter((word) => !GENERAL.has(word));
}

/** Verbs whose other forms follow no rule: what was done, what is being done. */
const IRREGULAR: Readonly<Record<string, readonly [done: string, doing: string]>> = {
  shut: ['shut', 'shutting'],
  take: ['taken', 'taking'],
  bring: ['brought', 'bringing'],
  wake: ['woken', 'waking'],
  run: ['run', 'running'],
  put: ['put', 'putting'],
  get: ['got', 'getting'],
  give: ['given', 'giving'],
  spin: ['spun', 'spinning'],
  buy: ['bought', 'buying'],
};

/** The forms of a verb that was done, and is being done: "stopped", "shutting down". Pure. */
export function formsOf(verb: string): { readonly done: string; readonly doing: string } {
  const [first = '', ...rest] = verb.split(' ');
  const [done, doing] = IRREGULAR[first] ?? regular(first);
  const withRest = (word: string): string => [word, ...rest].join(' ');
  return { done: withRest(done), doing: withRest(doing) };
}

function regular(verb: string): readonly [string, string] {
  if (verb.endsWith('e')) return [`${verb}d`, `${verb.slice(0, -1)}ing`];
  // A short vowel before the last letter doubles it: stop, stopped.
  const stem = /^[^aeiou]*[aeiou][bdgklmnprt]$/.test(verb) ? `${verb}${verb.at(-1)}` : verb;
  return [`${stem}ed`, `${stem}ing`];
}
