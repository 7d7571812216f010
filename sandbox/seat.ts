import { parseDuration } from '../src/platform/time/duration.ts';
import { close, pick, press, type } from './acts.ts';
import { type Line, readLine } from './line.ts';
import { actBehind } from './service/behind.ts';
import type { Service } from './service/service.ts';
import { getShortcut } from './shortcuts.ts';
import type { Person, PostedMessage, SlackDouble } from './slack/index.ts';
import { string } from './slack/json.ts';
import type { Interaction } from './slack/acting/interaction.ts';
import { HELP, unknownColon } from './usage.ts';

/** What came of a line at once. */
export interface Act {
  /** Why it came to nothing, as a sentence. */
  readonly fault?: string;
  /** What the line itself is answered with. */
  readonly help?: string;
  /** Whether the person is finished. */
  readonly isEnd?: boolean;
  /** Whether it is a message like any other, that the bot doesn't read. */
  readonly isSaid?: boolean;
  /** Whether the bot was asked, so that the person is to see something. */
  readonly isAsked: boolean;
}

/** Somebody before the Slack of the sandbox, in one channel, who types lines. */
export interface Seat {
  /** The handle of the person who sits here now. */
  readonly who: string;
  /** Does what a line says and waits until Slack is answered. What a person may get wrong is a fault, not a rejection. */
  act(typed: string): Promise<Act>;
  /** Stands for everything before the person but their own words: another value means that they saw something new. */
  glance(): string;
  /** Calls `tell` with the modal on top, as text, whenever it is another one or changed; gives what ends that. */
  watchModals(tell: (modal: string) => void): () => void;
}

/** What a seat can do besides what Slack does. */
interface Around {
  readonly pass?: ((ms: number) => Promise<void>) | undefined;
  readonly people?: () => Promise<string>;
  readonly service?: Service;
}

/**
 * Seats somebody, by handle or id, in a channel, by its `#name`. Throws for a person who doesn't exist. `pass` lets
 * time pass at the hosting service, in ms, `people` says who there is, and `service` is what is acted on behind the bot's
 * back; without them none of it is possible.
 */
export function takeSeat(
  slack: SlackDouble,
  first: string,
  where: string,
  { pass: letPass, people, service }: Around = {},
): Seat {
  let who = slack.person(first).handle;
  const seen = (): PostedMessage[] => seenBy(slack, who, where);

  const carryOut = async ({ verb, words }: Line): Promise<Act> => {
    const person = slack.person(who);
    switch (verb) {
      case 'run':
      case 'dm':
        return asked(await person.types(verb === 'dm' ? verb : where, words));
      case 'mention':
        return asked(await person.mentions(where, words));
      case 'slackbot':
        return askSlackbot(slack, person, words);
      case 'say':
        return { ...asked(await person.types(where, words)), isAsked: false, isSaid: true };
      case 'press':
        return asked(await press(person, seen(), words));
      case 'pick':
        return picked(words, await pick(person, seen(), words));
      case 'type':
        return asked(await type(person, seen(), words));
      case 'shortcut':
        return asked(await useShortcut(slack, person, where, words));
      case 'reply':
        return reply(slack, person, where, words);
      case 'close':
        return { ...asked(await close(person)), isAsked: false };
      case 'pass':
        return pass(words, letPass);
      case 'people':
        return { isAsked: false, help: people ? await people() : 'There is no bot here to have roles in.' };
      case 'as':
        who = slack.person(words).handle;
        return { isAsked: false };
      case 'help':
        return { isAsked: false, help: HELP };
      case 'quit':
        return { isAsked: false, isEnd: true };
      default:
        return { isAsked: false, ...actBehind(service, verb, words) };
    }
  };

  return {
    get who() {
      return who;
    },
    async act(typed) {
      const line = readLine(typed);
      if (!line) return { fault: unknownColon(typed), isAsked: false };
      return carryOut(line).catch((error: unknown) => ({
        fault: error instanceof Error ? error.message : 'That did not work.',
        isAsked: false,
      }));
    },
    glance() {
      const { id, views } = slack.person(who);
      return JSON.stringify([
        seen().flatMap(({ user, ts, edits }) => (user === id ? [] : [[ts, edits.length]])),
        views.map((view) => [view.id, view.revision]),
      ]);
    },
    watchModals(tell) {
      let drawn = '';
      return slack.watch(() => {
        const view = slack.person(who).views.at(-1);
        const now = view ? `${view.id} ${view.revision}` : '';
        if (now === drawn) return;
        drawn = now;
        if (view) tell(slack.readView(view));
      });
    },
  };
}

/** What stands before somebody, the oldest first: in a channel, and in their direct messages with the bot. */
function seenBy(slack: SlackDouble, who: string, where: string): PostedMessage[] {
  const seen = [...slack.channel(where).seenBy(who), ...slack.person(who).dms];
  return seen.toSorted((one, other) => (one.ts < other.ts ? -1 : 1));
}

/** Writes in the thread of the bot's latest message that everybody sees. */
async function reply(slack: SlackDouble, person: Person, where: string, words: string): Promise<Act> {
  const latest = slack.channel(where).messages.findLast((message) => message.bot_id !== undefined);
  if (!latest) throw new Error('There is no message to reply to.');
  const interaction = await person.types(where, words, { thread: latest.thread_ts ?? latest.ts });
  return { ...asked(interaction), isAsked: words.includes('@') };
}

/** Asks Slackbot, which answers at once. */
async function askSlackbot(slack: SlackDouble, person: Person, words: string): Promise<Act> {
  await person.types('slackbot', words);
  const answer = person.slackbot.messages.at(-1);
  return { isAsked: false, help: answer ? `Slackbot\n  ${slack.read(answer).replaceAll('\n', '\n  ')}` : '' };
}

/** Uses a shortcut by its name: of the latest message that everybody sees, or from anywhere. */
async function useShortcut(
  slack: SlackDouble,
  person: Person,
  where: string,
  name: string,
): Promise<Interaction> {
  const { on, callbackId } = getShortcut(name);
  const latest = on === 'message' ? slack.channel(where).messages.at(-1) : undefined;
  if (on === 'message' && !latest) throw new Error('There is no message to use it on.');
  return person.usesShortcut(callbackId, latest);
}

/** What an act is that the bot hears of, or not, as a pick in a form. An error without a field is Slack's own about the bot\'s answer. */
function asked({ error, errors, requestId }: Interaction): Act {
  const refusal = error ?? string(errors?.['']);
  return { fault: refusal && `Slack: ${refusal}`, isAsked: requestId !== undefined };
}

/** The same of a pick: of several nothing comes before a button is pressed. */
function picked(words: string, interaction: Interaction): Act {
  return { ...asked(interaction), ...(words.includes(',') && { isAsked: false }) };
}

/** Lets as much time pass as words like `2d` say. */
async function pass(words: string, letPass?: (ms: number) => Promise<void>): Promise<Act> {
  const ms = parseDuration(words.trim(), ['m', 'h', 'd']);
  if (ms === undefined) throw new Error(`Nobody knows how long ${words} is. Say 2d, 12h or 30m.`);
  if (!letPass) throw new Error('There is no hosting service here to let time pass at.');
  await letPass(ms);
  return { isAsked: false };
}
