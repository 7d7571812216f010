import type { OwnerRefusal } from '../../core/deployment/owner.ts';
import type { OldestDue } from '../../core/watchdogs/vital-signs.ts';
import type { Spent } from '../../platform/hosting/budget.ts';
import { type HostingError, keyFaultWords } from '../../platform/hosting/hosting-error.ts';
import { serviceSaid } from '../../core/outcome-words.ts';
import { connectionFaultIn } from '../../platform/http/connection-fault.ts';
import type { RedisAt } from '../../platform/redis/address.ts';
import { judgeRedis, type RedisFacts, type Risk } from '../../platform/redis/fitness.ts';
import { ago, type Phrase, say } from '../../platform/slack/phrase.ts';
import { MINUTE_MS } from '../../platform/time/duration.ts';
import { type Finding, fault, note, ok, warn } from './finding.ts';

/** Where the account is set up. `url`: undefined where it is reached at the service's own address. */
export interface SetAt {
  readonly url: string | undefined;
  readonly key: string;
}

/** What a read with the key came to; `error` undefined where it was answered. Pure. */
export function judgeKey(error: HostingError | undefined, at: SetAt): readonly Finding[] {
  if (!error) return [ok(say`The hosting service takes the key.`)];
  const connection = connectionFaultIn(error.cause);
  if (connection)
    return [
      fault(
        say`The hosting service can't be reached${at.url === undefined ? '' : say` at ${at.url}`}: ${connection.why}.`,
        say`${connection.todo}`,
      ),
    ];
  const status = error.status === undefined ? error.fault : `${error.status}`;
  const said = serviceSaid(error.said);
  switch (error.fault) {
    case 'unauthorized':
    case 'forbidden':
      return [
        fault(
          say`The hosting service ${keyFaultWords(error.fault, 'listing instances')} (${status}).${said}`,
          keyTodo(error, at),
        ),
      ];
    case 'rate-limited':
      return [
        warn(
          say`The key couldn't be tried: its calls are used up for now.`,
          say`Ask again in a minute. If it doesn't change, check what else uses this key.`,
        ),
      ];
    case 'unreachable':
    case 'no-answer':
    case 'unavailable':
      return [
        fault(
          say`The hosting service doesn't answer as it should (${status}).${said}`,
          say`Ask again in a minute. If it doesn't change, check that the service is up${at.url === undefined ? '' : say` and ${at.url} is right`}.`,
        ),
      ];
    case 'unclear':
      return [
        fault(
          say`What answers ${at.url === undefined ? 'there' : `at ${at.url}`} doesn't answer like the hosting service (${status}).${said}`,
          say`Check whether a firewall or proxy is in between${at.url === undefined ? '' : `, and whether ${at.url} is right`}.`,
        ),
      ];
    default:
      return [
        fault(
          say`What answers ${at.url === undefined ? 'there' : `at ${at.url}`} gives no list of instances (${status}).${said}`,
          at.url === undefined
            ? say`Ask again in a minute. If it doesn't change, see what the service says of its state.`
            : say`Check ${at.url}: it names the service's API.`,
        ),
      ];
  }
}

/** What mends a key that is refused, or that may not do what was asked. */
function keyTodo({ fault: kind, said }: HostingError, at: SetAt): Phrase {
  const another = say`into ${at.key} and restart me.`;
  if (kind === 'forbidden')
    return say`Give the key that right at the service, or put one that has it ${another}`;
  return said === undefined
    ? say`Put a valid key ${another}`
    : say`Fix what it names. If it is the key, put a valid one ${another}`;
}

/** From this part of its calls on a key is short of them. */
const SHORT_OF_CALLS = 0.75;

/** How much of the key's calls is used. Pure. */
export function judgeSpent({ used, limit, endsInMs }: Spent): readonly Finding[] {
  const { requests, seconds } = limit;
  const next = say`The next ${requests} come in ${Math.ceil(endsInMs / 1_000)} s.`;
  if (endsInMs > 0 && used >= requests)
    return [
      warn(
        say`All ${requests} calls that the key has per ${seconds} s are used.`,
        say`${next} If that happens often, check what else uses this key.`,
      ),
    ];
  if (endsInMs > 0 && used >= requests * SHORT_OF_CALLS)
    return [
      warn(
        say`${used} of ${requests} calls that the key has in ${seconds} s are used.`,
        say`${next} Until then, what people ask for comes before my own checks.`,
      ),
    ];
  return [ok(say`${used} of ${requests} calls that the key has in ${seconds} s are used.`)];
}

/** From these parts of its memory on Redis is nearly full, and as good as full. */
const NEARLY_FULL = 0.8;
const FULL = 0.95;

/** Whether Redis keeps what it is given, and has room for more. Pure. */
export function judgeStorage(facts: RedisFacts, at: RedisAt, allowed: readonly Risk[]): readonly Finding[] {
  // Its clock is judged with the others.
  const { refusals, warnings, notes } = judgeRedis({ ...facts, skewMs: 0 }, at, allowed);
  const findings: Finding[] = [
    ...refusals.map((what): Finding => ({ level: 'fault', what: say`${sentence(what)}` })),
    ...warnings.map((what): Finding => ({ level: 'warn', what: say`${sentence(what)}` })),
  ];
  const { usedBytes, maxBytes } = facts.memory;
  const part = maxBytes === 0 ? 0 : usedBytes / maxBytes;
  if (part >= NEARLY_FULL)
    findings.push(
      (part >= FULL ? fault : warn)(
        say`Redis has used ${Math.round(part * 100)} % of the memory that it may use.`,
        say`Raise its maxmemory. Once it's full, it takes no writes and I can't take any work.`,
      ),
    );
  if (findings.length === 0) findings.push(...praise(facts, notes));
  return [...findings, ...notes.map((what) => note(say`${sentence(what)}`))];
}

/** What was seen to be as it should be. */
function praise({ version }: RedisFacts, notes: readonly string[]): readonly Finding[] {
  if (notes.length > 0) return [ok(say`Redis takes all that I write.`)];
  return [ok(say`Redis ${version ?? ''} keeps its data safe: append-only file, noeviction.`)];
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Whose state is in Redis: `unmarked` for nobody's, undefined for this deployment\'s. Pure. */
export function judgeOwner(found: 'unmarked' | OwnerRefusal | undefined): readonly Finding[] {
  if (found === undefined) return [ok(say`What is in Redis is of this workspace, service and key.`)];
  if (found === 'unmarked') return [ok(say`Nothing of another deployment is in this Redis.`)];
  return [fault(say`${found.what}`, say`${found.todo}`)];
}

/** What is due waits a second or two for its turn, and longer only where nobody works on it. */
const LATE_MS = 15_000;
const STUCK_MS = MINUTE_MS;

const NOUNS: Readonly<Record<OldestDue['kind'], string>> = {
  request: 'request',
  operation: 'operation',
  poll: 'look at what is in progress',
  message: 'message',
};

/** Whether something waits longer than it should. `now`: Redis' clock, Unix ms. Pure. */
export function judgeQueue(oldest: readonly OldestDue[], now: number): readonly Finding[] {
  const late = oldest.filter(({ dueAt }) => now - dueAt >= LATE_MS);
  if (late.length === 0) return [ok(say`No work is overdue.`)];
  return late.map(({ kind, dueAt }) =>
    (now - dueAt >= STUCK_MS ? fault : warn)(
      say`The oldest waiting ${NOUNS[kind]} was due ${ago(dueAt)}.`,
      say`See that a process with LAMPLIGHTER_ROLE=all or worker runs, and what its log says.`,
    ),
  );
}
