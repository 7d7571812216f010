import { instance, worldOf } from '../../../sandbox/world.ts';
import { playLedger, type LedgerPlay } from '../../support/ledger.ts';
import { answerTo, type PlayOptions } from '../../support/sandbox.ts';

const NOW = Date.parse('2026-11-20T12:00Z');

/** Two instances since 2 October 2026, of 10 and 20.50 credits a day, on 20 November. */
export async function open(options: PlayOptions = {}): Promise<LedgerPlay> {
  const two = [
    instance(101, 'web-1', { dailyCredits: 10, createdDaysAgo: 90 }),
    instance(102, 'db-1', { dailyCredits: 20.5, createdDaysAgo: 90 }),
  ];
  const world = worldOf(two, { historyDays: 50, topUps: [{ daysAgo: 30, credits: 500 }] });
  return playLedger({ ...options, bot: false, hosting: { world, clock: () => NOW, ...options.hosting } });
}

export async function filled(play: LedgerPlay): Promise<(line: string, who?: string) => Promise<string>> {
  await play.sandbox.startBot();
  await play.filled();
  return (line, who = 'fin') => answerTo(play.sandbox, who, line);
}
