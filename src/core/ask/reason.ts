import { person, type Phrase, plain, say } from '../../platform/slack/phrase.ts';

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
