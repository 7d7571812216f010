/** What a word of a service stands for; undefined for one that is not in the table, like `constructor`, for which every object has a value. Pure. */
export function wordIn<Meaning>(known: Readonly<Record<string, Meaning>>, word: string): Meaning | undefined {
  return Object.hasOwn(known, word) ? known[word] : undefined;
}
