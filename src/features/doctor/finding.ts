import { type Phrase, say } from '../../platform/slack/phrase.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { connectionFaultIn } from '../../platform/http/connection-fault.ts';
import { isRedisAway } from '../../platform/redis/away.ts';
import { isRefusedToken, SlackError } from '../../platform/slack/errors.ts';

/** From what is well to what keeps the bot from its work. */
export const LEVELS = ['ok', 'note', 'warn', 'fault'] as const;
type Level = (typeof LEVELS)[number];

/** One thing that was looked at: how it stands, and what to do about it. */
export interface Finding {
  readonly level: Level;
  readonly what: Phrase;
  readonly todo?: Phrase;
}

/** Something that is as it should be. */
export function ok(what: Phrase): Finding {
  return { level: 'ok', what };
}

/** Something that is optional and left out, or couldn't be checked and needs nothing. */
export function note(what: Phrase): Finding {
  return { level: 'note', what };
}

/** Something that works, but not as well as it could. */
export function warn(what: Phrase, todo: Phrase): Finding {
  return { level: 'warn', what, todo };
}

/** Something that keeps the bot from its work. */
export function fault(what: Phrase, todo: Phrase): Finding {
  return { level: 'fault', what, todo };
}

/** Trouble first; what is equally bad stays in the order of the checks. Pure. */
export function byTrouble(findings: readonly Finding[]): readonly Finding[] {
  return LEVELS.toReversed().flatMap((level) => findings.filter((one) => one.level === level));
}

/** Whether anything was found that keeps the bot from its work. Pure. */
export function isAnyFault(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'fault');
}

/** One thing to look at. */
export interface Check {
  /** What it is about, as the beginning of a sentence. */
  readonly about: Phrase;
  /** How bad it is when it can't be looked at. */
  readonly unread: 'warn' | 'fault';
  look(): Promise<readonly Finding[]>;
}

/** Whose something is: the whole bot's, one hosting account's, or what the configuration of an account names. */
export type Part = 'bot' | 'account' | 'named';

export interface PartCheck extends Check {
  readonly of: Part;
  /** Set where a change goes through it, or its end is told by it. */
  readonly isOnTheWay?: true;
}

/** How long one check may take before that itself is what it found. */
export const CHECK_WITHIN_MS = 5_000;
const TOO_LATE = Symbol('too late');

/**
 * Runs every check at once and gives all findings in the order of the checks. One that throws, or is not through within
 * `withinMs`, is itself a finding and keeps back no other. `onBug`: what broke for no known reason. Never throws.
 */
export async function runChecks(
  checks: readonly Check[],
  withinMs: number,
  onBug: (error: unknown) => void,
): Promise<readonly Finding[]> {
  const found = await Promise.all(
    checks.map(async ({ about, unread, look }): Promise<readonly Finding[]> => {
      const limit = new AbortController();
      try {
        const first = await Promise.race([look(), wait(withinMs, TOO_LATE, { signal: limit.signal })]);
        if (first !== TOO_LATE) return first;
        return [
          {
            level: unread,
            what: say`${about} couldn't be checked: there was no answer within ${seconds(withinMs)}.`,
            todo: say`Ask again in a minute; if it stays so, check the network.`,
          },
        ];
      } catch (error) {
        return [{ level: unread, ...unreadWords(about, error, onBug) }];
      } finally {
        limit.abort();
      }
    }),
  );
  return found.flat();
}

function unreadWords(
  about: Phrase,
  error: unknown,
  onBug: (error: unknown) => void,
): Pick<Finding, 'what' | 'todo'> {
  if (error instanceof SlackError) return slackWords(about, error);
  if (isRedisAway(error))
    return {
      what: say`${about} couldn't be checked: Redis doesn't answer.`,
      todo: say`See that Redis runs and that REDIS_URL leads to it.`,
    };
  onBug(error);
  return {
    what: say`${about} couldn't be checked: the check itself broke off.`,
    todo: say`Tell the person who maintains me; my log has the error.`,
  };
}

function slackWords(about: Phrase, { code, cause }: SlackError): Pick<Finding, 'what' | 'todo'> {
  const connection = code === 'unreachable' ? connectionFaultIn(cause) : undefined;
  if (connection)
    return {
      what: say`${about} couldn't be checked: Slack can't be reached, because ${connection.why}.`,
      todo: say`${connection.todo}`,
    };
  const status = /^http_(\d+)$/.exec(code)?.[1];
  if (isRefusedToken(code))
    return {
      what: say`${about} couldn't be checked: Slack refuses the token (${code}).`,
      todo: say`Install the app again, and put the bot token it gets into SLACK_BOT_TOKEN.`,
    };
  if (status !== undefined || code === 'unreadable') {
    const how = status === undefined ? say`` : say` (HTTP ${status})`;
    return {
      what: say`${about} couldn't be checked: what answers in place of Slack makes no sense${how}.`,
      todo: say`Check SLACK_API_URL, and what stands between me and Slack; if Slack itself is in trouble, ask again later.`,
    };
  }
  switch (code) {
    case 'unreachable':
      return {
        what: say`${about} couldn't be checked: Slack didn't answer.`,
        todo: say`Ask again in a minute; if it stays so, check the network and SLACK_API_URL.`,
      };
    case 'ratelimited':
      return {
        what: say`${about} couldn't be checked: Slack asks me to wait.`,
        todo: say`Ask again in a minute.`,
      };
    case 'missing_scope':
      return {
        what: say`${about} couldn't be checked: the token lacks the scope for it.`,
        todo: say`Put manifest.yml into the app's settings and install it again.`,
      };
    default:
      return {
        what: say`${about} couldn't be checked: Slack says ${code}.`,
        todo: say`Ask again in a minute; if it stays so, look that code up in Slack's documentation.`,
      };
  }
}

function seconds(ms: number): string {
  return `${Math.max(1, Math.round(ms / 1_000))} s`;
}
