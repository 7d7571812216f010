import type { Sandbox } from './sandbox.ts';

/** One line as typed, and whether it ended in a fault. */
interface Played {
  readonly line: string;
  readonly fault: string | undefined;
}

const ANSWER_LIMIT_MS = 30_000;
const END_LIMIT_MS = 120_000;

/**
 * Types each line as `who` in `where`, one after another, waits for its answer and for every operation to end.
 * A line that begins with @ mentions the bot. Gives what each line came to.
 */
export async function playLines(
  sandbox: Sandbox,
  lines: readonly string[],
  who: string,
  where: string,
): Promise<readonly Played[]> {
  const played: Played[] = [];
  for (const line of lines) played.push({ line, fault: await playLine(sandbox, line, who, where) });
  return played;
}

async function playLine(
  sandbox: Sandbox,
  line: string,
  who: string,
  where: string,
): Promise<string | undefined> {
  const { slack } = sandbox;
  const person = slack.person(who);
  const logged = sandbox.logs.length;
  const shown = (): number => slack.channel(where).seenBy(who).length + person.dms.length;
  const before = shown();
  const mention = /^@\S+\s*(.*)$/.exec(line);
  const turn = mention ? await person.mentions(where, mention[1] ?? '') : await person.types(where, line);
  if (turn.error !== undefined) return turn.error;
  try {
    await slack.until(() => shown() > before || !line.match(/^[/@]/), { timeoutMs: ANSWER_LIMIT_MS });
    await sandbox.settled(END_LIMIT_MS);
  } catch {
    return 'no end in sight';
  }
  return sandbox.logs
    .slice(logged)
    .map(faultIn)
    .find((fault) => fault !== undefined);
}

/** What a line of the bot's log says went wrong for a person, if anything. */
function faultIn(logged: string): string | undefined {
  const line: unknown = JSON.parse(logged);
  if (typeof line !== 'object' || line === null) return undefined;
  if ('ref' in line && typeof line.ref === 'string') return `a fault, ref ${line.ref}`;
  const result = 'result' in line ? line.result : undefined;
  return result === 'failed' || result === 'unknown' ? `an operation that ended ${result}` : undefined;
}
