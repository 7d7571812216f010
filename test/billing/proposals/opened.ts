import { instance, worldOf } from '../../../sandbox/world.ts';
import { type LedgerPlay, playLedger } from '../../support/ledger.ts';
import { botMessages, type PlayOptions } from '../../support/sandbox.ts';

const ALL_HOURS = (1 << 24) - 1;

/** Two that run always and one that is stopped, of one tier, in an account whose ledger has seen all hours of the last weeks. */
export async function open(options: PlayOptions = {}): Promise<LedgerPlay> {
  const play = await unseen(options);
  await sees(play);
  return play;
}

/** The same before its ledger has seen anything. */
export async function unseen(options: PlayOptions = {}): Promise<LedgerPlay> {
  const tier = { tier: 'budget', dailyCredits: 10, createdDaysAgo: 90 };
  const fleet = [
    instance(101, 'stg-1', tier),
    instance(102, 'stg-2', tier),
    instance(103, 'old-1', { ...tier, status: 'stopped' }),
  ];
  const world = worldOf(fleet, { historyDays: 50, balanceCredits: 5_000 });
  return playLedger({ ...options, bot: false, hosting: { world, ...options.hosting } });
}

export function sees(play: LedgerPlay): Promise<void> {
  return play.sees(play.ago(30), play.ago(1), {
    hours: ALL_HOURS,
    instances: {
      budget: [
        ['101', 'stg-1', ALL_HOURS],
        ['102', 'stg-2', ALL_HOURS],
        ['103', 'old-1', 0],
      ],
    },
  });
}

/** What everybody reads of proposals in #ops. */
export const posts = ({ sandbox }: LedgerPlay): string[] =>
  botMessages(sandbox)
    .map((message) => sandbox.slack.read(message))
    .filter((text) => text.includes('💡'));
