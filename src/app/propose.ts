import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { isUsageAsked } from './usage-asked.ts';

/** What the command ends with: 0 done, 1 not done, 2 not understood, 3 nobody knows. */
type ExitCode = 0 | 1 | 2 | 3;

export interface ProposeOptions {
  /** Where the bot answers agents. */
  readonly url: string;
  readonly token: string;
  readonly say: (line: string) => void;
  /** How often it looks what has become of it. */
  readonly lookEveryMs?: number;
}

const USAGE = [
  'Usage:',
  '  node dist/propose.js restart web-1 --because "deploy 41" [--wait]',
  'It needs LAMPLIGHTER_URL, like https://bot.example.com/mcp, and LAMPLIGHTER_TOKEN.',
];
const LOOK_EVERY_MS = 5_000;
/** So often in a row the bot may not answer before it is given up. */
const MOST_FAULTS = 12;

const proposalSchema = z.object({
  reference: z.string(),
  state: z.enum(['waiting', 'asked', 'begun', 'declined', 'stopped', 'expired', 'unread']),
  does: z.string(),
  answeredBy: z.string().optional(),
  outcome: z.string().optional(),
});
type Proposal = z.output<typeof proposalSchema>;

const answerSchema = z.object({
  result: z.object({
    isError: z.boolean().optional(),
    content: z.array(z.object({ text: z.string() })),
    structuredContent: z.unknown().optional(),
  }),
});

/** The bot said no, in words. */
class SaidNo extends Error {}

/** `node dist/propose.js`. `args`: what was typed after it. Gives what its process exits with. Never throws. */
export async function propose(args: readonly string[], options: ProposeOptions): Promise<ExitCode> {
  const { say } = options;
  const asked = isUsageAsked(args) ? undefined : read(args);
  if (!asked) {
    USAGE.forEach(say);
    return isUsageAsked(args) ? 0 : 2;
  }
  const { isWaiting, ...change } = asked;
  let isProposed = false;
  try {
    const proposal = await call(options, 'propose_change', change);
    say(`Proposed to ${proposal.does}. Reference ${proposal.reference}.`);
    isProposed = true;
    if (!isWaiting) return 0;
    say('Waiting for a person.');
    return end(await untilEnd(options, { reference: proposal.reference }), say);
  } catch (error) {
    if (isProposed) {
      say(unseen(error));
      return 3;
    }
    if (error instanceof SaidNo) {
      say(error.message);
      return 1;
    }
    say(`The bot doesn't answer, so nobody knows whether it was proposed: ${messageOf(error)}`);
    return 3;
  }
}

/** What is said where it was proposed and nobody is told what became of it: it may be done by now. Pure. */
function unseen(error: unknown): string {
  return error instanceof SaidNo
    ? `It was proposed, but I may not read what became of it: ${error.message}`
    : `It was proposed, but the bot doesn't answer, so I don't know what became of it: ${messageOf(error)}`;
}

/** What was typed; undefined where it can't be read. Pure. */
function read(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        because: { type: 'string' },
        wait: { type: 'boolean', default: false },
      },
    });
    const [verb, ...names] = positionals;
    const { because, wait: isWaiting } = values;
    if (verb === undefined || names.length === 0 || because === undefined) return undefined;
    return { verb, instance: names.join(' '), because, isWaiting };
  } catch {
    return undefined;
  }
}

async function untilEnd(options: ProposeOptions, asked: Pick<Proposal, 'reference'>): Promise<Proposal> {
  for (let faults = 0; ;) {
    await wait(options.lookEveryMs ?? LOOK_EVERY_MS);
    try {
      const proposal = await call(options, 'get_proposal', asked);
      faults = 0;
      const isOpen = ['waiting', 'asked'].includes(proposal.state) || proposal.outcome === 'under way';
      if (!isOpen) return proposal;
    } catch (error) {
      faults += 1;
      // It may have begun by now, so that a no to this question says nothing of it.
      if (faults === MOST_FAULTS) throw error;
    }
  }
}

/** What is said of a proposal that nobody has answered. */
const ENDED: Readonly<Record<string, string>> = {
  expired: 'Expired: nobody went on with it in time',
  unread: "Nobody can read it: the bot can't post in its channel",
};

function end({ state, outcome, answeredBy }: Proposal, say: ProposeOptions['say']): ExitCode {
  const by = answeredBy === undefined ? '' : ` by ${answeredBy}`;
  if (state !== 'begun') {
    say(`${ENDED[state] ?? `${state === 'declined' ? 'Declined' : 'Stopped'}${by}`}. Nothing was done.`);
    return 1;
  }
  say(`Begun${by}. It ended as: ${outcome}.`);
  if (outcome === 'done') return 0;
  return outcome === 'failed' || outcome === 'canceled' ? 1 : 3;
}

/** Calls one tool. Throws SaidNo where the bot refuses, and anything else where it doesn't answer. */
async function call({ url, token }: ProposeOptions, name: string, args: object): Promise<Proposal> {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    signal: AbortSignal.timeout(30_000),
  });
  if (answer.status === 401) throw new SaidNo('The token is not known: it is revoked, or over.');
  if (answer.status === 404) throw new SaidNo('Agents may not ask there, or it is another address.');
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const { result } = answerSchema.parse(messageIn(await answer.text()));
  const said = result.content.map(({ text }) => text).join('\n');
  if (result.isError) throw new SaidNo(said);
  return proposalSchema.parse(result.structuredContent);
}

/** The message of an answer, which may come as an event. Pure. */
function messageIn(text: string): unknown {
  const event = /^data: (.*)$/m.exec(text)?.[1];
  return JSON.parse(event ?? text);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  return error.cause instanceof Error ? error.cause.message : error.message;
}
