import type { HostingSandbox } from '../../sandbox/hosting/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { CHANNELS } from '../../sandbox/slack/workspace/standard-channels.ts';
import type { AccountWordsOfBoth, SecondAccount } from '../../sandbox/two-accounts.ts';
import { customer, instance, type World } from '../../sandbox/world.ts';
import { play, type PlayOptions } from '../support/sandbox.ts';

/** A sandbox whose bot runs two accounts, `acme` and `labs`, with instances of the same names and the same ids. */
export interface TwoAccounts {
  readonly sandbox: Sandbox;
  readonly acme: HostingSandbox;
  readonly labs: HostingSandbox;
  readonly second: SecondAccount;
}

/** Nothing but the account tells one web-1 (101) from the other. */
export const FLEET = [
  instance(101, 'web-1'),
  instance(102, 'web-2'),
  instance(103, 'db-1', { status: 'stopped' }),
];
const WORLD: World = { customers: [customer('acme', { instances: FLEET })] };

/** `words`: made with what gives the id of a channel. */
export async function playTwoAccounts(
  words: (idOf: (channel: string) => string) => AccountWordsOfBoth = () => ({}),
  options: PlayOptions = {},
): Promise<TwoAccounts> {
  const idOf = (channel: string): string =>
    CHANNELS.find(({ name }) => `#${name}` === channel)?.id ?? channel;
  const company = { world: WORLD, ...options.hosting };
  const sandbox = await play({
    ...options,
    hosting: company,
    accounts: { ...options.accounts, words: words(idOf) },
  });
  const { hosting, second } = sandbox;
  if (!second) throw new Error('the sandbox has no second account');
  return { sandbox, acme: hosting, labs: second.hosting, second };
}

/** Power calls that reached each account's service. */
export function powerCallsTo({ acme, labs }: Pick<TwoAccounts, 'acme' | 'labs'>): {
  readonly acme: number;
  readonly labs: number;
} {
  const count = (hosting: HostingSandbox): number => hosting.countCalls('POST', /\/(start|stop|restart)$/);
  return { acme: count(acme), labs: count(labs) };
}
