import { z } from 'zod';
import { type Line, readLine } from './line.ts';
import type { Person, PostedMessage, SlackDouble } from './slack/index.ts';
import { string } from './slack/json.ts';
import { canPress, everyElement, type Target } from './slack/acting/target.ts';
import type { Turn } from './slack/acting/turn.ts';
import { HELP, unknownColon } from './usage.ts';

/** What came of a line at once. */
export interface Act {
  /** Why it came to nothing, as a sentence. */
  readonly fault?: string | undefined;
  /** What the line itself is answered with. */
  readonly help?: string;
  /** Whether the person is through. */
  readonly isEnd?: boolean;
  /** Whether it is a message like any other, that the bot doesn't read. */
  readonly isSaid?: boolean;
  /** Whether the bot was asked, so that the person is to see something. */
  readonly isAsked: boolean;
}

/** Somebody before the Slack of the sandbox, in one channel, who types lines. */
export interface Seat {
  /** The handle of whoever sits here now. */
  readonly who: string;
  /** Does what a line says and waits until Slack is answered. What a person may get wrong is a fault, not a rejection. */
  act(typed: string): Promise<Act>;
  /** Stands for everything before the person but their own words: another value means that they saw something new. */
  glance(): string;
  /** Calls `tell` with the modal on top, as text, whenever it is another one or changed; gives what ends that. */
  watchModals(tell: (modal: string) => void): () => void;
}

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const labelSchema = z.object({ text: z.string() });
const optionSchema = z.object({ text: labelSchema });
const inputSchema = z.object({ type: z.literal('input'), block_id: z.string(), label: labelSchema });

/**
 * Seats somebody, by handle or id, in a channel, by its `#name`. Throws for a person who doesn't exist. `letPass`
 * lets time pass at the hosting company, in ms; without it none passes.
 */
export function takeSeat(
  slack: SlackDouble,
  first: string,
  where: string,
  letPass?: (ms: number) => Promise<void>,
): Seat {
  let who = slack.person(first).handle;
  const seen = (): PostedMessage[] =>
    [...slack.channel(where).seenBy(who), ...slack.person(who).dms].toSorted((one, other) =>
      one.ts < other.ts ? -1 : 1,
    );
  /** What is nearest to the person: their modal, else the latest message. */
  const nearest = (person: Person, isMeant: (target: Target) => boolean): Target | undefined =>
    [...seen(), ...person.views.slice(-1)].findLast(isMeant);

  const press = (person: Person, label: string): Promise<Turn> => {
    const view = person.views.at(-1);
    if (view && labelOf(view.content['submit']) === label) return person.submits(view);
    if (view && labelOf(view.content['close']) === label) return person.closes(view);
    const target = nearest(person, ({ blocks }) => canPress(blocks, label));
    if (!target) throw new Error(`There is nothing to press that says ${JSON.stringify(label)}.`);
    return person.presses(target, label);
  };
  const pick = async (person: Person, words: string): Promise<Turn> => {
    const target = nearest(person, ({ blocks }) => findPicker(blocks) !== undefined);
    const actionId = target && findPicker(target.blocks);
    if (!target || actionId === undefined) throw new Error('There is nothing to pick from.');
    const offer = await person.searches(target, actionId, words);
    const labels = offer.options.map((option) => optionSchema.parse(option).text.text);
    const [label] = labels;
    if (label === undefined) throw new Error('No choices.');
    if (labels.length > 1) throw new Error(`Several choices: ${labels.join(', ')}`);
    return person.chooses(target, actionId, label);
  };
  const type = (person: Person, words: string): Promise<Turn> => {
    const view = person.views.at(-1);
    if (!view) throw new Error('There is no modal to type into.');
    const inputs = view.blocks.flatMap((block) => inputSchema.safeParse(block).data ?? []);
    const [input] = inputs;
    if (!input) throw new Error('There is nothing to fill in here.');
    if (inputs.length > 1) {
      throw new Error(`There is more than one field here: ${inputs.map((one) => one.label.text).join(', ')}`);
    }
    return person.submits(view, { [input.block_id]: words });
  };
  const close = (person: Person): Promise<Turn> => {
    const view = person.views.at(-1);
    if (!view) throw new Error('There is no modal to close.');
    return person.closes(view);
  };

  const pass = async (words: string): Promise<void> => {
    const [, count, unit = ''] = /^(\d{1,4})([mhd])$/.exec(words.trim()) ?? [];
    const unitMs = UNITS_MS[unit];
    if (unitMs === undefined) throw new Error(`Nobody knows how long ${words} is. Say 2d, 12h or 30m.`);
    if (!letPass) throw new Error('There is no hosting company here to let time pass at.');
    await letPass(Number(count) * unitMs);
  };

  const carryOut = async ({ verb, words }: Line): Promise<Act> => {
    const person = slack.person(who);
    switch (verb) {
      case 'run':
        return asked(await person.types(where, words));
      case 'mention':
        return asked(await person.mentions(where, words));
      case 'say':
        return { ...asked(await person.types(where, words)), isAsked: false, isSaid: true };
      case 'press':
        return asked(await press(person, words));
      case 'pick':
        return asked(await pick(person, words));
      case 'type':
        return asked(await type(person, words));
      case 'close':
        return { ...asked(await close(person)), isAsked: false };
      case 'pass':
        await pass(words);
        return { isAsked: false };
      case 'as':
        who = slack.person(words).handle;
        return { isAsked: false };
      case 'help':
        return { isAsked: false, help: HELP };
      case 'quit':
        return { isAsked: false, isEnd: true };
    }
  };

  return {
    get who() {
      return who;
    },
    async act(typed) {
      const line = readLine(typed);
      if (!line) return { fault: unknownColon(typed), isAsked: false };
      try {
        return await carryOut(line);
      } catch (error) {
        return { fault: error instanceof Error ? error.message : 'That did not work.', isAsked: false };
      }
    },
    glance() {
      const { id, views } = slack.person(who);
      const messages = seen().filter(({ user }) => user !== id);
      return JSON.stringify([
        messages.map(({ ts, edits }) => [ts, edits.length]),
        views.map((view) => [view.id, view.revision]),
      ]);
    },
    watchModals(tell) {
      let told = '';
      return slack.watch(() => {
        const view = slack.person(who).views.at(-1);
        const now = view ? `${view.id} ${view.revision}` : '';
        if (now === told) return;
        told = now;
        if (view) tell(slack.readView(view));
      });
    },
  };
}

function findPicker(blocks: Target['blocks']): string | undefined {
  const picker = everyElement(blocks).find(({ element }) => element['type'] === 'external_select');
  return picker && String(picker.element['action_id']);
}

function labelOf(button: unknown): string | undefined {
  return labelSchema.safeParse(button).data?.text;
}

/** What an act is that the bot was told of. An error without a field is Slack's own about the bot's answer. */
function asked({ error, errors }: Turn): Act {
  const refusal = error ?? string(errors?.['']);
  return { fault: refusal && `Slack: ${refusal}`, isAsked: true };
}
