import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { type PolicyFile, readPolicyFile } from '../../core/policy/policy-file.ts';

/** What the policy file fixes, and its name for sentences: without its folders, which are nobody's business. */
export interface NamedPolicy extends PolicyFile {
  readonly name: string;
}

/** The path of a policy file, made into what stands there. Each fault names the file and the line. */
export const policyAt = z.string().transform((path, context): NamedPolicy => {
  const text = textAt(path);
  const fault = (message: string): void => context.addIssue({ code: 'custom', message });
  if (text === undefined) {
    fault("can't be read");
    return z.NEVER;
  }
  const read = readPolicyFile(text);
  if ('file' in read) return { name: basename(path), ...read.file };
  for (const { line, what } of read.faults)
    fault(`has a fault in ${basename(path)}, line ${line}: ${what.replace(/\.$/, '')}`);
  return z.NEVER;
});

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
