import type { Instance } from '../../platform/hosting/service.ts';

/** A change as a sentence asks for it: a button, never begun by itself. */
export interface OfferedChange {
  readonly routeId: string;
  readonly verb: string;
  readonly words: readonly string[];
  readonly about: readonly Instance[];
}

/** What a sentence comes to. */
export type Understood =
  /** What only shows something, and is answered at once. */
  | {
      readonly what: 'read';
      readonly routeId: string;
      readonly words: readonly string[];
      /** Nothing of the sentence is left over. */
      readonly isWhole: boolean;
      /** The instances that its words name. */
      readonly about: readonly Instance[];
      /** Words that mean nothing here. */
      readonly unread: readonly string[];
    }
  /** Changes, of which none is begun without a press. `isWhich`: one of them is meant, and nobody can tell which. */
  | {
      readonly what: 'offers';
      readonly offers: readonly OfferedChange[];
      readonly isWhich: boolean;
      /** Names of which there are none. */
      readonly unknown?: readonly string[];
      /** What was said beside, as it was typed, and means nothing here. */
      readonly apart?: readonly string[];
    }
  /** A change that is not to be made: "don't restart web-1". `about`: none where it names none. */
  | { readonly what: 'refrain'; readonly routeId: string; readonly about: readonly Instance[] }
  /** A change of something that isn't named: its route asks of what. `unknown`: it is, by names that nothing has. */
  | {
      readonly what: 'which';
      readonly routeId: string;
      readonly words: readonly string[];
      readonly unknown: readonly string[];
    }
  /** Something that the bot doesn't do, and what it can show of it. */
  | {
      readonly what: 'cannot';
      readonly cannot: string;
      readonly about: readonly Instance[];
      /** It is ordered, though not as the bot can do it: a part of it would be something else. */
      readonly isOrder?: true;
    }
  | { readonly what: 'thanks' };

/** A line of nothing else says yes to what was asked. */
const YES =
  /^(?:(?:yes|yeah|yep|yup|y|sure|ok|okay)[ ,]*)*(?:yes|yeah|yep|yup|y|sure|do it|go|go ahead|go for it|confirm|confirmed)$/;

/** Any of these calls off what was asked … */
const NO = [
  'nope|nah|no|n|nvm|never ?mind|nvmd',
  'forget (?:about )?(?:it|that|this)',
  '(?:cancel|abort)(?: (?:it|that|this))?',
  "(?:do not|dont|don't)(?: (?:do )?(?:it|that|this))?",
  'not (?:it|that|this)(?: one)?',
  'scratch that|(?:ignore|drop) (?:it|that|this)|wrong one',
  'leave it(?: be| alone)?',
  '(?:i )?changed my mind',
].join('|');
/** … and these stand around it. */
const AROUND =
  'ohh?|oops|okay|ok|please|pls|wait|hold on|stop|sorry|actually|hmm?|uhh?|umm?|thanks|thx|just|well';

const ALL_NO = new RegExp(`^(?:(?:${NO}|${AROUND}) )+$`);
const ANY_NO = new RegExp(`(?:^| )(?:${NO}) `);
/** "Stop" alone is a command. */
const STOP = new RegExp(
  `^(?:(?:${AROUND}) )*(?:stop (?:it|that|this)|(?:${AROUND}) stop)(?: (?:now|right now|immediately))*$`,
);

/** What is not to be called off: "don't cancel it", and not "don't, cancel it". */
const KEEPS =
  /\b(?:do not|don['\u2019]?t|not|never)\s+(?:(?:you|ever|please|pls|just|actually)\s+)*(?=(?:cancel|abort|forget|ignore|drop|scratch)\b)/i;

/** What a line is that only answers a question: undefined where it says anything else. Pure. */
export function answerIn(line: string): 'yes' | 'no' | undefined {
  if (KEEPS.test(line)) return undefined;
  const said = bare(line);
  if (YES.test(said)) return 'yes';
  return ALL_NO.test(`${said} `) && ANY_NO.test(`${said} `) ? 'no' : undefined;
}

/** Whether a line only says that what was asked is not to be called off: "please don't cancel it". Pure. */
export function saysKeep(line: string): boolean {
  return KEEPS.test(line) && answerIn(line.replace(KEEPS, '')) === 'no';
}

/** Whether a line that says no says "cancel", and so is meant for what others were asked as well. Pure. */
export function saysCancel(line: string): boolean {
  return /\bcancel\b/i.test(line);
}

/** Whether a line is "stop it", which stops what is being done where something is, and else an instance. Pure. */
export function saysStop(line: string): boolean {
  return STOP.test(bare(line));
}

function bare(line: string): string {
  return line
    .toLowerCase()
    .replaceAll('\u2019', "'")
    .replaceAll(/[.!,;\s\u2013\u2014\u2026-]+/g, ' ')
    .replace(/ please$/, '')
    .trim();
}

/** What stands before an order that is not to be done. */
const NOT_TO =
  /^\s*(?:(?:no|nope|nah|oh|oops|ok|okay|wait|please|pls|actually|sorry|hey)\b[\s,.!]*)*(?:do not|don['\u2019]?t|let['\u2019]?s not|let us not|better not|never)\s+(?=\S)/i;

/** What a line says is not to be done: "restart web-1" of "please don't restart web-1"; undefined where it denies nothing. Pure. */
export function afterNot(line: string): string | undefined {
  const [before] = NOT_TO.exec(line) ?? [];
  return before === undefined ? undefined : line.slice(before.length);
}
