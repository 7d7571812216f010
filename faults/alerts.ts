import type { Sandbox } from '../sandbox/sandbox.ts';
import { comes } from './comes.ts';
import { group } from './group.ts';
import type { Random } from './random.ts';

/**
 * The balance of a run, which falls and rises while everything else fails, and what is reported of it: each crossing once,
 * and in the end nothing that is not so.
 */

/** What the bots' settings say of alerts; the lines are in credits, because what a day costs changes with every instance. */
export const alertEnv = (channelId: string): Readonly<Record<string, string>> => ({
  BILLING_CHECK_EVERY: '1s',
  BILLING_WARN: '500',
  BILLING_CRITICAL: '200',
  BILLING_CHANNELS: channelId,
});

const PLENTY = 50_000;
const CRITICAL = 100;
const BALANCES = [PLENTY, 510, 400, CRITICAL, 190];
const MOVES_EVERY_MS = 4_000;

/** Moves the balance about until `stop`. */
export function walkBalance({ hosting }: Sandbox, random: Random): { stop: () => void } {
  const timer = setInterval(() => hosting.setBalance('harbour', random.pick(BALANCES)), MOVES_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}

/** What went wrong with alerts, as sentences: lost, doubled, false. The services are well by now. */
export async function judgeAlerts(
  sandbox: Sandbox,
  channel: string,
): Promise<{ lost: string[]; doubled: string[]; wrong: string[] }> {
  const { hosting, slack } = sandbox;
  const texts = (): { mark: string; text: string }[] =>
    slack.channel(channel).messages.flatMap(({ metadata, text }) => {
      const mark = /"key":"([^"]+-\d+)"/.exec(JSON.stringify(metadata ?? null))?.[1];
      return mark === undefined ? [] : [{ mark, text }];
    });
  // From plenty to critical and back once more, so that the end of every walk is the same.
  const lost: string[] = [];
  for (const [balance, isTold, what] of [
    [PLENTY, () => texts().every(({ text }) => !isOpenCard(text)), 'a card that is not over'],
    [CRITICAL, () => texts().some(({ text }) => isOpenCard(text)), 'a crossing that was never reported'],
    [PLENTY, () => texts().every(({ text }) => !isOpenCard(text)), 'the end of an alert never reported'],
  ] as const) {
    hosting.setBalance('harbour', balance);
    if (!(await comes(isTold))) lost.push(`alerts: ${what}`);
  }
  const all = texts();
  return {
    lost,
    doubled: [...group(all, ({ mark }) => mark)]
      .filter(([, same]) => same.length > 1)
      .map(([mark, same]) => `alerts: ${same.length} times the same message ${mark}`),
    wrong: all.filter(({ text }) => text.includes('used up')).map(({ text }) => `alerts: "${text}"`),
  };
}

/** The cards alone say whether somebody is on it. */
function isOpenCard(text: string): boolean {
  return /Unacknowledged\.|is on it\./.test(text);
}
