import { NO_WAY_BY_PROXY } from '../../platform/courier.ts';
import { lateAfterMs } from '../../core/watchdogs/vital-signs.ts';
import { ago, person, plain, say } from '../../platform/slack/phrase.ts';
import { MINUTE_MS } from '../../platform/time/duration.ts';
import { type Finding, fault, note, ok, warn } from './finding.ts';
import type { NamedChannel } from './judge-slack.ts';

/** So much two clocks may differ before it is said. */
const MAX_SKEW_MS = 2_000;
/** So much of a name is shown. */
const MAX_SHOWN = 80;
/** Slack gives its time to the second. */
const MAX_SLACK_SKEW_MS = 5_000;
/** What Slack signed more than five minutes before or after is refused: somewhat less is bad enough. */
const REFUSED_SKEW_MS = 4 * MINUTE_MS;

/** This host's clock against Redis'. `aheadMs`: how far this host's is ahead. Pure. */
export function judgeHostClock(aheadMs: number): readonly Finding[] {
  if (Math.abs(aheadMs) <= MAX_SKEW_MS) return [ok(say`This machine's clock and Redis' agree.`)];
  return [
    warn(
      say`This machine's clock is ${apart(aheadMs)} Redis'. Deadlines go by Redis', so only the log is off.`,
      say`Have both machines set their clocks by NTP.`,
    ),
  ];
}

/** Redis' clock, by which the bot goes, against Slack's. `aheadMs`: how far Redis' is ahead; undefined where Slack gives no date. Pure. */
export function judgeSlackClock(aheadMs: number | undefined): readonly Finding[] {
  if (aheadMs === undefined)
    return [
      warn(
        say`Slack's clock can't be read: its answers have no date.`,
        say`See whether something between me and Slack takes headers away.`,
      ),
    ];
  if (Math.abs(aheadMs) <= MAX_SLACK_SKEW_MS) return [ok(say`Redis' clock and Slack's agree.`)];
  const todo = say`Have the machine of Redis set its clock by NTP.`;
  if (Math.abs(aheadMs) < REFUSED_SKEW_MS)
    return [
      warn(
        say`Redis' clock is ${apart(aheadMs)} Slack's: I may not find messages whose answer was lost.`,
        todo,
      ),
    ];
  return [
    fault(
      say`Redis' clock is ${apart(aheadMs)} Slack's: past five minutes I take what Slack sends for forged.`,
      todo,
    ),
  ];
}

function apart(aheadMs: number): string {
  return `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
}

/** Where figures go, and what is known of the looks at the money. Times: Redis' clock, Unix ms. */
export interface BillingFacts {
  readonly places: readonly NamedChannel[];
  readonly alertsToUserId: string | undefined;
  readonly hasAlertsTo: boolean;
  readonly isOff: boolean;
  /** There is nothing to look at: no balance, or no budget of a month. */
  readonly isNotOffered: boolean;
  /** Set where a month is paid afterwards, and it is its budget that is watched. */
  readonly isOfMonth?: boolean;
  /** Set where the configuration says that the balance is topped up by the service. */
  readonly isToppedUp?: boolean;
  /** 0 for never. */
  readonly checkedAt: number;
  readonly listedAt: number | undefined;
  readonly failingSince: number | undefined;
  /** Groups of costs that have a budget, and are no longer in the policy file. */
  readonly lostGroups: readonly string[];
}

/** So many times the monitor may be missed, one after the other. */
const BEATS_MISSED = 3;

/** Whether the monitor outside was reached lately. `at`, `now`: Redis' clock, Unix ms; `upMs`: undefined where the bot doesn't run. Pure. */
export function judgeBeat(
  at: number | undefined,
  {
    now,
    everyMs,
    upMs,
  }: { readonly now: number; readonly everyMs: number; readonly upMs: number | undefined },
): readonly Finding[] {
  const mostMs = BEATS_MISSED * everyMs;
  if (at !== undefined && now - at <= mostMs)
    return [ok(say`The monitor at HEARTBEAT_URL was reached ${ago(at)}.`)];
  if (upMs !== undefined && upMs <= mostMs)
    return [
      note(
        at === undefined
          ? say`The monitor at HEARTBEAT_URL wasn't reached yet: I have just started.`
          : say`The monitor at HEARTBEAT_URL was last reached ${ago(at)}: I have just started.`,
      ),
    ];
  return [
    warn(
      at === undefined
        ? say`The monitor at HEARTBEAT_URL wasn't reached within a day.`
        : say`The monitor at HEARTBEAT_URL was last reached ${ago(at)}.`,
      say`My log says why, after "no heartbeat".`,
    ),
  ];
}

/** Whether mail can go out. `code`: why the server doesn't let the bot in. Pure. */
export function judgeMail(code: string | undefined): readonly Finding[] {
  if (code === undefined) return [ok(say`The mail server at SMTP_URL lets me in.`)];
  if (code === NO_WAY_BY_PROXY)
    return [
      fault(
        say`The proxy gives no connection to the mail server at SMTP_URL, so alerts and digests don't go out by mail.`,
        say`Have it allow CONNECT to that host and port, or name the host in NO_PROXY where it can be reached directly.`,
      ),
    ];
  const status = code.startsWith('answered-') ? code.slice('answered-'.length) : undefined;
  return [
    status === undefined
      ? fault(
          say`The mail server at SMTP_URL can't be reached, so alerts and digests don't go out by mail.`,
          say`Check its host, its port and its certificate, and what may block the way to it.`,
        )
      : fault(
          say`The mail server at SMTP_URL answers ${status}, so alerts and digests don't go out by mail.`,
          say`Check the user and the password in it.`,
        ),
  ];
}

/** Who hears of alerts where no channel does, and which budgets nobody hears of. Pure. */
export function judgeAlerts(facts: BillingFacts): readonly Finding[] {
  return [...judgeTopUp(facts), ...judgeDestination(facts), ...judgeBudgets(facts)];
}

function judgeBudgets({ lostGroups }: BillingFacts): readonly Finding[] {
  return lostGroups.map((group) =>
    warn(
      say`The policy file has no cost group ${plain(group, MAX_SHOWN)} any more, so I tell nothing of its budget.`,
      say`Put the group back into the policy file, or type /billing budget ${plain(group, MAX_SHOWN)} off.`,
    ),
  );
}

/** What nothing tells but the configuration, and what follows from it. */
function judgeTopUp({ isToppedUp, isOfMonth, isNotOffered }: BillingFacts): readonly Finding[] {
  if (!isToppedUp) return [];
  if (isOfMonth || isNotOffered)
    return [
      warn(
        say`BILLING_AUTO_TOPUP does nothing: this hosting service has no balance that could be topped up.`,
        say`Take it out.`,
      ),
    ];
  return [
    note(
      say`BILLING_AUTO_TOPUP says that the balance is topped up automatically. So alerts come only once it is critical and no top-up has come.`,
    ),
  ];
}

function judgeDestination(facts: BillingFacts): readonly Finding[] {
  if (facts.isNotOffered) return [];
  const [kind, missed] = facts.isOfMonth ? ['Budget', 'what a month costs'] : ['Balance', 'a low balance'];
  if (facts.isOff)
    return [
      warn(
        say`${kind} alerts are turned off, so nobody hears of ${missed}.`,
        say`To turn them on, type /billing alerts on.`,
      ),
    ];
  if (!facts.hasAlertsTo)
    return [
      fault(
        say`${kind} alerts have nowhere to go: no channel and no admin is named.`,
        say`Set LAMPLIGHTER_ADMINS, and say /billing alerts here in a channel.`,
      ),
    ];
  if (facts.alertsToUserId === undefined) return [];
  return [
    ok(say`${kind} alerts go to ${person(facts.alertsToUserId)} alone: no channel is named.`),
    note(
      say`If I fall silent, no one is told: Slack says so only in a channel to which alerts go. To choose one, type /billing alerts here in it.`,
    ),
  ];
}

/** When the balance or the month, and the instances were last looked at. `upMs`: for how long the bot has run; undefined where it doesn't. Pure. */
export function judgeLooks(
  facts: Pick<BillingFacts, 'isNotOffered' | 'isOfMonth' | 'checkedAt' | 'listedAt' | 'failingSince'>,
  { now, everyMs, upMs }: { now: number; everyMs: number; upMs: number | undefined },
): readonly Finding[] {
  const { checkedAt, listedAt, failingSince } = facts;
  const it = facts.isOfMonth ? 'What the month costs' : 'The balance';
  const lateMs = lateAfterMs(everyMs);
  const todo = say`See that a process with LAMPLIGHTER_ROLE=all or worker runs, and what its log says.`;
  if (failingSince !== undefined)
    return [
      warn(
        say`${it} can't be read; it began ${ago(failingSince)}.`,
        say`See what the log says, and whether the key may read the ${facts.isOfMonth ? 'bill' : 'balance'}.`,
      ),
    ];
  if (facts.isNotOffered)
    return [
      note(
        facts.isOfMonth
          ? say`There is no budget, so nobody checks what the month costs.`
          : say`The hosting service has no balance to check.`,
      ),
    ];
  if (checkedAt === 0)
    return upMs !== undefined && upMs > lateMs
      ? [warn(say`${it} was never checked.`, todo)]
      : [note(say`${it} hasn't been checked yet. That happens once I've run for a while.`)];
  if (upMs !== undefined && now - checkedAt > lateMs)
    return [warn(say`${it} was last checked ${ago(checkedAt)}, which is too long ago.`, todo)];
  const looked = ok(say`${it} was last checked ${ago(checkedAt)}.`);
  if (listedAt === undefined) return [looked];
  if (upMs !== undefined && now - listedAt > lateMs)
    return [
      looked,
      warn(
        say`The list of instances was last read ${ago(listedAt)}, which is too long ago.`,
        say`See what the log says of reading instances.`,
      ),
    ];
  return [looked, ok(say`The list of instances was last read ${ago(listedAt)}.`)];
}
