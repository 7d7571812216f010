import { CLOUD_KINDS } from './clouds/cloud.ts';
import { COLON_VERBS } from './line.ts';
import { PEOPLE } from './people.ts';
import { demoWorld } from './world.ts';

/** What can be typed, with an example of each line. */
const LINES: readonly (readonly [example: string, about: string])[] = [
  ['/instances restart web-1', 'a slash command; /lamplighter help says which there are'],
  ['@lamplighter restart web-1', 'a mention of the bot'],
  [':press Restart', 'press a button, or a line of a menu, of the latest message that has it'],
  [':pick web-1', 'choose in the latest picker'],
  [
    ':type web-1',
    'fill in the modal that is open, and submit it; without one, the field of the latest message',
  ],
  [':close', 'close it'],
  [':reply @lamplighter show this', 'say something in the thread of the latest message of the bot'],
  [':dm restart web-1', 'write to the bot alone, in its own conversation'],
  [
    ':slackbot what runs?',
    'ask Slackbot, which asks the bot in your name; also restart web-1 because deploy 41',
  ],
  [':shortcut Act on an instance', 'use a shortcut, of the latest message or from anywhere'],
  [':as bob', 'be somebody else'],
  [':people', 'who there is, with their ids and the roles that they have now'],
  [':pass 2d', 'let two days pass at the hosting service, or 12h, or 30m'],
  [':set web-1 stopped', "put an instance into a state behind the bot's back: running or stopped"],
  [':lock web-1', "lock a machine of a cloud (--service) behind the bot's back; :unlock web-1 frees it"],
  [':calls', 'the calls that asked the hosting service for a change'],
  [':help', 'this list; also help or ?'],
  [':quit', 'the end; also quit, exit or Ctrl-D'],
];

const people = PEOPLE.map(({ handle, name }) => `${handle} (${name})`).join(', ');

/** What is shown in answer to `:help`. */
export const HELP = `You are in a Slack of your own, with a hosting service and the real bot. What you can type:
${LINES.map(([example, about]) => `  ${example.padEnd(34)}${about}`).join('\n')}
Anything else is said in the channel.
People: ${people}
The same Slack in a browser: npm run demo -- --web`;

/** What is shown in answer to `--help`. */
export const USAGE = `npm run demo                            type and press in this terminal
npm run demo -- "<line>" "<line>" …     type these lines, print the channel, and end; exit code 1 after a fault
npm run demo -- --web                   the same Slack in your browser too, on this machine alone
npm run demo -- --customer draining "/billing" ":pass 2d" "/billing"
npm run demo -- --accounts "/instances restart labs:web-1"
npm run demo -- --service hetzner       the bot at a cloud with 24 machines, in place of the hosting company

  --customer <name>   whose instances and money the bot sees: ${demoWorld()
    .customers.map(({ name }) => name)
    .join(', ')}
  --service <name>    the hosting service: instance-hosting (the default), ${CLOUD_KINDS.join(', ')}
  --accounts          two accounts, acme and labs, with the same instances; web-1 is acme:web-1 or labs:web-1
  --web               serve a page at 127.0.0.1, and print its address
  --port <number>     where that is; 0 for any free port, 4040 when left out
  --open              open it in your browser
  --help              this
  REDIS_URL           in the environment: a Redis to use in place of a private one
  LAMPLIGHTER_EVERYONE, LAMPLIGHTER_ADMINS, LAMPLIGHTER_PROTECTED, LAMPLIGHTER_APPROVE, LAMPLIGHTER_POLICY,
  LAMPLIGHTER_AGENTS, INSTANCE_URL, BILLING_TOPUP_URL, BILLING_AUTO_TOPUP
                      in the environment: they count as in the bot; docs/policy.yaml is a policy file to try

${HELP}

docs/sandbox.md says what each customer and each instance is for.`;

/** What is shown of agents where they may ask. `url`: where. */
export function agentsWords(url: string): string {
  return `Agents ask at ${url}: Slackbot as you, and a program with a token. Try
  :slackbot restart web-1 because deploy 41
  /lamplighter agent add deploy-bot as @ana in #ops    then :press Show its token, and in another terminal
  LAMPLIGHTER_URL=${url} LAMPLIGHTER_TOKEN=… npm run propose -- restart web-1 --because "deploy 41" --wait
`;
}

/** The answer to a word with a colon that there isn't. */
export function unknownColon(typed: string): string {
  const words = COLON_VERBS.map((verb) => `:${verb}`);
  return `There is no ${typed.trim().split(/\s/)[0] ?? ''}. There are ${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}.`;
}
