import { createStateOwner, type StateOwner } from '../core/deployment/owner.ts';
import type { Adapter } from '../platform/hosting/adapter.ts';
import type { RedisConnection } from '../platform/redis/connection.ts';
import type { Account } from '../core/accounts/account.ts';
import type { Config } from './config/config.ts';
import { addressOf } from './hosting.ts';
import type { Settings } from './settings.ts';

/** Whose state an account works with: its service, address and the key that counts, in that workspace. `teamId`: undefined while nobody knows. */
export function createAccountOwner(
  {
    account,
    config,
    adapter,
  }: { readonly account: Account | undefined; readonly config: Config; readonly adapter: Adapter },
  settings: Pick<Settings, 'of' | 'former'>,
  redis: RedisConnection,
  teamId: () => string | undefined,
): StateOwner {
  const { service } = config.hosting;
  const name = account?.name;
  const address = addressOf(config, adapter);
  return createStateOwner({
    redis,
    owner: () => ({
      workspace: teamId(),
      service,
      address,
      apiKey: settings.of(name).config.hosting.token,
      formerKeys: settings.former.keysOf(name),
    }),
    takeOver: config.takeOver,
    account: name,
  });
}
