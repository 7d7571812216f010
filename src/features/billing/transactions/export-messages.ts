import { compare, formatAmount, ZERO } from '../../../core/money/amount.ts';
import { isRefusedToken } from '../../../platform/slack/errors.ts';
import type { Message } from '../../../platform/slack/message.ts';
import { join, type Phrase, say, time } from '../../../platform/slack/phrase.ts';
import { addsUp, unreadableWords } from './messages.ts';
import type { Written } from './write-transactions.ts';

/** Codes after which asking again may help: Slack, or the way to it, and not what was asked of it. */
const PASSING =
  /^(?:ratelimited|rate_limited|unreachable|upload_unreachable|unreadable|(?:http|upload)_5\d\d|upload_429|\w+_error|service_unavailable|request_timeout)$/;

/** What the file holds, whether it adds up, and what it leaves out. `isWhole`: no rows in between are left out. */
export function sentMessage(
  written: Written,
  {
    name,
    unit,
    filters,
    isWhole,
  }: { name: string; unit: string; filters: readonly Phrase[]; isWhole: boolean },
): Message {
  const { rows, end } = written;
  const only = filters.length === 0 ? [] : [say`Only those ${join(filters, ', ')} are in it.`];
  const cut = cutWords(written);
  const isIncomplete = end === 'same page again' || end === 'some missing';
  if (rows === 0)
    return {
      lines: [
        isIncomplete || end === 'most time'
          ? say`I found no such transactions, so I sent no file.`
          : say`There are no such transactions, so I sent no file.`,
        ...cut,
      ],
    };
  return {
    lines: [
      say`I sent you ${name} with ${counted(rows)} in our direct messages.`,
      ...(isIncomplete ? cut : []),
      ...(isIncomplete
        ? [say`So I can't tell whether the rows add up.`]
        : isWhole
          ? sumsWords(written, unit)
          : filteredWords(written)),
      ...emptyWords(written),
      ...only,
      ...(isIncomplete ? [] : cut),
    ],
  };
}

/** What the rows come to; with others in between left out there is no balance to check that by. */
function filteredWords({ sums }: Written): Phrase[] {
  if (sums.unreadable > 0) return [unreadableWords(sums)];
  return [say`The rows come to ${formatAmount(sums.credits)} added and ${formatAmount(sums.usage)} used.`];
}

function sumsWords(written: Written, unit: string): Phrase[] {
  const { sums, statement, isInOrder } = written;
  if (sums.unreadable > 0) return [unreadableWords(sums)];
  if (!isInOrder)
    return [
      ...filteredWords(written),
      say`They don't come in the order of their times, so I can't tell whether they add up.`,
    ];
  if (!statement)
    return [say`The hosting service gives no balances, so I can't tell whether the rows add up.`];
  const words = addsUp(statement, unit);
  return compare(statement.gap, ZERO) === 0 ? [join([say`The rows add up`, ...words], ': ')] : words;
}

/** Rows whose amount is empty in the file. */
function emptyWords({ sums: { unreadable } }: Written): Phrase[] {
  if (unreadable === 0) return [];
  return [
    say`${counted(unreadable)} ${unreadable === 1 ? 'has' : 'have'} an empty amount in the file, because it can't be read.`,
  ];
}

function cutWords({ end, rows, total, isInOrder }: Written): Phrase[] {
  const others = isInOrder ? 'older' : 'other';
  switch (end) {
    case 'all':
      return [];
    case 'most rows':
      return [
        say`The file is cut off: it holds at most ${counted(rows)}, and ${others} ones are left out. Ask for less with --last, --type or --instance.`,
      ];
    case 'most bytes':
      return [
        say`The file is cut off: it can only get so large, and ${others} rows are left out. Ask for less with --last, --type or --instance.`,
      ];
    case 'most time':
      return [
        say`The file is cut off: reading took too long, and ${others} rows are left out. Ask for less with --last.`,
      ];
    case 'same page again':
      return [
        say`The file isn't complete: the hosting service ${hasWords(total)}, but gave me the same ones again and again.`,
      ];
    case 'some missing':
      return [
        say`The file isn't complete: the hosting service ${hasWords(total)}, and I found no way to read the rest.`,
      ];
  }
}

function hasWords(total: number | undefined): string {
  return total === undefined ? 'seems to have more' : `has ${numberOf(total)} transactions`;
}

function counted(rows: number): string {
  return `${numberOf(rows)} ${rows === 1 ? 'row' : 'rows'}`;
}

function numberOf(count: number): string {
  return formatAmount({ units: BigInt(count), scale: 0 });
}

/** How far a file is. */
export function readingMessage(rows: number): Message {
  return {
    lines: [say`⏳ Reading transactions: ${numberOf(rows)} so far. The file comes here once all are read.`],
  };
}

/** The process that read is gone, and so is what it knew of the file. */
export function stoppedMessage(rows: number): Message {
  return {
    lines: [
      say`Reading transactions stopped after ${counted(rows)}. If the file isn't here, ask again with /billing transactions --csv.`,
    ],
  };
}

/** The reading itself went wrong, and no file was sent; why is said where it was asked. */
export function failedMessage(rows: number): Message {
  return {
    lines: [
      say`Reading transactions stopped after ${counted(rows)}, so I sent no file. The answer to your command says why.`,
    ],
  };
}

/** One file of a person at a time. `startedAt` in Unix ms. */
export function underWayWords(startedAt: number, rows: number): Phrase {
  return say`Your file from ${time(startedAt)} is still being read: ${counted(rows)} so far. It comes to our direct messages, so I didn't begin another.`;
}

/** Slack may have delivered the file, and didn't say. */
export function unsureMessage(name: string): Message {
  return {
    lines: [
      say`I don't know whether ${name} arrived: Slack has it, but its answer got lost. Look into our direct messages, and ask again if it isn't there.`,
    ],
  };
}

/** Why no file was sent and what now, by Slack's code. */
export function noFileWords(code: string): Phrase {
  if (code === 'missing_scope')
    return say`I sent no file: this Slack doesn't let me, because the app lacks the scope files:write. The person who runs the bot must add it and install the app again; then ask again.`;
  if (code === 'foreign_upload_url')
    return say`I sent no file: Slack named a place to upload it to that isn't Slack's own, and I don't trust that. Tell the person who runs the bot.`;
  return refusedWords(code);
}

/** Why there are no direct messages to send to, by Slack's code. */
export function noDirectMessagesWords(code: string): Phrase {
  if (code === 'missing_scope')
    return say`I sent no file: this Slack doesn't let me write direct messages, because the app lacks the scope im:write. The person who runs the bot must add it and install the app again; then ask again.`;
  return refusedWords(code);
}

function refusedWords(code: string): Phrase {
  if (PASSING.test(code)) return say`I sent no file: Slack doesn't take it right now. Try again in a minute.`;
  if (isRefusedToken(code))
    return say`I sent no file: Slack refuses the bot's token. The person who runs the bot must check it.`;
  return say`I sent no file: Slack refused it (${code}). The person who runs the bot can find out why; the list itself is at billing transactions.`;
}

/** The disk is full, or can't be written to. `code` is the system\'s. */
export function noRoomWords(code: string): Phrase {
  return say`I sent no file: I can't write it to the bot's own disk first (${code}). The person who runs the bot must give it room for temporary files; then ask again.`;
}

/** Too many files at once. */
export function busyWords(most: number): Phrase {
  return say`I'm writing ${most} such files already, so I didn't begin yours. Ask again in a few minutes.`;
}
