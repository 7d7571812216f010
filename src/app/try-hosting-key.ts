import { isDeepStrictEqual } from 'node:util';
import { fingerprintOf, isSame } from '../core/instances/fingerprint.ts';
import { connectionFaultIn } from '../platform/http/connection-fault.ts';
import { HostingError, isKeyFault, keyFaultWords } from '../platform/hosting/hosting-error.ts';
import type { HostingService, Instance } from '../platform/hosting/service.ts';
import { atMost } from '../platform/time/at-most.ts';
import type { Config } from './config/config.ts';
import { withHosting } from './keys.ts';

/** An answer that takes longer is none. */
const TRIED_WITHIN_MS = 6_000;

/** What came of a try; `why`: undefined where a restart is waited for anyway. */
type Tried = 'can be used' | { readonly why: string | undefined };

/** The hosting service of an account. */
export interface Service {
  /** With the key in a configuration. */
  readonly hostingOf: (config: Config) => HostingService;
  /** Instances that the key which counts until now has shown; undefined where nothing is known. */
  readonly findShown: () => Promise<readonly Instance[] | undefined>;
}

/**
 * Whether the key and the certificate in `next` can take the place of those in `now`: the service takes them, and shows what it has shown.
 * Never throws.
 */
export async function tryHostingKey(
  now: Config,
  next: Config,
  { hostingOf, findShown }: Service,
): Promise<Tried> {
  if (isDeepStrictEqual(now.hosting, next.hosting)) return 'can be used';
  // What is for another address must not be sent to this one, and that needs a restart; so does the address by itself.
  const placeOf = ({ hosting }: Config): object => ({ ...hosting, token: '', clientCertificate: undefined });
  if (!isDeepStrictEqual(placeOf(now), placeOf(next))) return { why: undefined };
  const isOtherKey = now.hosting.token !== next.hosting.token;
  const name = isOtherKey ? 'HOSTING_API_TOKEN' : 'HOSTING_API_CLIENT_CERT';
  const candidate = hostingOf({ ...withHosting(now, next), secrets: next.secrets });
  const former = hostingOf(now);
  try {
    const trying = judge(candidate, isOtherKey ? { former, findShown } : undefined);
    const why = (await atMost(TRIED_WITHIN_MS, trying)) ?? "the hosting service doesn't answer";
    return why === 'can be used' ? why : { why: `${name}: ${why}` };
  } finally {
    await Promise.all([candidate.close(), former.close()]);
  }
}

/** `before`: undefined where the key is the same. */
async function judge(
  candidate: HostingService,
  before: { readonly former: HostingService; readonly findShown: Service['findShown'] } | undefined,
): Promise<string> {
  let shown: readonly Instance[];
  try {
    shown = await candidate.checkKey();
  } catch (error) {
    return whyNot(error);
  }
  if (!before) return 'can be used';
  const kept = await before.findShown();
  if (kept && isOfSame(shown, kept)) return 'can be used';
  // What was kept may be days old, or nothing.
  const list = await before.former.listInstances({ freshMs: 0 }).catch(() => undefined);
  const known = list?.instances ?? kept;
  if (!known)
    return 'nothing shows that the new one is of the same customer, since the one before is refused or gets no answer';
  return isOfSame(shown, known)
    ? 'can be used'
    : 'the new one shows none of the instances that the one before shows, so it is of another customer';
}

/** Whether what two keys show is of one customer: an instance of both, or that there is none. Pure. */
function isOfSame(shown: readonly Instance[], known: readonly Instance[]): boolean {
  if (shown.length === 0) return known.length === 0;
  return shown.some((one) => known.some((other) => isSame(fingerprintOf(one), other)));
}

function whyNot(error: unknown): string {
  const connection = connectionFaultIn(error);
  if (connection)
    return `I can't check the new one, since I can't reach the hosting service: ${connection.why}`;
  return error instanceof HostingError && isKeyFault(error.fault)
    ? `the hosting service ${keyFaultWords(error.fault, 'listing instances', 'the new one')}`
    : "I can't check the new one, since the hosting service doesn't answer as it should";
}
