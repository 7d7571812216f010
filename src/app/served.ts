import type { Account } from '../core/accounts/account.ts';
import type { Served } from '../core/accounts/dispatch.ts';
import type { AccountBot } from './account-bot.ts';
import type { Settings } from './settings.ts';

/** An account among several, as requests are handed to it. */
export function servedBy(
  { setup: { account, mark }, stores, listeners, lines }: AccountBot,
  settings: Settings,
): Served[] {
  if (!account || !mark) return [];
  const { threads, accessStore } = stores;
  const own = { mark, listeners, threads, accessStore, ...lines };
  return [Object.assign(currentAccount(account, settings), own)];
}

/** Something of an account, which is always the account as it is configured now. */
export function currentAccount({ name }: Account, settings: Settings): { readonly account: Account } {
  const { account } = settings.of(name);
  if (!account) throw new Error('settings: an account without a name among several');
  return {
    get account() {
      return settings.of(name).account ?? account;
    },
  };
}
