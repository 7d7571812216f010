/** What stands before the id of words, in the value of a button. */
const MARK = 'typed:';
/** The same where somebody is asked whether they want that. */
const ASKED = 'asked:';

/** The value of what asks for the words that are kept under this id. `isAsked`: of whom is kept with them. */
export function typedValue(id: string, isAsked = false): string {
  return `${isAsked ? ASKED : MARK}${id}`;
}

/** The id of the words that a value stands for; undefined for any other value. */
export function typedIdOf(value: string | undefined): string | undefined {
  return value?.startsWith(MARK) ? value.slice(MARK.length) : askedIdOf(value);
}

/** The same where somebody is asked whether they want that, and undefined for any other value. */
export function askedIdOf(value: string | undefined): string | undefined {
  return value?.startsWith(ASKED) ? value.slice(ASKED.length) : undefined;
}
