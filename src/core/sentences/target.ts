import type { Instance } from '../../platform/hosting/service.ts';
import type { Atom } from './atoms.ts';
import { isCommon, type Names } from './names.ts';

/** What a sentence is about. */
export interface SpokenTarget {
  /** For each name: the instances that it calls, mostly one. */
  readonly called: readonly (readonly Instance[])[];
  /** Filters that stand in place of names. */
  readonly filters: readonly string[];
  /** Words that look like names and are none. */
  readonly unknown: readonly string[];
  /** Those that are left out. */
  readonly except: readonly Instance[];
  /** Filters that what is left out passes, each by itself. */
  readonly exceptBy: readonly string[];
  /** "all", "both", "every": what has one name is meant as well, all of it. */
  readonly isAll: boolean;
  /** "or": one of them, and nobody said which. */
  readonly isChoice: boolean;
  /** "it", "this": what was spoken of before. */
  readonly isThat: boolean;
  /** So many of what was spoken of before: "both", "those two". */
  readonly count?: number | undefined;
  /** Something that the words don't name: "the slow one". */
  readonly isVague: boolean;
}

export interface Known {
  readonly names: Names;
  /** The types of add-on that there are, in lower case. */
  readonly addons: ReadonlySet<string>;
  /** Words that mean something in sentences: one that is a name as well is one only where a name is sought. */
  readonly ordinary: ReadonlySet<string>;
}

/** A target of nothing. */
export const NOTHING: SpokenTarget = {
  called: [],
  filters: [],
  unknown: [],
  except: [],
  exceptBy: [],
  isAll: false,
  isChoice: false,
  isThat: false,
  isVague: false,
};

/** Whether it is certain what is named: each by a name of one alone, or all by one filter. */
export function isCertain({ called, filters, unknown, isThat, isVague, isChoice }: SpokenTarget): boolean {
  if (isThat || isVague || isChoice || unknown.length > 0) return false;
  return called.length > 0 ? filters.length === 0 : filters.length === 1 && !filters[0]?.startsWith('-');
}

/** The same without what others name, which must be certain. Pure. */
export function without(target: SpokenTarget, others: readonly SpokenTarget[]): SpokenTarget {
  return {
    ...target,
    except: [...target.except, ...others.flatMap(({ called }) => called.flat())],
    exceptBy: [...target.exceptBy, ...others.flatMap(({ filters }) => filters)],
  };
}

/** What was read, and where the next word stands. */
export interface ReadTarget {
  readonly target: SpokenTarget;
  readonly next: number;
}

/** Whether a word means something in most sentences. */
export function isOrdinary({ ordinary }: Known, word: string): boolean {
  return isCommon(word) || ordinary.has(word);
}

/** The word that stands at a place; undefined past the end. */
export function textAt(atoms: readonly Atom[], at: number): string | undefined {
  return atoms[at]?.text;
}

/** How many words from a place on pass. */
export function countWhile(atoms: readonly Atom[], at: number, is: (atom: Atom) => boolean): number {
  let count = 0;
  for (let atom = atoms[at]; atom && is(atom); atom = atoms[at + count]) count++;
  return count;
}
