import { expect, it } from 'vitest';
import { powerCallsTo, playTwoAccounts, type TwoAccounts } from './two-accounts.ts';

/** What somebody's Home says once it says this. */
function homeSays({ sandbox: { slack } }: TwoAccounts, who: string, words: RegExp): Promise<string> {
  return slack.until(() => {
    const { home } = slack.person(who);
    const said = home && slack.readView(home);
    return said?.match(words) ? said : undefined;
  });
}

it('the Home shows one account, leads to the other, and stays with the one that was looked at last', async () => {
  const two = await playTwoAccounts();
  const { slack } = two.sandbox;
  const ana = slack.person('ana');
  const says = (words: RegExp): Promise<string> => homeSays(two, 'ana', words);
  await ana.opensHome();
  expect(await says(/^\[ Go to labs \]\n`acme`\n/)).toContain('3 instances');
  await ana.presses(ana.home!, 'Go to labs');
  await says(/^\[ Go to acme \]\n`labs`\n/);
  await slack.person('bob').types('#ops', '/instances stop labs:web-2');
  await slack.until(() => powerCallsTo(two).labs === 1);
  await two.sandbox.settled();
  await ana.opensHome();
  expect(await says(/2 stopped/)).toMatch(/^\[ Go to acme \]\n`labs`\n/);
});

it('the Home says what is going on in the other account as well', async () => {
  const two = await playTwoAccounts();
  const { slack } = two.sandbox;
  const ana = slack.person('ana');
  const says = (words: RegExp): Promise<string> => homeSays(two, 'ana', words);
  let home: string;
  // A Home doesn't wait for another account as long as a busy machine may take: it is opened again.
  do {
    await ana.opensHome();
    home = await says(/^\[ Go to labs \]\n`acme`\n/);
  } while (home.includes("I can't read this account right now."));
  expect(home).toMatch(/\nlabs\n3 instances[^]*Nothing is in trouble\.\nNothing is in progress\./);
});

it('the Home of a person leads to no account that is not theirs', async () => {
  const two = await playTwoAccounts((idOf) => ({
    acme: { people: ['U0ANA000001'] },
    labs: { channels: [idOf('#ops')] },
  }));
  const { slack } = two.sandbox;
  const homeOf = async (who: string, words: RegExp): Promise<string> => {
    await slack.person(who).opensHome();
    return homeSays(two, who, words);
  };
  expect(await homeOf('ana', /`acme`/)).not.toContain('labs');
  expect(await homeOf('bob', /no hosting account/)).not.toMatch(/acme|labs/);
  expect(await homeOf('admin', /`acme`/)).toContain('[ Go to labs ]');
});
