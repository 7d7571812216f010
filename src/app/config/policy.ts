import { basename } from 'node:path';
import { z } from 'zod';
import { type KnownVerbs, type PolicyFile, readPolicyFile } from '../../core/policy/policy-file.ts';
import { textAt } from './values.ts';

/** What the policy file fixes, and its name for sentences: without its folders, which are nobody's business. */
export interface NamedPolicy extends PolicyFile {
  readonly name: string;
  /** What is wrong with it where only these verbs change something, each with its line. */
  faultsAt(known: KnownVerbs): readonly string[];
}

/** The path of a policy file, made into what stands there. Each fault names the file and the line. */
export const policyAt = z.string().transform((path, context): NamedPolicy => {
  const text = textAt(path);
  const fault = (message: string): void => context.addIssue({ code: 'custom', message });
  if (typeof text !== 'string') {
    fault(`can't be read${text.place}: ${text.why}`);
    return z.NEVER;
  }
  const name = basename(path);
  const faultsIn = (known?: KnownVerbs): readonly string[] => {
    const read = readPolicyFile(text, known);
    return 'file' in read
      ? []
      : read.faults.map(
          ({ line, what }) => `has a fault in ${name}, line ${line}: ${what.replace(/\.$/, '')}`,
        );
  };
  const read = readPolicyFile(text);
  if ('file' in read) return { name, ...read.file, faultsAt: faultsIn };
  for (const words of faultsIn()) fault(words);
  return z.NEVER;
});
