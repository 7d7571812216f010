import { createStateOwner, type StateOwner } from '../core/deployment/owner.ts';
import type { Adapter } from '../platform/hosting/adapter.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { Account } from '../core/accounts/account.ts';
import type { Config } from './config/config.ts';
import { addressOf } from './hosting.ts';

/** Whose state an account works with: its service, address and key, in that workspace. `teamId`: undefined while nobody knows. */
export function createAccountOwner(
  {
    account,
    config,
    adapter,
  }: { readonly account: Account | undefined; readonly config: Config; readonly adapter: Adapter },
  kept: { readonly redis: RedisConnection; readonly read?: () => Promise<string | null> },
  teamId: () => string | undefined,
): StateOwner {
  // The same file may stand at another path tomorrow.
  const service = adapter.version === undefined ? config.hosting.service : adapter.name;
  const address = addressOf(config, adapter);
  return createStateOwner({
    ...kept,
    owner: () => ({
      workspace: teamId(),
      service,
      address,
      apiKey: config.hosting.token,
    }),
    takeOver: config.takeOver,
    account: account?.name,
  });
}
