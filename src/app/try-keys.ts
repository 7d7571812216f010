import { withHosting, withRedis, withSlackTokens } from './keys.ts';
import type { TryKeys } from './settings.ts';
import { type Service, tryHostingKey } from './try-hosting-key.ts';
import { tryRedis } from './try-redis.ts';
import type { TrySlackTokens } from './try-slack-tokens.ts';

export interface TryKeysDeps {
  readonly serviceOf: (account: string | undefined) => Service;
  readonly trySlackTokens: TrySlackTokens;
}

/** Tries keys, tokens and passwords before they count: one that is refused or somebody else's would end what the one before still does. */
export function createTryKeys({ serviceOf, trySlackTokens }: TryKeysDeps): TryKeys {
  return async (now, next) => {
    const [one, other] = [now[0]?.config, next[0]?.config];
    if (!one || !other) return { accounts: next, faults: [] };
    const [ofSlack, ofRedis] = await Promise.all([
      trySlackTokens(one, other),
      tryRedis(one.redis, other.redis),
    ]);
    const refused = (['botToken', 'appToken'] as const).filter((token) => ofSlack[token] !== undefined);
    const tried = await Promise.all(
      next.map(async ({ account, config: read }) => {
        const withTokens = withSlackTokens(read, one, refused);
        const config = ofRedis === 'can be used' ? withTokens : withRedis(withTokens, one);
        const before = now.find((each) => each.account?.name === account?.name)?.config;
        if (!before) return { account, config };
        const judged = await tryHostingKey(before, config, serviceOf(account?.name));
        if (judged === 'can be used') return { account, config };
        const whose = account ? `Of the account ${account.name}, ` : '';
        const fault = judged.why === undefined ? {} : { fault: `${whose}${judged.why}` };
        return { account, config: withHosting(config, before), ...fault };
      }),
    );
    const ofBot = [
      ...Object.values(ofSlack),
      ...(ofRedis === 'can be used' ? [] : [ofRedis.why ?? []].flat()),
    ];
    return {
      accounts: tried.map(({ account, config }) => ({ account, config })),
      faults: [...ofBot, ...tried.flatMap(({ fault }) => fault ?? [])],
    };
  };
}
