import { signCommand, userOf } from './requests.ts';

/** A check that failed: what was measured would be of something that doesn't work. */
class CheckError extends Error {}

/** Numbers of the requests that check, far from those that measure. */
let nth = 900_000_000;

/**
 * Checks that a right request is answered with 200, and one with a wrong signature, or one that is 400 seconds old, with
 * 401. Throws a CheckError that names the bot.
 */
export async function checkSignatures(name: string, url: string, respondUrl: string): Promise<void> {
  const flip = (signature: string): string => signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  const typed = (): Parameters<typeof signCommand>[0] => {
    nth += 1;
    return { command: '/instances', text: 'help', nth, userId: userOf(nth), respondUrl };
  };
  const right = signCommand(typed());
  const forged = signCommand(typed());
  const old = signCommand(typed(), 400);
  const tries = [
    { what: 'a right request', wanted: 200, ...right },
    {
      what: 'a request with a wrong signature',
      wanted: 401,
      body: forged.body,
      headers: { ...forged.headers, 'x-slack-signature': flip(forged.headers['x-slack-signature'] ?? '') },
    },
    { what: 'a request that is 400 s old', wanted: 401, ...old },
  ];
  for (const { what, wanted, headers, body } of tries) {
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    if (answer.status !== wanted)
      throw new CheckError(`${name} answers ${what} with ${answer.status}, not ${wanted}`);
  }
}

/** Checks that every request of a load was answered with 200. Throws a CheckError that names the bot. */
export function checkAnswers(name: string, statuses: Readonly<Record<string, number>>): void {
  const others = Object.entries(statuses).filter(([status]) => status !== '200');
  if (others.length > 0)
    throw new CheckError(
      `${name} answered ${others.map(([status, count]) => `${count} with ${status}`).join(', ')}`,
    );
}

/** Checks that every restart of a round was shown as ended. Throws a CheckError that names the bot. */
export function checkAllShown(name: string, notShown: number): void {
  if (notShown > 0) throw new CheckError(`${name} left ${notShown} restarts not shown as ended`);
}

/** Checks that who asked for a restart read nothing alone: a card says it. Throws a CheckError that names the bot and what they read. */
export function checkNoAnswer(name: string, read: readonly string[]): void {
  if (read.length > 0) throw new CheckError(`${name} answered a restart with "${read.join('" and "')}"`);
}
