import type { ConfiguredAccount } from './config/accounts.ts';

/** The secrets that other ones took the place of while this process ran. */
export interface FormerSecrets {
  /** Called with what counted until now, and with what counts from now on. */
  changed(before: readonly ConfiguredAccount[], now: readonly ConfiguredAccount[]): void;
  /** API keys of an account, the newest first. */
  keysOf(name: string | undefined): readonly string[];
  /** Signing secrets that another took the place of less than so long ago. */
  signingSecrets(withinMs: number): readonly string[];
}

export function createFormerSecrets(): FormerSecrets {
  const keys = new Map<string | undefined, readonly string[]>();
  let signing: readonly { readonly secret: string; readonly at: number }[] = [];
  return {
    changed: (before, now) => {
      for (const { account, config } of before) {
        const { token } = config.hosting;
        const next = now.find((one) => one.account?.name === account?.name)?.config.hosting.token;
        if (next === token) continue;
        keys.set(account?.name, [token, ...(keys.get(account?.name) ?? []).filter((one) => one !== token)]);
      }
      const secret = before[0]?.config.slack.signingSecret;
      if (secret !== undefined && secret !== now[0]?.config.slack.signingSecret)
        signing = [{ secret, at: performance.now() }, ...signing];
    },
    keysOf: (name) => keys.get(name) ?? [],
    signingSecrets: (withinMs) =>
      signing.filter(({ at }) => performance.now() - at < withinMs).map(({ secret }) => secret),
  };
}
