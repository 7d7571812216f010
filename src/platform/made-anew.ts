/** Gives what is made of something, made anew only once that is something else. */
export function madeAnew<Source, Made>(source: () => Source, make: (source: Source) => Made): () => Made {
  let of = source();
  let made = make(of);
  return () => {
    const now = source();
    if (now !== of) [of, made] = [now, make(now)];
    return made;
  };
}
