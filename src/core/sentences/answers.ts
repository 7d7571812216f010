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
