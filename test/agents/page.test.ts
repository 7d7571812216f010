import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createBareFeatures } from '../../src/app/features.ts';

it('docs/agents.md lists each tool with what it says of itself', () => {
  const tools = createBareFeatures().flatMap(({ tools: own = [], routes }) => [
    ...own,
    ...routes.flatMap(({ tool }) => tool ?? []),
  ]);
  const page = readFileSync('docs/agents.md', 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` +\| (.*?) +\|$/gm)].map(([, name, what]) => `${name}: ${what}`);
  const wanted = tools.map(({ name, description }) => `${name}: ${description}`);
  expect(rows.toSorted()).toEqual(wanted.toSorted());
});
