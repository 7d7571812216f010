import { createInterface } from 'node:readline/promises';
import type { Sandbox } from './sandbox.ts';
import { takeSeat } from './seat.ts';
import type { PostedMessage } from './slack/index.ts';
import { HELP } from './usage.ts';

/** How long the end of piped lines waits for what they began. */
const END_LIMIT_MS = 60_000;

/**
 * Lets a person type, press and read in the terminal until they quit or the terminal ends. Gives whether a person ended it,
 * and not only the lines that were piped in.
 */
export async function talk(sandbox: Sandbox, first: string, where: string): Promise<boolean> {
  const { slack } = sandbox;
  const seat = takeSeat(slack, first, where, sandbox);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const printed = new Map<PostedMessage, PostedMessage['content']>();
  const print = (text: string): void => void process.stdout.write(`\r\u001B[K${text}\n`);
  const prompt = (): void => {
    terminal.setPrompt(`${seat.who} in ${where}> `);
    terminal.prompt(true);
  };
  const tell = (head: string, text: string): void => {
    print(`\n  ${head}\n    ${text.replaceAll('\n', '\n    ')}`);
    prompt();
  };
  const tellNew = (): void => {
    for (const message of [...slack.channel(where).seenBy(seat.who), ...slack.person(seat.who).dms]) {
      const before = printed.get(message);
      if (before === message.content || message.bot_id === undefined) continue;
      printed.set(message, message.content);
      const marks = [
        message.ephemeralFor === undefined ? '' : ' (only you can see this)',
        message.thread_ts === undefined ? '' : ' (in a thread)',
        before === undefined ? '' : ' (edited)',
      ].join('');
      tell(`Lamplighter${marks}`, slack.read(message));
    }
  };
  const stopWatching = [
    slack.watch(tellNew),
    seat.watchModals((modal) => tell('Lamplighter (a modal)', modal)),
  ];
  let isQuit = process.stdin.isTTY;
  print(HELP);
  prompt();
  for await (const typed of terminal) {
    const line = typed.trim();
    if (line !== '') {
      const { fault, help, isEnd, isSaid } = await seat.act(line);
      if (isEnd) {
        isQuit = true;
        break;
      }
      if (fault !== undefined) print(`  ${fault}`);
      if (help !== undefined) print(help);
      if (isSaid)
        print(
          `  Said in ${where}. The bot reads commands (/…) and mentions of it; help lists what you can type.`,
        );
    }
    prompt();
  }
  // Lines from a pipe end before what they began does.
  if (!process.stdin.isTTY) await sandbox.settled(END_LIMIT_MS).catch(() => undefined);
  for (const stop of stopWatching) stop();
  terminal.close();
  return isQuit;
}
