import type { Phrase } from '../../platform/slack/phrase.ts';

/** From what is well to what keeps the bot from its work. */
export const LEVELS = ['ok', 'note', 'warn', 'fault'] as const;
type Level = (typeof LEVELS)[number];

/** One thing that was looked at: how it stands, and what to do about it. */
export interface Finding {
  readonly level: Level;
  readonly what: Phrase;
  readonly todo?: Phrase;
}

/** Something that is as it should be. */
export function ok(what: Phrase): Finding {
  return { level: 'ok', what };
}

/** Something that is optional and left out, or couldn't be checked and needs nothing. */
export function note(what: Phrase): Finding {
  return { level: 'note', what };
}

/** Something that works, but not as well as it could. */
export function warn(what: Phrase, todo: Phrase): Finding {
  return { level: 'warn', what, todo };
}

/** Something that keeps the bot from its work. */
export function fault(what: Phrase, todo: Phrase): Finding {
  return { level: 'fault', what, todo };
}

/** Trouble first; what is equally bad stays in the order of the checks. Pure. */
export function byTrouble(findings: readonly Finding[]): readonly Finding[] {
  return LEVELS.toReversed().flatMap((level) => findings.filter((one) => one.level === level));
}

/** Whether anything was found that keeps the bot from its work. Pure. */
export function isAnyFault(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'fault');
}
