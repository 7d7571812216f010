import { createInterface } from 'node:readline/promises';
import { PEOPLE } from './people.ts';
import type { Sandbox } from './sandbox.ts';
import { takeSeat } from './seat.ts';
import type { PostedMessage } from './slack/index.ts';

const HELP = `You are in a Slack of your own. Type as in Slack:
  /instances                     a slash command
  @lamplighter restart web-1     a mention
  :press Restart                 press a button, or a line of a menu, of the latest message that has it
  :pick web-1                    choose in the latest picker
  :type web-1                    fill in the modal that is open, and submit it
  :close                         close it
  :as bob                        be somebody else (${PEOPLE.map((person) => person.handle).join(', ')})
  :pass 2d                       let two days pass at the hosting company, or 12h, or 30m
  :quit`;

/** Lets a person type, press and read in the terminal until they quit. */
export async function talk({ slack, hosting }: Sandbox, first: string, where: string): Promise<void> {
  const seat = takeSeat(slack, first, where, hosting.hurry);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const told = new Map<PostedMessage, PostedMessage['content']>();
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
      const before = told.get(message);
      if (before === message.content || message.bot_id === undefined) continue;
      told.set(message, message.content);
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
  print(HELP);
  prompt();
  for await (const typed of terminal) {
    const line = typed.trim();
    if (line === ':quit') break;
    if (line !== '') {
      const { fault } = await seat.act(line);
      if (fault !== undefined) print(`  ${fault}`);
    }
    prompt();
  }
  for (const stop of stopWatching) stop();
  terminal.close();
}
