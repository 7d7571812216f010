/**
 * The words that people put around what they mean, in lower case: one page of data, read by the rest of this folder. What a
 * route is called by, and asked for with, stands with the route itself.
 */

/** A table that has what stands in it and nothing else: any word may be looked up, "constructor" too. */
function table(entries: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> {
  const bare: Record<string, string> = Object.create(null);
  return Object.assign(bare, entries);
}

/** What a line is that holds nothing else. */
export const THANKS: ReadonlySet<string> = new Set(
  'thanks thx ty cheers great nice cool perfect good job ok okay k awesome thank you love it done'.split(' '),
);

/** What a line of one word asks of what was spoken of before. */
export const ALONE = table({
  why: 'why did it fail',
  'what happened': 'what happened with it',
});

/** Short forms, spelled out. */
export const SPELLED = table({
  whats: 'what is',
  "what's": 'what is',
  wats: 'what is',
  hows: 'how is',
  "how's": 'how is',
  whos: 'who is',
  "who's": 'who is',
  wheres: 'where is',
  "where's": 'where is',
  whys: 'why is',
  "let's": 'let us',
  lets: 'let us',
  "i'm": 'i am',
  im: 'i am',
  ill: 'i will',
  "i'll": 'i will',
  yesterdays: 'yesterday',
  "i'd": 'i would',
  "it's": 'its',
  "that's": 'that is',
  "there's": 'there is',
  "don't": 'do not',
  dont: 'do not',
  "doesn't": 'does not',
  doesnt: 'does not',
  "didn't": 'did not',
  didnt: 'did not',
  "isn't": 'is not',
  isnt: 'is not',
  "aren't": 'are not',
  "can't": 'can not',
  cant: 'can not',
  cannot: 'can not',
  "won't": 'will not',
  wont: 'will not',
  "shouldn't": 'should not',
  shouldnt: 'should not',
  "wasn't": 'was not',
  "hasn't": 'has not',
  "haven't": 'have not',
  u: 'you',
  ur: 'your',
  r: 'are',
  n: 'and',
  w: 'with',
  'w/': 'with',
  '&': 'and',
  '+': 'and',
  gonna: 'going to',
  wanna: 'want to',
  gotta: 'has to',
  wtf: 'what',
  tmrw: 'tomorrow',
  tmr: 'tomorrow',
  til: 'till',
  gimme: 'give me',
  lemme: 'let me',
  shouldn: 'should not',
  addons: 'add-ons',
  addon: 'add-on',
});

/** In a clause beside an order these take it back, or tell of it: nothing that changes something is offered then. */
export const TAKES_BACK: ReadonlySet<string> = new Set(
  `not no never nope dont if when whenever unless imagine suppose supposing hypothetically before after said says say told
  typed wrote wanted asked asks suggests suggested recommends recommended had did was were already yesterday would
  should why who what how cancel undo stop wait except without until instead thinking think thought might may could about`.split(
    /\s+/,
  ),
);

/** What is not so of an instance takes nothing back: "it is not responding, restart it". */
export const NOT_SO: ReadonlySet<string> = new Set(
  'responding respond working work answering answer reachable load start come move moving available accessible healthy ok okay up running loading coming good well right need needed used using'.split(
    ' ',
  ),
);

/** What an order of several ends with that is not to be done at once. */
export const ONE_AT_A_TIME: readonly string[] = ['--at-once', '1'];

/** After these a clause of its own begins. */
export const BREAKS: ReadonlySet<string> = new Set(
  'because cause cuz its but sorry whichever while they thanks'.split(' '),
);

/** Who says so corrects what stood before. */
export const CORRECTS: readonly string[] = [
  'sorry',
  'i mean',
  'i meant',
  'rather',
  'or rather',
  'scratch that',
  'no wait',
];

/** What people call any instance. */
export const THINGS: ReadonlySet<string> = new Set(
  `box boxes server servers machine machines instance instances vm vms node nodes host hosts one ones thing things fleet lot
  guy guys`.split(/\s+/),
);

/** What people call the instances whose names begin with the word behind it. */
export const KINDS = table({
  database: 'db',
  databases: 'db',
  webserver: 'web',
  webservers: 'web',
  workers: 'worker',
  webs: 'web',
  dbase: 'db',
  website: 'web',
  dbs: 'db',
});

/** Words for all of them. */
export const ALL: ReadonlySet<string> = new Set(
  'all every everything both each any either anything whatever something whole entire'.split(' '),
);

/** States that are mostly something else where they stand before a name: "turn on staging". */
export const PARTICLES: ReadonlySet<string> = new Set('on off up down error failed'.split(' '));

/** Words for one that stands before: in the thread, or in the line. */
export const THAT_ONE: ReadonlySet<string> = new Set('it this that they them these those'.split(' '));

/** Those of them that mean several. */
export const THOSE: ReadonlySet<string> = new Set('they them these those'.split(' '));

/** What people say of a state, and the filter for it. */
export const STATES = table({
  stopped: 'status:stopped',
  off: 'status:stopped',
  down: 'status:stopped',
  sleeping: 'status:stopped',
  asleep: 'status:stopped',
  halted: 'status:stopped',
  offline: 'status:stopped',
  running: 'status:running',
  on: 'status:running',
  up: 'status:running',
  online: 'status:running',
  paused: 'status:paused',
  starting: 'status:starting',
  stopping: 'status:stopping',
  restarting: 'status:restarting',
  broken: 'status:error,deploy_failed',
  failed: 'status:error,deploy_failed',
  error: 'status:error',
  errored: 'status:error',
  erroring: 'status:error',
  failing: 'status:error,deploy_failed',
  unhealthy: 'health:unhealthy',
  sick: 'health:unhealthy',
  healthy: 'health:healthy',
});

/** Units of time as people write them, and the letter behind a count. */
export const UNITS = table({
  m: 'm',
  min: 'm',
  mins: 'm',
  minute: 'm',
  minutes: 'm',
  h: 'h',
  hr: 'h',
  hrs: 'h',
  hour: 'h',
  hours: 'h',
  d: 'd',
  day: 'd',
  days: 'd',
  w: 'w',
  week: 'w',
  weeks: 'w',
});

/** Numbers as words. */
export const NUMBERS = table(
  Object.fromEntries(
    'zero one two three four five six seven eight nine ten eleven twelve'
      .split(' ')
      .map((word, number) => [word, String(number)]),
  ),
);

/** What people call parts of a system that no instance here need be called. */
export const PARTS: ReadonlySet<string> = new Set(
  'prod production dev qa api app backend frontend cache redis queue proxy gateway lb website site cluster'.split(
    ' ',
  ),
);

/** Words that are near to verbs and are none. */
export const FALSE_FRIENDS: ReadonlySet<string> = new Set(
  'state states stats stars smart store story stack stock steps stuff strip shop boost boots resort chart watt match patch latch hatch catch'.split(
    ' ',
  ),
);

/** Words of the language itself, which carry nothing that could be missed. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  `i you he she we they us him her his its their this that these those which what who whom whose when where why how is are was
  were be been being am do does did doing done has have had having can could will would shall should may might must to of in on
  at by for from with about into over under after before during and or but if then than as so not no nor any some much many more
  most such own same too very up down out off again once yet still ever back get got gets getting going go goes come came see
  happen happens happened happening look looks looking know think seem seems like good bad new last next`.split(
    /\s+/,
  ),
);

/** Whether nothing is missed where a word is left out. */
export function isSmallWord(word: string): boolean {
  return SMALL_WORDS.has(word) || BREAKS.has(word) || TAKES_BACK.has(word) || Object.hasOwn(UNITS, word);
}
