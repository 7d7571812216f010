import { parseArgs } from 'node:util';
import { writeAdapter } from './write-adapter.ts';

const USAGE = `Usage:
  npm run adapter:new -- ../my-cloud

Writes a new folder with an adapter of a hosting service that works, with its examples, to be changed into yours. It stands
outside of this checkout, whose types it finds by its tsconfig.json.
`;

/** `npm run adapter:new`: exits with 1 where nothing was written. */
function main(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false } },
  });
  const [folder] = positionals;
  if (values.help || folder === undefined) {
    process.stdout.write(USAGE);
    return values.help ? 0 : 1;
  }
  const names = writeAdapter(folder);
  process.stdout.write(
    `Wrote ${names.join(', ')} to ${folder}\nTry it: npm run adapter:check -- ${folder}/my-cloud.ts\n`,
  );
  return 0;
}

try {
  process.exitCode = main();
} catch (error) {
  process.stderr.write(`adapter:new: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
