/** What a person does with a line, and the words it is about. */
export interface Line {
  /** `run` a command, `mention` the bot, `say` something else, or one of the words that begin with a colon. */
  readonly verb: 'run' | 'mention' | 'say' | ColonVerb;
  readonly words: string;
}

type ColonVerb = (typeof COLON_VERBS)[number];

/** Every word that can follow a colon. */
export const COLON_VERBS = [
  'press',
  'pick',
  'type',
  'close',
  'reply',
  'dm',
  'slackbot',
  'shortcut',
  'as',
  'people',
  'pass',
  'set',
  'lock',
  'unlock',
  'calls',
  'help',
  'quit',
] as const;

/** What everybody tries first, without a colon. */
const BARE: Readonly<Record<string, ColonVerb>> = { help: 'help', '?': 'help', quit: 'quit', exit: 'quit' };

/** Reads a line as typed; undefined for a word with a colon that there isn't, like `:push`. */
export function readLine(typed: string): Line | undefined {
  const line = typed.trim();
  if (line.startsWith('/')) return { verb: 'run', words: line };
  const mention = /^@\S+\s*(.*)$/s.exec(line);
  if (mention) return { verb: 'mention', words: mention[1] ?? '' };
  const bare = Object.hasOwn(BARE, line.toLowerCase()) ? BARE[line.toLowerCase()] : undefined;
  if (bare) return { verb: bare, words: '' };
  // An emoji, like `:wave:`, is no such word.
  const [, word, words = ''] = /^:(?![\w+-]+:)(\S*)(?:\s+(.*))?$/s.exec(line) ?? [];
  if (word === undefined) return { verb: 'say', words: line };
  const verb = COLON_VERBS.find((one) => one === word.toLowerCase());
  return verb && { verb, words };
}
