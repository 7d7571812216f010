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
  redis: RedisConnection,
  teamId: () => string | undefined,
): StateOwner {
  const { service, token: apiKey } = config.hosting;
  const address = addressOf(config, adapter);
  return createStateOwner({
    redis,
    owner: () => ({ workspace: teamId(), service, address, apiKey }),
    takeOver: config.takeOver,
    account: account?.name,
  });
}
