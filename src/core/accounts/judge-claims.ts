import type { Claim } from '../intake/claim.ts';

/** One of several that a line may be for, and what it is to it; `claim`: undefined where nobody can tell now. */
export interface Claimed<Served> {
  readonly served: Served;
  readonly claim: Claim | undefined;
}

/** To whom a line goes that names none of several: `to` these, each for its part, or nobody before it is said which is meant. */
export type Judged<Served> =
  | { readonly to: readonly Served[] }
  | { readonly among: readonly Claimed<Served>[] };

/**
 * What shows something is answered by all that have what it names, or by all where it names nothing that any of them has. What
 * changes something goes to the only one that has what it names, and else to none. What is about no account is answered once.
 * `isChange`: whether the line is a command that changes something, which is known without any claim. Pure.
 */
export function judgeClaims<Served>(claims: readonly Claimed<Served>[], isChange: boolean): Judged<Served> {
  const all = claims.map(({ served }) => served);
  const known = claims.flatMap(({ claim }) => claim ?? []);
  const isSure = known.length === claims.length;
  const best = (['exactly', 'nearly'] as const).find((how) => known.some(({ has }) => has === how));
  const have = claims.filter(({ claim }) => best !== undefined && claim?.has === best);
  const having = have.map(servedBy);
  if (isChange || known.some(({ kind }) => kind === 'change')) {
    return isSure && have.length === 1
      ? { to: having }
      : { among: have.length > 1 && isSure ? have : claims };
  }
  if (known.length > 0 && known.every(({ kind }) => kind === 'talk'))
    return { to: [...having, ...all].slice(0, 1) };
  // One that can't tell now says so itself.
  const unknown = claims.filter(({ claim }) => !claim).map(servedBy);
  return { to: having.length > 0 ? [...having, ...unknown] : all };
}

function servedBy<Served>({ served }: Claimed<Served>): Served {
  return served;
}
