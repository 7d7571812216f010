import type { z } from 'zod';
import type { Actor } from '../../platform/slack/ids.ts';
import type { Entry } from '../audit/entry.ts';
import { plain } from '../../platform/slack/phrase.ts';
import { ROLES } from '../policy/permissions.ts';

/** As people know the agent whose requests Slack signs. */
export const SLACKBOT = 'Slackbot';

/** Where an agent asks, as far as rights go: a direct message, which nobody else reads. */
export const AGENT_PLACE = { channelId: 'D0AGENT' } as const;

/** In whose name an agent asks, with whose rights. */
export interface Caller {
  /** The agent, by its name. */
  readonly agent: string;
  /** The same by its id; undefined of Slackbot. */
  readonly agentId?: string;
  /** Where it proposes; in the direct messages of its person without it. */
  readonly channelId?: string;
  readonly actor: Actor;
  /** Id of who added it and was shown its token, where that is somebody else. */
  readonly addedBy?: string;
  /** The same for the same signed request, in whichever process it is carried out; undefined where none is signed. */
  readonly requestId?: string;
  /** Unix ms, by Redis' clock. */
  readonly askedAt: number;
}

/** Whom Slackbot asks for: somebody with all that they may themselves, through it. Pure. */
export function throughSlackbot(actor: Actor): Omit<Caller, 'askedAt'> {
  return { agent: SLACKBOT, actor: { ...actor, through: { agent: SLACKBOT, roles: ROLES, isThere: true } } };
}

/** What agents are told of something that they can call. */
interface Described<Input extends z.ZodObject> {
  /** As agents call it: `list_instances`. */
  readonly name: string;
  readonly title: string;
  /** What it gives, and when to call it. */
  readonly description: string;
  readonly input: Input;
  /** Set where it asks people for something; without it, it only reads. */
  readonly asks?: true;
}

/** Adds to what the audit keeps of a call that is refused. */
type AddToAttempt = (more: Partial<Entry>) => void;

interface Declared<Input extends z.ZodObject, Output extends z.ZodObject> extends Described<Input> {
  readonly output: Output;
  /** Throws a Refusal where it may not be answered, and HostingError. */
  answer(caller: Caller, input: z.output<Input>, audit: AddToAttempt): Promise<z.input<Output>>;
}

/** Something that an agent can call. It reads, or asks people for something; it does nothing by itself. */
export interface Tool extends Described<z.ZodObject> {
  readonly output: z.ZodObject;
  /** `input`: anything, read by the schema. Throws what the declared answer throws, and ZodError. */
  answer(caller: Caller, input: unknown, audit: AddToAttempt): Promise<Readonly<Record<string, unknown>>>;
}

export function tool<Input extends z.ZodObject, Output extends z.ZodObject>({
  answer,
  ...declared
}: Declared<Input, Output>): Tool {
  const { input, output } = declared;
  return {
    ...declared,
    answer: async (caller, given, audit) => output.parse(await answer(caller, input.parse(given), audit)),
  };
}

/** A route that agents can call as well: they read the words that a person would. */
export interface RouteTool extends Described<z.ZodObject> {
  /** The words after the verb. `input`: anything, read by the schema. Throws ZodError. */
  words(input: unknown): readonly string[];
}

export function routeTool<Input extends z.ZodObject>({
  words,
  ...declared
}: Described<Input> & { words(input: z.output<Input>): readonly (string | undefined)[] }): RouteTool {
  return {
    ...declared,
    words: (given) => words(declared.input.parse(given)).filter((word) => word !== undefined),
  };
}

/** The longest text of the service that an agent is given, in characters. */
const LONGEST = 200;

/** Foreign text in a field of its own: on one line, and cut where it is long. Undefined for none. */
export function field(text: string): string;
export function field(text: string | undefined): string | undefined;
export function field(text: string | undefined): string | undefined {
  return text === undefined ? undefined : plain(text, LONGEST);
}

/** A moment as agents read it: `2026-11-28T09:00:00.000Z`. `at`: Unix ms. */
export function moment(at: number): string {
  return new Date(at).toISOString();
}

/** The first of a list, with how many there are: what is left out is never silent. */
export function cut<Item>(
  all: readonly Item[],
  most: number,
): { readonly items: readonly Item[]; readonly total: number; readonly isCut: boolean } {
  return { items: all.slice(0, most), total: all.length, isCut: all.length > most };
}
