import { describe, expect, it } from 'vitest';
import { fileWith } from '../../support/file-with.ts';
import { askUntil } from '../../support/until.ts';
import { books } from '../../support/ledger.ts';
import { answeredWith, answerTo } from '../../support/sandbox.ts';
import { filled, open } from './of-october.ts';

describe('/billing month', () => {
  it('says what a month has cost, against the month before, from the transactions of the service', async () => {
    const asks = await filled(await open());
    const october = await asks('/billing month october');
    // Thirty midnights.
    expect(october).toMatch(/^October 2026 cost 915 credits\.\n/);
    expect(october).toContain('Added: 2,525 credits (purchase).');
    expect(october).toContain("I can't compare it with September 2026: I don't have all days of both.");
    expect(october).toMatch(/db-1 \(102\) .*615\n?.*web-1 \(101\) .*300/s);
    expect(october).toContain('From the transactions of the service, as of');
    const november = await asks('/billing month');
    // Nineteen midnights against eighteen.
    expect(november).toMatch(
      /^November 2026 has cost 579\.5 credits so far, 30\.5 credits more than the first 19 days of October 2026\.\n/,
    );
    for (const words of ['last month', '2026-10', 'oct', 'October 2026', 'by instance last month'])
      expect(await asks(`/billing month ${words}`), words).toContain('October 2026 cost 915 credits');
    expect(await asks('/billing month october by type')).toMatch(/daily charge .*915/);
    expect(await asks('/billing month september')).toMatch(
      /I have no figures for September 2026: they begin on 1 October 2026\./,
    );
  });

  it('shows what each add-on has cost by its name, as far as the service says it', async () => {
    const play = await open();
    const { hosting } = play.sandbox;
    const book = (description: string, amount: string, instanceId: number | null = 101): void =>
      hosting.book('harbour', {
        type: 'addon_charge',
        amount,
        description,
        at: Date.parse('2026-10-10T10:00Z'),
        ...(instanceId === null ? {} : { instanceId }),
      });
    book('Add-on backup: web-1', '-3');
    book('Add-on Backup: db-1', '-2.5', 102);
    book('Add-on llm: by use', '-0.25', null);
    book('charged for something', '-7');
    const asks = await filled(play);
    const text = await asks('/billing month october by type');
    expect(text).toMatch(/addon charge: backup +\| 5\.50?\b/);
    expect(text).toMatch(/addon charge: llm +\| 0\.25/);
    expect(text).toMatch(/addon charge +\| 7/);
    expect(await asks('/billing month october')).toMatch(/web-1 \(101\) +\| 310/);
  });

  it('sends what it shows as a file, to who asked alone', async () => {
    const play = await open();
    const asks = await filled(play);
    const texts = (): string[] =>
      play.sandbox.slack
        .person('fin')
        .dms.flatMap(({ files }) => files.map(({ bytes }) => bytes.toString('utf8')));
    const answer = await asks('/billing month --csv');
    expect(answer).toBe('I sent you month-2026-11-by-instance.csv with 2 lines, in our direct messages.');
    expect(texts()).toEqual([
      'Instance,Id,credits in November 2026,Same days of October 2026\r\n' +
        'db-1,102,389.5,369.0\r\nweb-1,101,190,180\r\n',
    ]);
    expect(await asks('/billing month october by type csv')).toContain(
      'month-2026-10-by-type.csv with 1 line,',
    );
    expect(texts().at(-1)).toBe('Type,credits in October 2026\r\ndaily charge,915.0\r\n');
  });

  it('names days without figures, amounts that can not be read, what came late, and an instance that is gone', async () => {
    const play = await open();
    const { hosting } = play.sandbox;
    const at = Date.parse('2026-10-10T10:00Z');
    hosting.book('harbour', { type: 'fee', amount: 'a lot', at });
    hosting.book('harbour', { type: 'refund', amount: '7.1234567891', at, instanceId: 101 });
    const asks = await filled(play);
    hosting.removeInstance(102);
    hosting.book('harbour', { type: 'fee', amount: '-0.0000000001', at, isOnTop: true });
    await play.passes(1);
    await play.forgets('2026-10-03', '2026-10-04', '2026-10-05', '2026-10-21');
    const text = await asks('/billing month october');
    // Four days of 30.50 and the purchase are in no sum.
    expect(text).toMatch(/^October 2026 cost at least 793\.0000000001 credits\.\n/);
    expect(text).toContain('No figures for 3 to 5 October, 21 October: they are in no sum.');
    expect(text).toContain('Added: 2,025 credits (purchase), 7.1234567891 credits (refund).');
    expect(text).toContain("I couldn't read the amount or time of 1 transaction, so it isn't in any sum.");
    expect(text).toContain('1 transaction was booked more than three days late; the sums have it.');
    expect(text).toMatch(/db-1 \(102\) .*533/);
    expect(text).toMatch(/no instance .*0\.0000000001/);
  });

  it('shows somebody who may see a part only the sums of that, and what was added to nobody but who may see all', async () => {
    const policy = fileWith('costgroups: { mine: name:web-*, theirs: name:db-* }');
    const play = await open({ env: { LAMPLIGHTER_EVERYONE: 'none', LAMPLIGHTER_POLICY: policy } });
    const asks = await filled(play);
    await answeredWith(play.sandbox, 'admin', '/lamplighter access grant finance @fin on web-*');
    const text = await asks('/billing month october');
    expect(text).toMatch(/^October 2026 cost 300 credits for what you may see\.\n/);
    expect(text).not.toMatch(/db-1|Added|915|615/);
    expect(await asks('/billing month october by type')).toMatch(/daily charge .*300/);
    const grouped = await asks('/billing month october by group');
    expect(grouped).toMatch(/^October 2026 cost 300 credits for what you may see\.\n[^]*mine .*300/);
    expect(grouped).not.toMatch(/theirs|615|no group/);
  });

  it('shows a month by the groups of the policy file, each instance in the first that has it', async () => {
    const policy = fileWith(
      'costgroups:\n  web: name:web-*\n  all-dbs: name:db-*,*-vault\n  first: name:*-1\n',
    );
    const play = await open({ env: { LAMPLIGHTER_POLICY: policy } });
    const at = Date.parse('2026-10-10T10:00Z');
    const { hosting } = play.sandbox;
    hosting.book('harbour', { type: 'fee', amount: '-7', at });
    hosting.book('harbour', { type: 'fee', amount: '-3', at, instanceId: 999 });
    const asks = await filled(play);
    await answeredWith(play.sandbox, 'fin', '/billing month october');
    const text = await asks('/billing month october by group');
    expect(text).toMatch(/^October 2026 cost 925 credits\.\n/);
    expect(text).toMatch(/Group .*all-dbs .*615\n?.*web .*300\n?.*no group .*10/s);
    expect(text).not.toMatch(/web-1|db-1|first/);
    expect(text).toMatch(/\[ By instance \] \[ By type \]/);
    expect(await asks('/billing month october')).toMatch(/\[ By type \] \[ By group \]/);
  });

  it('keeps two accounts of one bot apart', async () => {
    const play = await open({ accounts: {} });
    books(play, 'fee', '-1000', undefined, '2026-10-10');
    await play.sandbox.startBot();
    const told = (account: string): Promise<string> =>
      askUntil(
        () => answerTo(play.sandbox, 'fin', `/billing ${account}: month october`),
        (text) => !text.includes('still reading'),
      );
    expect(await told('acme')).toContain('October 2026 cost 1,915 credits');
    expect(await told('labs')).toContain('October 2026 cost 915 credits');
  });
});
