import type { HostingSandbox } from './hosting/sandbox.ts';
import type { Sandbox } from './sandbox.ts';
import { type Seat, takeSeat } from './seat.ts';

/** One line as typed, the modals that it showed, as text and in order, and what went wrong with it, if anything. */
export interface Played {
  readonly line: string;
  readonly modals: readonly string[];
  readonly fault: string | undefined;
}

/** As much of a sandbox as is needed to play. */
type Stage = Pick<Sandbox, 'slack' | 'logs' | 'settled'> & {
  readonly hosting?: Pick<HostingSandbox, 'hurry'>;
};

const ANSWER_LIMIT_MS = 30_000;
const END_LIMIT_MS = 120_000;

/**
 * Types each line as `who` in `where`, one after another, waits for its answer and for every operation to end.
 * Gives what each line came to.
 */
export async function playLines(
  stage: Stage,
  lines: readonly string[],
  who: string,
  where: string,
): Promise<readonly Played[]> {
  const seat = takeSeat(stage.slack, who, where, stage.hosting?.hurry);
  const played: Played[] = [];
  let modals: string[] = [];
  const stopWatching = seat.watchModals((modal) => modals.push(modal));
  for (const line of lines) {
    modals = [];
    const shown = modals;
    played.push({ line, modals: shown, fault: await playLine(stage, seat, line) });
  }
  stopWatching();
  return played;
}

/** The lines as typed, each with the modals that it showed under it. */
export function readPlayed(played: readonly Played[]): string {
  return played
    .flatMap(({ line, modals }) => [line, ...modals.map((modal) => indent(modal, '    '))])
    .map((text) => indent(text, '  '))
    .join('\n');
}

async function playLine(
  { slack, logs, settled }: Stage,
  seat: Seat,
  line: string,
): Promise<string | undefined> {
  const logged = logs.length;
  const before = seat.glance();
  const { fault, isAsked } = await seat.act(line);
  if (fault !== undefined) return fault;
  try {
    if (isAsked) await slack.until(() => seat.glance() !== before, { timeoutMs: ANSWER_LIMIT_MS });
    await settled(END_LIMIT_MS);
  } catch {
    return 'no end in sight';
  }
  return logs
    .slice(logged)
    .map(faultIn)
    .find((one) => one !== undefined);
}

/** What a line of the bot's log says went wrong for a person, if anything. */
function faultIn(logged: string): string | undefined {
  const line: unknown = JSON.parse(logged);
  if (typeof line !== 'object' || line === null) return undefined;
  if ('ref' in line && typeof line.ref === 'string') return `a fault, ref ${line.ref}`;
  const result = 'result' in line ? line.result : undefined;
  return result === 'failed' || result === 'unknown' ? `an operation that ended ${result}` : undefined;
}

function indent(text: string, by: string): string {
  return text.replaceAll(/^(?=.)/gm, by);
}
