import { bulletsOf, type Message, upTo } from '../../platform/slack/message.ts';
import { type Phrase, say, toPlainText } from '../../platform/slack/phrase.ts';
import { byTrouble, fault, type Finding, LEVELS } from './finding.ts';
import type { RehearsedChange } from './rehearsal.ts';

const ICONS: Readonly<Record<(typeof LEVELS)[number], string>> = {
  ok: '✅',
  note: '➖',
  warn: '⚠️',
  fault: '❌',
};

const NOT_LOOKED_UP = fault(
  say`The hosting service doesn't say now which instances there are, so the rest of the way couldn't be tried.`,
  say`Ask again in a minute.`,
);
/** So many are named. */
const MAX_BULLETS = 20;
/** What is said of findings that are neither well nor in trouble. */
const NOTED = 'optional or not checked';

/** What was found, trouble first: a line each with what to do. Pure. */
export function doctorMessage(findings: readonly Finding[]): Message {
  return { lines: [summary(findings)], ...listed(findings) };
}

/**
 * What came of a rehearsal: whether it works, what would stop it, and what was tried. `found`: undefined where the service didn't
 * say which instance is meant. Pure.
 */
export function rehearsedMessage(
  verb: string,
  found: RehearsedChange | undefined,
  way: readonly Finding[],
): Message {
  const findings = [...(found?.findings ?? [NOT_LOOKED_UP]), ...way];
  const faults = findings.filter(({ level }) => level === 'fault').length;
  const what = found?.rehearsed.what ?? say`${verb} anything`;
  const asked = [
    ...(found?.rehearsed.asksFirst ? [say`It asks you to confirm it first.`] : []),
    ...(found?.rehearsed.needsApproval ? [say`Somebody else must approve it.`] : []),
  ];
  const lines =
    faults === 0
      ? [say`✅ At 3 a.m. this works: ${what}.`, ...asked]
      : [
          say`❌ At 3 a.m. this would not work: ${what}. ${stopping(faults)}`,
          ...(faults === 1 && isFrozen(found) ? [say`Once the freeze is over, it works.`] : []),
        ];
  return {
    lines,
    ...listed(findings),
    note: say`I tried all of it but the last call, so nothing was done.`,
  };
}

function isFrozen(found: RehearsedChange | undefined): boolean {
  const decision = found?.rehearsed.decision;
  return decision !== undefined && !decision.allowed && decision.reason === 'frozen';
}

/** For those who hear of alerts: what the rehearsal of each week found in the way. Pure. */
export function weeklyMessage(
  changes: readonly RehearsedChange[],
  way: readonly Finding[],
): Message | undefined {
  const isFault = ({ level }: Finding): boolean => level === 'fault';
  const bullets = [
    ...changes.flatMap(({ rehearsed: { what }, findings }) =>
      findings.filter(isFault).map((one) => say`To ${what}: ${findingWords(one)}`),
    ),
    ...way.filter(isFault).map((one) => say`To change anything: ${findingWords(one)}`),
  ];
  if (bullets.length === 0) return undefined;
  return {
    lines: [
      say`🎭 I rehearsed a restart of what is protected here. At 3 a.m. it would not work: ${stopping(bullets.length)}`,
    ],
    ...upTo(MAX_BULLETS, bullets),
    note: say`I tried all of it but the last call, so nothing was done. To try one again, type /lamplighter rehearse restart and its name.`,
  };
}

function stopping(count: number): Phrase {
  return count === 1 ? say`One thing would stop it.` : say`${count} things would stop it.`;
}

function findingWords({ what, todo }: Finding): Phrase {
  return todo ? say`${what} ${todo}` : what;
}

/** What was found: trouble a line each, what is fine folded up. Pure. */
function listed(findings: readonly Finding[]): Pick<Message, 'bullets' | 'folded'> {
  const inOrder = byTrouble(findings);
  const trouble = inOrder.filter(isTrouble);
  const passed = inOrder.filter(({ level }) => level === 'ok');
  const noted = inOrder.filter(({ level }) => level === 'note');
  const title = [`Passed: ${passed.length}`, ...(noted.length > 0 ? [`${NOTED}: ${noted.length}`] : [])];
  const fine = [...passed, ...noted];
  return {
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
