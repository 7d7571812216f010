import type { Cloud, CloudKind } from '../../sandbox/clouds/cloud.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { find, OPS } from '../billing/watching.ts';
import { instead } from '../support/instead.ts';
import { answerTo, privateTexts, readNews } from '../support/sandbox.ts';
import type { PlayOptions } from '../support/sandbox.ts';
import { playOn } from './play-on.ts';

/** A cloud whose month the bot watches, on days that the test names. */
export interface Month {
  readonly cloud: Cloud;
  readonly sandbox: Sandbox;
  /** It is that moment ("2026-11-20"), the month has cost so much (USD), and the bot has looked and posted what that came to. */
  on(day: string, usd: number): Promise<void>;
  /** The bot has looked once more. */
  again(): Promise<void>;
  /** Somebody presses a button of the first message that matches, and it is done. */
  presses(who: string, what: RegExp, label: string): Promise<void>;
  /** Types a line as fin; gives the answer. */
  asks(line: string): Promise<string>;
  /** What stands in #ops. */
  read(): string[];
}

/** Nothing of a month that is paid afterwards is written in the words of a balance that runs out. */
const PREPAID = /days? left|is left,|at zero|Buy time|balance|\bcredits\b|[Tt]op up|runs? out/;

/** A sandbox whose bot watches a month, only when it is asked to. */
export async function playMonth(kind: CloudKind, played: PlayOptions = {}): Promise<Month> {
  let today = Date.parse('2026-11-01');
  const { cloud, sandbox } = await playOn(
    kind,
    { machines: [{ name: 'web-1' }] },
    {
      faultPoints: instead('calendar', 'today', () => Promise.resolve(today)),
      ...played,
      env: { LAMPLIGHTER_EVERYONE: 'finance', BILLING_CHANNELS: OPS, ...played.env },
      timings: { alertFreshMs: 0, ...played.timings },
    },
  );
  const quiet = async (): Promise<void> => {
    await sandbox.settled();
    await sandbox.reported();
  };
  const again = async (): Promise<void> => {
    await sandbox.look();
    await quiet();
  };
  return {
    cloud,
    sandbox,
    again,
    presses: async (who, what, label) => {
      await sandbox.slack.person(who).presses(find(sandbox, what), label);
      await quiet();
    },
    on: async (day, usd) => {
      today = Date.parse(day);
      cloud.setMoney({ pendingCents: Math.round(usd * 100) });
      await again();
    },
    asks: async (line) => {
      const answer = await answerTo(sandbox, 'fin', line);
      await quiet();
      return answer;
    },
    read: () => readNews(sandbox),
  };
}

/** All that the bot has said, which speaks of no balance. Throws where it does. */
export function checkWords({ sandbox }: Month): void {
  for (const text of [...readNews(sandbox), ...privateTexts(sandbox, 'fin')]) {
    const found = PREPAID.exec(text);
    if (found) throw new Error(`"${found[0]}" is a word of a balance: ${text}`);
  }
}
