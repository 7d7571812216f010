/**
 * Makes something of an object once, and keeps it for as long as the object lives: for what is drawn again and again of
 * data that never changes. Gives the function that does so.
 */
export function oncePer<Source extends object, Made>(
  make: (source: Source) => Made,
): (source: Source) => Made {
  const known = new WeakMap<Source, { readonly made: Made }>();
  return (source) => {
    const before = known.get(source);
    if (before) return before.made;
    const made = make(source);
    known.set(source, { made });
    return made;
  };
}
