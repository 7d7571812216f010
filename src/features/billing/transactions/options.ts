import { inWords, mendOptions, mendTimes } from '../../../core/ask/mend-words.ts';
import { type Option, readOptions } from '../../../core/ask/words.ts';
import { z } from 'zod';
import { Refusal } from '../../../core/refusal.ts';
import { type Phrase, say } from '../../../platform/slack/phrase.ts';
import { parseDuration } from '../../../platform/time/duration.ts';

/** The options of `billing transactions`, as typed; `from` and `trail` are a button's. */
export interface Options {
  readonly last?: string;
  /** Days of the calendar, as `parsePeriod` reads them. */
  readonly in?: string;
  readonly type?: string;
  readonly instance?: string;
  readonly csv?: boolean;
  readonly from: StatementPosition;
  /** Where the screens before this one began, the newest first. */
  readonly trail: readonly StatementPosition[];
}

/**
 * Where reading goes on: the service's page, counted from 1. `after`: the mark of what was read last and stood there; whatever
 * is new since has pushed it further down, never up.
 */
const placeSchema = z.object({
  page: z.int().min(1).max(9_999_999),
  after: z.string().optional(),
});
export type StatementPosition = Readonly<z.infer<typeof placeSchema>>;

const NEWEST: StatementPosition = { page: 1 };
/** So many screens a button goes back, one after another. */
const MAX_TRAIL = 100;

const KNOWN: Readonly<Record<string, Option>> = {
  last: { offers: ['7d', '30d', inWords('Time', '12h or 4w')] },
  in: { offers: [inWords('Days', '2026-10')] },
  type: { offers: [inWords('Type', 'purchase')] },
  instance: { offers: [inWords('Name or id', 'web-1')] },
  csv: 'flag',
  from: { offers: [] },
  trail: { offers: [] },
};
const EXAMPLE =
  '--last 30d, --in 2026-10, --type purchase, --instance web-1 and --csv, as in /billing transactions --last 7d';

/**
 * The options in the words after `billing transactions`. `--type daily charge` needs no quotes. Throws a Refusal for
 * an option that doesn't exist.
 */
export function parseOptions(words: readonly string[]): Options {
  const { texts, flags, rest, twice } = readOptions(joined(words), KNOWN, EXAMPLE);
  const [unknown] = rest;
  if (unknown !== undefined) throw no(say`I don't know "${unknown}" here.`);
  if (twice !== undefined) throw no(say`--${twice} is there twice.`);
  const [last, period] = [texts.get('last'), texts.get('in')];
  if (last !== undefined && period !== undefined) throw no(say`Give me one time: --last or --in.`);
  return {
    last,
    in: period,
    type: texts.get('type'),
    instance: texts.get('instance'),
    ...(flags.has('csv') ? { csv: true } : {}),
    from: placeSchema.catch(NEWEST).parse(jsonOf(texts.get('from'))),
    trail: z
      .array(placeSchema)
      .catch([])
      .parse(jsonOf(texts.get('trail'))),
  };
}

function no(why: Phrase): Refusal {
  return new Refusal(
    'bad-option',
    say`${why} The options are ${EXAMPLE}.`,
    mendOptions(['last', 'in', 'type', 'instance', 'csv']),
  );
}

/** The filters as `parseOptions` reads them back. */
export function filterWords({ last, in: period, type, instance }: Options): string[] {
  const filters = Object.entries({ last, in: period, type, instance });
  return filters.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
}

/** The same filters, from another place on. */
export function statementWords(
  options: Options,
  from: StatementPosition,
  trail: readonly StatementPosition[],
): string[] {
  return [
    ...filterWords(options),
    '--from',
    JSON.stringify(from),
    '--trail',
    JSON.stringify(trail.slice(-MAX_TRAIL)),
  ];
}

/** A time like 30d, 12h or 4w in ms. Throws a Refusal for any other. */
export function sinceMs(last: string): number {
  const ms = parseDuration(last, ['h', 'd', 'w']);
  if (ms === undefined)
    throw new Refusal('bad-last', say`I can't read "${last}". Use --last 30d, 12h or 4w.`, mendTimes);
  return ms;
}

/** Whatever follows the value of a type or an instance up to the next option belongs to it: "daily charge", "web-1 (101)". */
function joined(words: readonly string[]): string[] {
  const args: string[] = [];
  for (const word of words) {
    const isValue = /^--(?:type|instance)$/.test(args.at(-2) ?? '');
    if (isValue && !word.startsWith('--')) args.push(`${args.pop() ?? ''} ${word}`);
    else args.push(word);
  }
  return args;
}

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '') as unknown;
  } catch {
    return undefined;
  }
}
