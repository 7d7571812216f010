import { readFileSync } from 'node:fs';
import { z } from 'zod';

const packageSchema = z.object({ version: z.string(), engines: z.object({ node: z.string() }) });

/** The bot's version and the oldest Node that will do, by the package.json it is shipped with; both may be missing. */
export function readVersion(): {
  version: string | undefined;
  node: string;
  leastNode: string | undefined;
} {
  const { node } = process.versions;
  try {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    const { version, engines } = packageSchema.parse(JSON.parse(text));
    return { version, node, leastNode: engines.node.replace(/^>=\s*/, '') };
  } catch {
    return { version: undefined, node, leastNode: undefined };
  }
}
