import { describe, expect, it } from 'vitest';
import { instance, worldOf } from '../../../sandbox/world.ts';
import { books, type LedgerPlay, playLedger } from '../../support/ledger.ts';
import { answeredWith, type PlayOptions } from '../../support/sandbox.ts';
import { filled } from '../ledger/of-october.ts';

const NOW = Date.parse('2026-11-20T12:00Z');
const ALL_DAY = 0xffffff;

/** Three instances of one tier since September, of 20 credits a day each, and one since 5 November, on 20 November. */
async function open(options: PlayOptions = {}): Promise<LedgerPlay> {
  const old = { dailyCredits: 20, createdDaysAgo: 90 };
  const instances = [
    instance(101, 'web-1', old),
    instance(102, 'web-2', old),
    instance(103, 'db-1', old),
    instance(104, 'new-1', { dailyCredits: 7, createdDaysAgo: 15 }),
    // What is paid by the month isn't charged by the sandbox.
    instance(105, 'batch-1', { billingMode: 'monthly', createdDaysAgo: 90 }),
  ];
  const world = worldOf(instances, { historyDays: 85, balanceCredits: 5_000 });
  return playLedger({ ...options, bot: false, hosting: { world, clock: () => NOW, ...options.hosting } });
}

/** All of October and November, all ran all the time but what `but` says: hours as bits, by id. */
async function looked(play: LedgerPlay, but: Readonly<Record<string, number>> = {}): Promise<void> {
  const rows = ['101', '102', '103', '105'].map((id, at): [string, string, number] => [
    id,
    ['web-1', 'web-2', 'db-1', 'batch-1'][at] ?? '',
    ALL_DAY,
  ]);
  await play.sees('2026-10-01', '2026-10-31', { hours: ALL_DAY, instances: { balanced: rows } });
  const now = rows.map(([id, name, bits]): [string, string, number] => [id, name, but[id] ?? bits]);
  await play.sees('2026-11-01', '2026-11-19', { hours: ALL_DAY, instances: { balanced: now } });
}

describe('/billing why', () => {
  it('says what started, what a new price costs once for its tier, what add-ons cost, and what came once', async () => {
    const play = await open();
    books(play, 'daily_charge', '-2', [101, 102, 103], '2026-11-01', '2026-11-19');
    books(play, 'addon_charge', '-3', [103], '2026-11-01', '2026-11-19');
    books(play, 'setup_fee', '-12.5', undefined, '2026-11-03');
    const asks = await filled(play);
    await looked(play);
    const text = await asks('/billing why');
    // Fourteen midnights of the new one; 19 days of 2 more for three; 19 of 3; and the fee.
    expect(text).toMatch(
      /^November 2026 has cost 1,421.5 credits so far, 281.5 credits more than the first 19 days of October 2026\.\n/,
    );
    expect(text).toContain('114 credits more: each day of balanced costs more, for 3 instances.');
    expect(text).toContain(
      '98 credits more: new-1 (104) started. It cost nothing in the first 19 days of October 2026.',
    );
    expect(text).toContain(
      '57 credits more: db-1 (103) got add-ons. It had none in the first 19 days of October 2026.',
    );
    expect(text).toContain('12.5 credits more: setup fee: 12.5, and 0 in the first 19 days of October 2026.');
    expect(text).not.toContain('explained');
  });

  it('names no cause for an instance whose hours it did not see, and leaves open what only one of a tier costs more', async () => {
    const play = await open();
    books(play, 'daily_charge', '-2', [101], '2026-11-01', '2026-11-19');
    const asks = await filled(play);
    const blind = await asks('/billing why');
    expect(blind).toContain("38 credits more: web-1 (101) cost more. I wasn't looking at its hours then.");
    await looked(play);
    const seen = await asks('/billing why');
    expect(seen).not.toMatch(/web-1|each day/);
    expect(seen).toContain("38 credits more aren't explained.");
  });

  it('says who was on for fewer hours, where that is what costs less', async () => {
    const play = await open();
    books(play, 'daily_charge', '-24', [105], '2026-10-01', '2026-10-31');
    books(play, 'daily_charge', '-12', [105], '2026-11-01', '2026-11-19');
    const asks = await filled(play);
    await looked(play, { 105: 0xfff });
    expect(await asks('/billing why')).toContain(
      '228 credits less: batch-1 (105) was on shorter: about 228 hours, and about 456 in the first 19 days of October 2026.',
    );
  });

  it('says that a month has more days, and what was stopped or deleted', async () => {
    const play = await open();
    books(play, 'daily_charge', '-5', [105], '2026-09-01', '2026-09-10');
    const asks = await filled(play);
    const text = await asks('/billing why october');
    expect(text).toMatch(/^October 2026 cost 1,860 credits, 10 credits more than September 2026\.\n/);
    expect(text).toContain('60 credits more: October 2026 has more days than September 2026.');
    expect(text).toContain(
      '50 credits less: batch-1 (105) was stopped or deleted. It cost nothing in October 2026.',
    );
  });

  it('explains nothing where days are missing', async () => {
    const play = await open();
    const asks = await filled(play);
    await play.forgets('2026-10-03');
    const text = await asks('/billing why');
    expect(text).toContain("I can't compare it with October 2026: I don't have all days of both.");
    expect(text).not.toMatch(/started|explained/);
  });

  it('says what it can not read, and what to type', async () => {
    const asks = await filled(await open());
    for (const [words, why] of [
      ['by type', `I don't know a month called "by".`],
      ['october november', `I don't know "november" here.`],
    ]) {
      const text = await asks(`/billing why ${words}`);
      expect(text, words).toContain(why);
      expect(text, words).toContain(
        'Type a month as october, 2026-10 or last month, as in /billing why october.',
      );
    }
  });

  it('is a press away from the month, and back', async () => {
    const play = await open();
    await filled(play);
    const { slack } = play.sandbox;
    const month = await answeredWith(play.sandbox, 'fin', '/billing month');
    const fin = slack.person('fin');
    await fin.presses(month, 'Why?');
    await slack.until(() => slack.read(month).includes('new-1 (104) started'));
    await fin.presses(month, 'By instance');
    await slack.until(() => slack.read(month).includes('[ Why? ]'));
    const early = await answeredWith(play.sandbox, 'fin', '/billing month september');
    expect(slack.read(early)).not.toContain('Why?');
  });

  it('names and counts only what somebody may see', async () => {
    const play = await open({ env: { LAMPLIGHTER_EVERYONE: 'none' } });
    books(play, 'daily_charge', '-2', [101, 102, 103], '2026-11-01', '2026-11-19');
    books(play, 'setup_fee', '-12.5', undefined, '2026-11-03');
    const asks = await filled(play);
    await looked(play);
    await answeredWith(play.sandbox, 'admin', '/lamplighter access grant finance @fin on web-*');
    const text = await asks('/billing why');
    expect(text).toMatch(
      /^November 2026 has cost 836 credits so far for what you may see, 76 credits more than/,
    );
    expect(text).toContain('76 credits more: each day of balanced costs more, for 2 instances.');
    expect(text).not.toMatch(/db-1|new-1|fee|explained/);
  });
});
