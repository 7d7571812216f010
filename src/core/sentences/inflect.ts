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
