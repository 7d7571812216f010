import { type Phrase, say, person, plain } from '../../platform/slack/phrase.ts';

/** What was asked came to its turn too late to be done without asking again. */
export function tooLate(): Phrase {
  return say`It took me too long to get to what you asked for, so nothing was done. Ask again if you still want it.`;
}

/** Why it was asked, where the person said so, and what made it possible besides. */
export function reason({
  because,
  override,
  approvedBy,
  exceptFrom = [],
}: {
  readonly because?: string;
  readonly override?: string;
  readonly approvedBy?: string;
  readonly exceptFrom?: readonly { readonly why: string }[];
}): Phrase[] {
  return [
    ...(because === undefined ? [] : [say`Because: ${plain(because)}`]),
    ...(override === undefined ? [] : [say`Override: ${plain(override)}`]),
    ...(approvedBy === undefined ? [] : [say`Approved by ${person(approvedBy)}.`]),
    ...exceptFrom.map(({ why }) => say`Exception to the freeze "${plain(why)}".`),
  ];
}
