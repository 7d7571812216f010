import { setTimeout as wait } from 'node:timers/promises';
import { takeSeat } from '../seat.ts';
import { normalize } from './normalize.ts';
import type { Backstage, Scenario, Step } from './scenario.ts';
import { type Sighting, watchMessages } from './sightings.ts';

/** Where a scenario is played. */
export interface Stage extends Backstage {
  /** Resolves when no request and no operation is open. */
  settled(): Promise<void>;
  /** Resolves when all that is to be said of the balance stands in Slack. */
  reported(): Promise<void>;
  readonly quietMs: number;
}

const LIMIT_MS = 40_000;
const MAX_LINE = 100;

/** Plays one scenario and gives it as Markdown: each step, and what people saw then. */
export async function playScenario(stage: Stage, scenario: Scenario): Promise<string> {
  const { who = 'ana', where = '#ops', title, steps } = scenario;
  const seat = takeSeat(stage.slack, who, where);
  const sightings = watchMessages(stage.slack);
  // What earlier scenarios of the act have shown.
  sightings.take();
  let modal: string | undefined;
  const stopWatching = seat.watchModals((shown) => (modal = shown));

  const find = async (words: string): Promise<Sighting[]> => {
    const found = await stage.slack.until(() => sightings.find(words), { timeoutMs: LIMIT_MS });
    return [...found];
  };
  const end = async (words: string | undefined): Promise<Sighting[]> => {
    if (words !== undefined) return find(words);
    await untilQuiet(stage);
    return sightings.take();
  };

  const typed = async (line: string, words: string | undefined): Promise<Sighting[]> => {
    const before = seat.glance();
    const { fault, isAsked } = await seat.act(line);
    if (fault?.startsWith('Several choices') || fault === 'No choices.')
      return [
        {
          where: 'The picker offers:',
          text: fault.replace(/^Several choices: /, '').replaceAll(/, (?=[^,]*\()/g, '\n'),
        },
      ];
    if (fault !== undefined) throw new Error(`${line}: ${fault}`);
    // Somebody else sits there now, and nothing was asked.
    if (line.startsWith(':as ')) return [];
    if (isAsked && words === undefined)
      await stage.slack.until(() => seat.glance() !== before, { timeoutMs: LIMIT_MS });
    return end(words);
  };

  /** What was typed is wrong, which the modal says at once. */
  const typedInModal = async (line: string): Promise<Sighting[]> => {
    await seat.act(line);
    return [];
  };

  const play = async (step: Step): Promise<string> => {
    modal = undefined;
    if (typeof step !== 'string' && 'happens' in step) {
      await step.act(stage);
      const seen = await end(step.until);
      return join([step.happens === '' ? '' : `_${step.happens}_`, ...seenWords(seen, modal)]);
    }
    const { line, until: words, isAnsweredInModal } = typeof step === 'string' ? { line: step } : step;
    const by = seat.who;
    const seen = isAnsweredInModal ? await typedInModal(line) : await typed(line, words);
    return join([lineWords(line, by, where), ...seenWords(seen, modal)]);
  };

  try {
    const played: string[] = [];
    for (const step of steps) played.push(await play(step));
    // What is still to come belongs to this scenario, and not to the next one.
    played.push(...seenWords(await end(undefined), undefined));
    return normalize(join([`## ${title}`, ...played]));
  } catch (error) {
    throw new Error(`"${title}": ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    stopWatching();
  }
}

/** Resolves when nothing is open, and Slack was not called for a while where the act says so. */
async function untilQuiet({ slack, settled, reported, quietMs }: Stage): Promise<void> {
  for (;;) {
    const calls = slack.calls.length;
    await settled();
    await reported();
    if (quietMs === 0) return;
    await wait(quietMs);
    if (slack.calls.length === calls) return;
  }
}

function lineWords(line: string, who: string, where: string): string {
  const [, verb, words = ''] = /^:(\w+) ?(.*)$/.exec(line) ?? [];
  switch (verb) {
    case undefined:
      return `**@${who}** in ${where}: \`${shorten(line)}\``;
    case 'as':
      return '';
    case 'close':
      return `**@${who}** closes the modal`;
    case 'reply':
      return `**@${who}** in the thread of the latest message: \`${words}\``;
    case 'shortcut':
      return `**@${who}** uses the shortcut _${words}_`;
    case 'type':
      return `**@${who}** types into the modal: \`${words}\``;
    case 'pick':
      return `**@${who}** types into the picker: \`${words}\``;
    default:
      return `**@${who}** presses \`${words}\``;
  }
}

function shorten(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}

function seenWords(seen: readonly Sighting[], modal: string | undefined): string[] {
  const all = [...seen, ...(modal === undefined ? [] : [{ where: 'In a modal:', text: modal }])];
  return all.map(({ where, text }) => `${where}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\``);
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
