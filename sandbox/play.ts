import type { Sandbox } from './sandbox.ts';
import { type Act, type Seat, takeSeat } from './seat.ts';

/** One line as typed, the modals that it showed, as text and in order, and what went wrong with it, if anything. */
export interface Played {
  readonly line: string;
  /** The handle of the person who typed it. */
  readonly who: string;
  readonly modals: readonly string[];
  /** What a line like `:help` is answered with. */
  readonly help?: string;
  readonly fault: string | undefined;
}

/** As much of a sandbox as is needed to play. */
type Stage = Pick<Sandbox, 'slack' | 'logs' | 'settled'> &
  Partial<Pick<Sandbox, 'pass' | 'people' | 'reported' | 'service'>>;

const ANSWER_LIMIT_MS = 30_000;
const END_LIMIT_MS = 120_000;

/**
 * Types each line as `who` in `where`, one after another, waits for its answer and for every operation to end. The line
 * `:quit` is the last. Gives what each line came to.
 */
export async function playLines(
  stage: Stage,
  lines: readonly string[],
  who: string,
  where: string,
): Promise<readonly Played[]> {
  const seat = takeSeat(stage.slack, who, where, stage);
  const played: Played[] = [];
  let modals: string[] = [];
  const stopWatching = seat.watchModals((modal) => modals.push(modal));
  for (const line of lines) {
    modals = [];
    const shown = modals;
    const by = seat.who;
    const { fault, help, isEnd } = await playLine(stage, seat, line);
    played.push({ line, who: by, modals: shown, fault, ...(help === undefined ? {} : { help }) });
    if (isEnd) break;
  }
  stopWatching();
  return played;
}

/** The lines as typed, each with what it showed under it. */
export function readPlayed(played: readonly Played[]): string {
  return played
    .flatMap(({ line, modals, help = [] }) => [
      line,
      ...[modals, help].flat().map((text) => indent(text, '    ')),
    ])
    .map((text) => indent(text, '  '))
    .join('\n');
}

async function playLine(
  { slack, logs, settled, reported }: Stage,
  seat: Seat,
  line: string,
): Promise<Pick<Act, 'fault' | 'help' | 'isEnd'>> {
  const logged = logs.length;
  const before = seat.glance();
  const act = await seat.act(line);
  if (act.fault !== undefined) return act;
  try {
    if (act.isAsked) await slack.until(() => seat.glance() !== before, { timeoutMs: ANSWER_LIMIT_MS });
    await settled(END_LIMIT_MS);
    await reported?.();
  } catch {
    return { fault: 'no end in sight' };
  }
  const fault = logs
    .slice(logged)
    .map(faultIn)
    .find((one) => one !== undefined);
  return { ...act, fault };
}

/** What a line of the bot's log says went wrong for a person, if anything. */
function faultIn(logged: string): string | undefined {
  const line: unknown = JSON.parse(logged);
  if (typeof line !== 'object' || line === null) return undefined;
  if ('requestId' in line && typeof line.requestId === 'string') return `a fault, request ${line.requestId}`;
  const result = 'result' in line ? line.result : undefined;
  return result === 'failed' || result === 'unknown' ? `an operation that ended ${result}` : undefined;
}

function indent(text: string, by: string): string {
  return text.replaceAll(/^(?=.)/gm, by);
}
