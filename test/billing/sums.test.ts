import { describe, expect, it } from 'vitest';
import { answerTo, play } from '../support/sandbox.ts';

const FINANCE = { LAMPLIGHTER_EVERYONE: 'finance' };

describe('a sum of transactions', () => {
  it('is of all that were asked for, also where only the newest are shown', async () => {
    const sandbox = await play({ env: FINANCE });
    const text = await answerTo(sandbox, 'fin', '/billing transactions --last 30d');
    const [, count = ''] =
      /The newest 20 of ([\d,]+) transactions of the last 30d, newest first/.exec(text) ?? [];
    expect(Number(count.replace(',', ''))).toBeGreaterThan(20);
    const [, sums = ''] = /All [\d,]+: .* before, (.* added, .* used), /.exec(text) ?? [];
    const file = await answerTo(sandbox, 'fin', '/billing transactions --last 30d --csv');
    expect(file).toContain(`with ${count} rows`);
    expect(file).toContain(sums);
  });

  it('is there for those of one instance, and the same as of their file', async () => {
    const sandbox = await play({ env: FINANCE });
    const text = await answerTo(sandbox, 'fin', '/billing transactions --instance web-1');
    const [, sums = ''] = /All [\d,]+: (.* added and .* used)\./.exec(text) ?? [];
    expect(sums).not.toBe('');
    expect(await answerTo(sandbox, 'fin', '/billing transactions --instance web-1 --csv')).toContain(
      `The rows come to ${sums}.`,
    );
  });

  it('says of what it is, where not all were read', async () => {
    const sandbox = await play({ env: FINANCE });
    expect(await answerTo(sandbox, 'fin', '/billing transactions')).toMatch(/The 20 shown: .* used/);
    const long = await play({ env: FINANCE, customer: 'long-history' });
    const text = await answerTo(long, 'fin', '/billing transactions --last 999w');
    expect(text).toMatch(/The newest 20 of more than [\d,]+ transactions of the last 999w/);
    expect(text).toMatch(/The newest [\d,]+ of them: .* used/);
  });
});

describe('a word that is not understood', () => {
  it('is said, and never dropped', async () => {
    const sandbox = await play({ env: FINANCE });
    for (const [line, word] of [
      ['usage nightly', '"nightly"'],
      ['usage by team', '"team"'],
      [
        'usage by color',
        'I don\'t know "color" here. I can show what a day costs now, by instance or by addon, as in /billing usage by addon; for the past, type /billing transactions --last 30d.\n[ Usage by instance ] [ Usage by addon ]',
      ],
      ['usage by instance october', '"october"'],
      ['usage by instance addon', 'one of them'],
      ['balance october', '"october"'],
      ['buy-time now', '"now"'],
      ['transactions nightly', '"nightly"'],
      ['transactions --last 30d please', '"please"'],
      ['transactions --since 30d', '--since'],
      ['transactions --last 30d --last 90d', '--last is there twice'],
      ['transactions --type purchase --type adjustment', '--type is there twice'],
      ['transactions --last', '--last needs a value'],
      ['transactions --last --csv', '--last needs a value'],
      ['transactions --last soon', `I can't read "soon". Use --last 30d, 12h or 4w.`],
      ['transactions --color red', "I don't know --color here. The options are --last 30d"],
      ['transactions --instance nobody', 'There is no instance "nobody".'],
    ])
      expect(await answerTo(sandbox, 'fin', `/billing ${line}`), line).toContain(word);
  });

  it('is said where a month is paid afterwards, too', async () => {
    const sandbox = await play({ env: FINANCE, service: 'digitalocean' });
    for (const line of ['month soon', 'usage october', 'transactions --last 90d'])
      expect(await answerTo(sandbox, 'fin', `/billing ${line}`), line).toMatch(
        /I don't know (?:".*" here\.|a month called ".*"\.)/,
      );
  });
});
