import { WebAPIPlatformError } from '@slack/web-api';
import { z } from 'zod';
import { isRefusedToken, slackErrorOf } from './errors.ts';

/** What Slack says of the bot token, as far as its answers have shown. */
export interface TokenHealth {
  /** Why Slack takes no message from us, as a code like `token_revoked`; undefined while nothing is known against it. */
  refusal(): string | undefined;
  /** The same; while there is a refusal it has Slack asked again now and then, so that a mended token is noticed. */
  check(): string | undefined;
  /** `no answer` until Slack has answered for the first time; it is asked again now and then until it does. */
  silence(): string | undefined;
  /** A Web API method was answered with ok. */
  succeeded(method: string, answer: unknown): void;
  /** A Web API method threw. What says nothing of the token changes nothing. */
  failed(method: string, error: unknown): void;
}

/** Without it no message can be posted; without any other scope the bot is of some use. */
const NEEDED_SCOPE = 'chat:write';
const MISSING_SCOPE = `missing_scope:${NEEDED_SCOPE}`;
const PROBE_EVERY_MS = 10_000;

const scopesSchema = z.object({ response_metadata: z.object({ scopes: z.array(z.string().min(1)).min(1) }) });

/** `probe` makes any call with the token, so that its answer is noticed here. */
export function createTokenHealth(probe: () => Promise<unknown>): TokenHealth {
  let refusal: string | undefined;
  let hasAnswered = false;
  let probeAfter = 0;
  const probeNow = (): void => {
    if (performance.now() < probeAfter) return;
    probeAfter = performance.now() + PROBE_EVERY_MS;
    probe().catch(() => undefined);
  };
  const isAboutPosting = (method: string): boolean => method.startsWith('chat.');
  return {
    refusal: () => refusal,
    check: () => {
      if (refusal !== undefined) probeNow();
      return refusal;
    },
    silence: () => {
      if (hasAnswered) return undefined;
      probeNow();
      return 'no answer';
    },
    succeeded: (method, answer) => {
      hasAnswered = true;
      // Slack lists the token's scopes beside most answers.
      const scopes = scopesSchema.safeParse(answer).data?.response_metadata.scopes;
      const mayPost = isAboutPosting(method) || (scopes?.includes(NEEDED_SCOPE) ?? refusal !== MISSING_SCOPE);
      refusal = mayPost ? undefined : MISSING_SCOPE;
    },
    failed: (method, error) => {
      if (!(error instanceof WebAPIPlatformError)) return;
      hasAnswered = true;
      const { code } = slackErrorOf(error);
      if (isRefusedToken(code)) refusal = code;
      else if (code === 'missing_scope' && isAboutPosting(method)) refusal = MISSING_SCOPE;
    },
  };
}
