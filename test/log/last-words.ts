import { gatherLines } from '../../src/platform/log/gathered-output.ts';

// Says something and ends at once, in the way that it is given.
gatherLines(process.stdout).write('last words');
if (process.argv[2] === 'throw') throw new Error('the end');
process.exit(0);
