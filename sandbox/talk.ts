import { createInterface } from 'node:readline/promises';
import { z } from 'zod';
import { PEOPLE } from './people.ts';
import type { Sandbox } from './sandbox.ts';
import type { PostedMessage } from './slack/index.ts';

const HELP = `You are in a Slack of your own. Type as in Slack:
  /instances                     a slash command
  @lamplighter restart web-1     a mention
  :press Restart                 press a button of the latest message that has it
  :pick web-1                    choose in the latest picker
  :as bob                        be somebody else (${PEOPLE.map((person) => person.handle).join(', ')})
  :quit`;

const optionSchema = z.object({ text: z.object({ text: z.string() }) });

/** Lets a person type, press and read in the terminal until they quit. */
export async function talk(sandbox: Sandbox, first: string, where: string): Promise<void> {
  const { slack } = sandbox;
  let who = first;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const told = new Map<PostedMessage, PostedMessage['content']>();
  const print = (text: string): void => void process.stdout.write(`\r\u001B[K${text}\n`);
  const tellNew = (): void => {
    for (const message of [...slack.channel(where).seenBy(who), ...slack.person(who).dms]) {
      const before = told.get(message);
      if (before === message.content || message.bot_id === undefined) continue;
      told.set(message, message.content);
      const text = slack.read(message);
      const marks = [
        message.ephemeralFor === undefined ? '' : ' (only you can see this)',
        message.thread_ts === undefined ? '' : ' (in a thread)',
        before === undefined ? '' : ' (edited)',
      ].join('');
      print(`\n  Lamplighter${marks}\n    ${text.replaceAll('\n', '\n    ')}`);
      terminal.prompt(true);
    }
  };
  const stopWatching = slack.watch(tellNew);
  print(HELP);
  terminal.setPrompt(`${who} in ${where}> `);
  terminal.prompt();
  for await (const typed of terminal) {
    const line = typed.trim();
    if (line === ':quit') break;
    try {
      if (line.startsWith(':as ')) {
        who = slack.person(line.slice(4).trim()).handle;
        terminal.setPrompt(`${who} in ${where}> `);
      } else if (line !== '') await act(sandbox, who, where, line, print);
    } catch (error) {
      print(`  ${error instanceof Error ? error.message : 'That did not work.'}`);
    }
    terminal.prompt();
  }
  stopWatching();
  terminal.close();
}

async function act(
  sandbox: Sandbox,
  who: string,
  where: string,
  line: string,
  print: (text: string) => void,
): Promise<void> {
  const person = sandbox.slack.person(who);
  const [verb = '', ...rest] = line.split(' ');
  const what = rest.join(' ');
  const withElement = (element: string): PostedMessage => {
    const found = sandbox.slack
      .channel(where)
      .seenBy(who)
      .findLast((message) => JSON.stringify(message.content.blocks).includes(element));
    if (!found) throw new Error('There is no message with that.');
    return found;
  };
  if (verb === ':press') {
    await person.presses(withElement(`"${what}"`), what);
  } else if (verb === ':pick') {
    const message = withElement('"external_select"');
    const actionId = /"action_id":"([^"]+)"/.exec(JSON.stringify(message.content.blocks))?.[1] ?? '';
    const offer = await person.searches(message, actionId, what);
    const labels = offer.options.map((option) => optionSchema.parse(option).text.text);
    const [label] = labels;
    if (label === undefined || labels.length > 1) print(`  ${labels.join('\n  ') || 'No choices.'}`);
    if (label !== undefined && labels.length === 1) await person.chooses(message, actionId, label);
  } else if (line.startsWith('@')) await person.mentions(where, line.replace(/^@\S+\s*/, ''));
  else {
    const turn = await person.types(where, line);
    if (turn.error !== undefined) print(`  Slack: ${turn.error}`);
  }
}
