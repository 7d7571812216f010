import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { writeAdapter } from '../../sandbox/adapter-new/write-adapter.ts';
import { loadAdapter } from '../../src/app/load-adapter.ts';

const run = promisify(execFile);

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'adapter-new-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A script of package.json, as a person runs it: its exit code, and what it printed. */
async function npm(...words: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const { HOSTING_API_TOKEN: _, ...env } = process.env;
  return run('npm', ['run', '-s', ...words], { env }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      said: error.stdout + error.stderr,
    }),
  );
}

test('a new adapter outside of the checkout has types, and passes each check without a service', async () => {
  const folder = join(emptyFolder(), 'my-cloud');
  const made = await npm('adapter:new', '--', folder);
  expect(made.said).toContain('my-cloud.ts');
  expect(readdirSync(folder).toSorted()).toEqual([
    'README.md',
    'my-cloud.ts',
    'package.json',
    'tsconfig.json',
  ]);
  await run(resolve('node_modules/.bin/tsc'), ['-p', '.'], { cwd: folder });
  const file = join(folder, 'my-cloud.ts');
  const checked = await npm('adapter:check', '--', file);
  expect(checked.said).toContain('✓ list as meant');
  expect(checked.said).not.toMatch(/^[✗?]/mu);
  expect(checked.code).toBe(0);
  // What npm publishes.
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    scripts: { prepack: string };
  };
  const [, ...words] = scripts.prepack.split(' ');
  await run(resolve('node_modules/.bin/esbuild'), words, { cwd: folder });
  expect((await loadAdapter(join(folder, 'my-cloud.js'))).name).toBe('My Cloud');
});

test('a mistake in a new adapter is found by its types, and by the check', async () => {
  const folder = emptyFolder();
  writeAdapter(folder);
  const file = join(folder, 'my-cloud.ts');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace("on: 'running'", "on: 'runing'"));
  await expect(run(resolve('node_modules/.bin/tsc'), ['-p', folder])).rejects.toMatchObject({
    stdout: expect.stringContaining('\'"runing"\' is not assignable'),
  });
  writeFileSync(file, text.replace("on: 'running'", "on: 'stopped'"));
  const { code, said } = await npm('adapter:check', '--', file);
  expect(said).toMatch(/^✗ list as meant +status is "stopped" and means "running"/mu);
  expect(code).toBe(1);
});

test.each([
  ['adapter.ts', ['Adapter', 'InstanceCalls', 'AddonCalls', 'PrepaidCalls', 'PostpaidCalls']],
  ['examples.ts', ['Examples']],
])('each field of %s is used or named in what a new adapter begins with', (file, names) => {
  const source = readFileSync(join('src/platform/hosting', file), 'utf8');
  const begun = ['my-cloud.ts', 'README.md'].map((name) =>
    readFileSync(join('sandbox/adapter-new/template', name), 'utf8'),
  );
  const fields = names.flatMap((name) => {
    const [, body = ''] = new RegExp(String.raw`interface ${name} \{([^]*?)\n\}`).exec(source) ?? [];
    return [...body.matchAll(/^ {2}readonly (\w+)/gm)].map(([, field = '']) => field);
  });
  expect(fields.length).toBeGreaterThan(10);
  expect(fields.filter((field) => !new RegExp(String.raw`\b${field}\b`).test(begun.join('\n')))).toEqual([]);
});

test('a folder that has something in it is left alone', async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'mine.txt'), 'mine');
  const { code, said } = await npm('adapter:new', '--', folder);
  expect(said).toBe(
    `adapter:new: ${folder} is not empty, and nothing in it is overwritten; name a new folder\n`,
  );
  expect(code).toBe(1);
  expect(readdirSync(folder)).toEqual(['mine.txt']);
  expect((await npm('adapter:new', '--', join(folder, 'mine.txt'))).said).toContain('is a file');
});

test('without a key and without examples, the check says that it needs one of them', async () => {
  const { code, said } = await npm('adapter:check', '--', 'hetzner');
  expect(said).toContain('hetzner exports no examples: give a key in HOSTING_API_TOKEN');
  expect(code).toBe(1);
});
