import { stringify } from 'yaml';
import { z } from 'zod';
import { encode } from '../reading/entities.ts';

const proposalSchema = z.object({
  reference: z.string(),
  state: z.string(),
  does: z.string(),
  answeredBy: z.string().optional(),
  outcome: z.string().optional(),
});
const instancesSchema = z.object({
  instances: z.array(z.object({ id: z.string(), name: z.string(), status: z.string() })),
});
const saidSchema = z.object({ lines: z.array(z.string()), items: z.array(z.string()) });

/** What Slackbot says of what a tool answered, as the text of a message. Pure. */
export function wordsOf(tool: string, data: unknown): string {
  const proposal = proposalSchema.safeParse(data).data;
  if (proposal) return tool === 'propose_change' ? proposed(proposal) : became(proposal);
  const instances = instancesSchema.safeParse(data).data?.instances;
  if (instances)
    return bulleted(
      [],
      instances.map(({ id, name, status }) => `${name} (${id}): ${status}`),
    );
  const said = saidSchema.safeParse(data).data;
  if (said) return bulleted(said.lines, said.items);
  return `\`\`\`${encode(stringify(data).trimEnd())}\`\`\``;
}

/** The reference of what a message of Slackbot's proposes, if it does. Pure. */
export function referenceIn(text: string): string | undefined {
  return /Reference (\S{8})\.$/.exec(text)?.[1];
}

function proposed({ does, reference }: z.output<typeof proposalSchema>): string {
  return `I proposed to ${encode(does)}. Nothing is done until you press: Lamplighter asks you in its messages. Reference ${reference}.`;
}

function became({ does, state, answeredBy, outcome }: z.output<typeof proposalSchema>): string {
  return `I proposed to ${encode(does)}. ${endOf(state, answeredBy === undefined ? 'Somebody' : `<@${answeredBy}>`, outcome)}`;
}

/** How what was begun stands, as a colleague would say it. */
const ENDED: Readonly<Record<string, string>> = {
  done: 'It is done.',
  asked: 'The hosting service has taken it.',
  failed: 'It failed.',
  unknown: 'Nobody knows whether it was done.',
  canceled: 'It was canceled.',
};

function endOf(state: string, by: string, outcome: string | undefined): string {
  switch (state) {
    case 'waiting':
      return 'It waits for you to press.';
    case 'asked':
      return `${by} pressed Go ahead. It waits for a confirmation or an approval.`;
    case 'begun':
      return `${by} went ahead with it. ${ENDED[outcome ?? ''] ?? 'It is under way.'}`;
    case 'declined':
      return `${by} declined it, so nothing was done.`;
    case 'stopped':
      return `${by} stopped me, so nothing was done.`;
    case 'unread':
      return 'Nobody can see it, so nothing was done.';
    default:
      return 'Nobody pressed in time, so nothing was done.';
  }
}

function bulleted(lines: readonly string[], items: readonly string[]): string {
  const bullets = items.map((item) => `• ${item}`);
  return [...lines, ...bullets].map(encode).join('\n') || 'Nothing.';
}
