import { bulletsOf, type Message } from '../../platform/slack/message.ts';
import { type Phrase, say, toPlainText } from '../../platform/slack/phrase.ts';
import { byTrouble, type Finding, LEVELS } from './finding.ts';

const ICONS: Readonly<Record<(typeof LEVELS)[number], string>> = {
  ok: '✅',
  note: '➖',
  warn: '⚠️',
  fault: '❌',
};

/** What is said of findings that are neither well nor in trouble. */
const NOTED = 'optional or not checked';

/** What was found, trouble first: a line each with what to do. Pure. */
export function doctorMessage(findings: readonly Finding[]): Message {
  const inOrder = byTrouble(findings);
  const trouble = inOrder.filter(isTrouble);
  const passed = inOrder.filter(({ level }) => level === 'ok');
  const noted = inOrder.filter(({ level }) => level === 'note');
  const title = [`Passed: ${passed.length}`, ...(noted.length > 0 ? [`${NOTED}: ${noted.length}`] : [])];
  const fine = [...passed, ...noted];
  return {
    lines: [summary(findings)],
    ...(trouble.length > 0 ? { bullets: trouble.map(findingLine) } : {}),
    ...(fine.length > 0
      ? {
          folded: { title: title.join(', '), bullets: fine.map(findingLine) },
        }
      : {}),
  };
}

/** What was found of the whole bot, or of one of its accounts. */
export interface Examined {
  /** The account's name; undefined for the whole bot. */
  readonly account: string | undefined;
  readonly findings: readonly Finding[];
}

/** The same as plain text, for a terminal, each account's under its name. Pure. */
export function examinedText(examined: readonly Examined[]): string {
  return examined
    .map(({ account, findings }) =>
      account === undefined ? doctorText(findings) : `\n${account}\n${doctorText(findings)}`,
    )
    .join('');
}

/** A finding as plain text, without its mark. Pure. */
export function findingText({ what, todo }: Finding): string {
  return toPlainText(unmarked(todo ? say`${what} ${todo}` : what));
}

function doctorText(findings: readonly Finding[]): string {
  const message = doctorMessage(findings);
  return [...message.lines, ...bulletsOf(message)].map((line) => `${toPlainText(unmarked(line))}\n`).join('');
}

/** In a terminal an id is just that. */
function unmarked(phrase: Phrase): Phrase {
  return phrase.map((piece) => {
    if (piece.type === 'channel') return { type: 'text', text: piece.channelId };
    return piece.type === 'user' ? { type: 'text', text: piece.userId } : piece;
  });
}

function summary(findings: readonly Finding[]): Phrase {
  const [faults = 0, warnings = 0, noted = 0, fine = 0] = LEVELS.toReversed().map(
    (level) => findings.filter((one) => one.level === level).length,
  );
  const rest = noted > 0 ? say`, ${noted} ${noted === 1 ? 'is' : 'are'} ${NOTED}` : say``;
  if (faults + warnings === 0) return say`All is well: ${counted(fine, 'check')} passed${rest}.`;
  const trouble = [
    ...(faults > 0 ? [counted(faults, 'fault')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  return say`${trouble.join(' and ')}; ${fine} of ${findings.length} checks passed${rest}.`;
}

function isTrouble({ level }: Finding): boolean {
  return level === 'warn' || level === 'fault';
}

function findingLine({ level, what, todo }: Finding): Phrase {
  return todo ? say`${ICONS[level]} ${what} ${todo}` : say`${ICONS[level]} ${what}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
