import { Refusal } from '../../../core/refusal.ts';
import { HostingError, type HostingFault, keyFaultWords } from '../../../platform/hosting/hosting-error.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { clockWords, type TimeOfDay } from '../../../platform/time/clock-words.ts';
import { offsetAt } from '../../../platform/time/zoned-time.ts';
import { TRANSACTIONS_NOT_OFFERED } from '../balance/offered.ts';
import type { Attempt, Bulletin } from './record.ts';

type Named = Pick<Bulletin<never>, 'icon' | 'called' | 'whose'>;

/** There is none this time: why, and when the next one comes (Unix ms). It has no figures. */
export function notMadeMessage(
  { icon, called, whose }: Named,
  fault: unknown,
  failures: number,
  nextAt: number,
): Message {
  const often = failures === 1 ? '' : `, ${failures} times in a row`;
  return {
    lines: [
      say`${icon} ${whose} ${called} couldn't be made: ${whyNot(fault)}${often}. The next one comes ${time(nextAt)}.`,
    ],
  };
}

/** How far the one is that is being made. */
export function attemptWords({ whose }: Pick<Named, 'whose'>, { failures, dueAt }: Attempt): Phrase {
  return failures === 0
    ? say`${whose} is being made: I'm still reading what the service has charged.`
    : say`${whose} couldn't be made yet: next try ${time(dueAt)}.`;
}

/** What the hosting service did where it gave nothing. */
const DID: Partial<Record<HostingFault, string>> = {
  unauthorized: keyFaultWords('unauthorized'),
  forbidden: keyFaultWords('forbidden'),
  'rate-limited': 'took no more requests',
  unreadable: "answered something I can't read",
};

function whyNot(fault: unknown): string {
  if (fault instanceof HostingError) {
    const otherwise = fault.answered ? 'answered with an error' : "didn't answer";
    return `the hosting service ${DID[fault.fault] ?? otherwise}`;
  }
  if (!(fault instanceof Refusal)) return 'something went wrong on our side';
  return fault.code === TRANSACTIONS_NOT_OFFERED
    ? "the hosting service doesn't offer a list of transactions"
    : "the balance couldn't be read";
}

/** "every Monday at 09:00 (Europe/Madrid), next …". `nextAt` in Unix ms. */
export function scheduleWords(
  days: string,
  { zone, ...at }: TimeOfDay & { readonly zone: string },
  nextAt: number,
): Phrase {
  return say`${days} at ${clockWords(at)} (${zoneWords(zone, nextAt)}), next ${time(nextAt)}`;
}

/** A zone, and what it means where its name says the opposite: Etc/GMT+2 is two hours behind. */
function zoneWords(zone: string, at: number): string {
  return zone.startsWith('Etc/') ? `${zone}, which is ${offsetAt(at, zone)}` : zone;
}
