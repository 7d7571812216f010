import { readAll } from '../support/sandbox.ts';
import type { playTwoAccounts, TwoAccounts } from './two-accounts.ts';

export const OPS = 'C0OPS000001';

/** Changes that reached either service, by any method. */
export function changesTo({ acme, labs }: TwoAccounts): number {
  return [acme, labs].flatMap(({ calls }) => calls.filter(({ method }) => method !== 'GET')).length;
}

/** What anybody can read of labs outside of its channel: in #ops, and in the direct messages of those named. */
export function ofLabs({ sandbox: { slack }, sandbox }: TwoAccounts, ...people: readonly string[]): string[] {
  const alone = people.flatMap((who) => [
    ...slack.channel('#ops').ephemeralFor(who),
    ...slack.person(who).dms.filter((one) => one.bot_id !== undefined),
  ]);
  return [...readAll(sandbox), ...alone.map((one) => slack.read(one))].filter((text) => /labs/.test(text));
}

/** Stops the bot, and starts it with another file. */
export async function restartWith(
  { sandbox, second }: TwoAccounts,
  words: Parameters<TwoAccounts['second']['write']>[0],
): Promise<void> {
  await sandbox.stopBots();
  second.write(words);
  await sandbox.startBot();
}

/** Has the balance of labs be nearly nothing, and that seen. */
export async function runLow(two: TwoAccounts): Promise<void> {
  two.labs.setBalance('acme', 1);
  await two.sandbox.look();
  await two.sandbox.reported();
}

/** What is configured where ana alone is of labs. */
export const onlyAna = (): ReturnType<NonNullable<Parameters<typeof playTwoAccounts>[0]>> => ({
  labs: { people: ['U0ANA000001'], settings: { LAMPLIGHTER_APPROVE: 'web-2' } },
});
