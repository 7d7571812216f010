import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';

const packageJson = z
  .object({
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
/** CycloneDX, as far as it is looked at. */
const sbomSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(
    z.object({ name: z.string(), version: z.string(), licenses: z.array(z.unknown()).min(1) }),
  ),
});

/** By the lock file alone: the image's build does the same with what is installed. Npm takes ten seconds for it. */
test('the image lists each package that the bot depends on with its version and license, and none of development', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(file, join(folder, file));
  const [, steps = '', name] =
    /^RUN (npm pkg delete .*) > (dist\/\S+)$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  const run = (step: string): string => {
    const [npm = '', ...words] = step.split(' ');
    const isByLock = /^npm (?:prune|sbom) /.test(step);
    const args = isByLock ? [...words, '--package-lock-only', '--offline'] : words;
    return execFileSync(npm, args, { cwd: folder, encoding: 'utf8', maxBuffer: 100_000_000 });
  };
  const [listed = ''] = steps.split(' && ').map(run).slice(-1);
  const names = sbomSchema.parse(JSON.parse(listed)).components.map((one) => one.name);
  expect(name).toBe('dist/sbom.cdx.json');
  expect(names).toEqual(expect.arrayContaining(Object.keys(packageJson.dependencies)));
  const ofBoth = new Set(Object.keys(packageJson.dependencies));
  const ofDevelopment = Object.keys(packageJson.devDependencies).filter((one) => !ofBoth.has(one));
  expect(names.filter((one) => ofDevelopment.includes(one) && !one.startsWith('@types/'))).toEqual([]);
});
