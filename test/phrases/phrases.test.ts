import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { printPhrases } from '../../sandbox/phrases/print-phrases.ts';
import { takeDatabase } from '../support/shared-redis.ts';

it('what people read is what docs/phrases.md says', async () => {
  const page = await printPhrases(takeDatabase);
  const why = 'docs/phrases.md is not what people read now: run npm run phrases and review the change';
  expect(page, why).toBe(readFileSync('docs/phrases.md', 'utf8'));
});
