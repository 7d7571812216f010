/** What stands before the id of words, in the value of a button. */
const MARK = 'typed:';

/** The value of what asks for the words that are kept under this id. */
export function typedValue(id: string): string {
  return `${MARK}${id}`;
}

/** The id of the words that a value stands for; undefined for any other value. */
export function typedIdOf(value: string | undefined): string | undefined {
  return value?.startsWith(MARK) ? value.slice(MARK.length) : undefined;
}
