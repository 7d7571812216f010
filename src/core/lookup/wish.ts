import { parseArgs } from 'node:util';
import { Refusal } from '../refusal.ts';
import { say } from '../../platform/slack/phrase.ts';

/** What the words after a changing verb come to. */
export interface Wish {
  /** The words that are no options. */
  readonly names: readonly string[];
  readonly because?: string;
  readonly dryRun: boolean;
  readonly tier?: string;
}

const LONGEST_REASON = 300;

/** Names and options. `example` is shown to whoever can't be read. Throws a Refusal for an option there is none of. */
export function parseWish(words: readonly string[], example: string, { takesTier = false } = {}): Wish {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        because: { type: 'string' },
        'dry-run': { type: 'boolean' },
        ...(takesTier ? { tier: { type: 'string' } } : {}),
      },
    });
    const because = values.because?.slice(0, LONGEST_REASON);
    const { tier } = values;
    return {
      names: positionals,
      dryRun: values['dry-run'] ?? false,
      ...(because === undefined || because === '' ? {} : { because }),
      ...(typeof tier === 'string' ? { tier } : {}),
    };
  } catch {
    const options = takesTier
      ? '--tier standard, --because "why" and --dry-run'
      : '--because "why" and --dry-run';
    throw new Refusal(
      'bad-option',
      say`I can't read the options of that, so nothing was done. They are ${options}, as in ${example} --because "new config".`,
    );
  }
}
