import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startProcess } from './support/process.ts';
import { play, powerCalls, readAll, runToEnd } from './support/sandbox.ts';
import { shippedFolder } from './support/shipped.ts';

const packageJson = z
  .object({ version: z.string(), dependencies: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

/** Runs one of the built commands to its end, and gives what it writes. Rejects where it ends with a fault. */
async function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const folder = shippedFolder();
  const words = [join(folder, 'dist', `${command}.js`), ...args];
  return (await promisify(execFile)(process.execPath, words, { cwd: folder, env })).stdout;
}

/** The text of each file of code in it. */
function builtFiles(): readonly string[] {
  const folder = join(shippedFolder(), 'dist');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => readFileSync(join(folder, path), 'utf8'));
}

/** The packages in it, by the heads of their licenses. */
function licensed(): readonly { name: string; version: string }[] {
  const text = readFileSync(join(shippedFolder(), 'dist/LICENSES.txt'), 'utf8');
  return [...text.matchAll(/^## (.*) - (\d\S*)/gm)].map(([, name = '', version = '']) => ({ name, version }));
}

/** CycloneDX, as far as it is looked at. */
const sbomSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.object({ component: z.object({ type: z.string(), name: z.string(), version: z.string() }) }),
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      purl: z.string(),
      licenses: z.array(z.object({ expression: z.string() })).length(1),
    }),
  ),
});

describe('what is shipped, in a folder with nothing else', () => {
  it.each([
    ['over HTTP', false],
    ['in Socket Mode', true],
  ])('restarts an instance that somebody asks for %s', async (_how, isSocket) => {
    const sandbox = await play({ bot: false });
    await startProcess(sandbox, {
      asShipped: true,
      ...(isSocket ? { env: { SLACK_APP_TOKEN: sandbox.slack.appToken }, listens: false } : {}),
    });
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(powerCalls(sandbox, 'restart')).toBe(1);
    expect(readAll(sandbox)[0]).toContain('Restarted web-1 (101)');
  });

  it('examines its setup, and checks the audit of what it did', async () => {
    const sandbox = await play();
    await runToEnd(sandbox, 'ana', '/instances restart web-1');
    expect(await run('verify-audit', [], sandbox.env)).toContain('The audit is intact: 2 entries');
    const findings = await run('doctor', [], sandbox.env);
    expect(findings).toContain('The hosting service takes the key.');
    expect(findings).toContain(`Lamplighter ${packageJson.version} runs on Node`);
    expect(await run('main', ['--version'])).toBe(`${packageJson.version}\n`);
  });

  it('says how an agent proposes', async () => {
    const env = { LAMPLIGHTER_URL: 'https://bot.example.com/mcp', LAMPLIGHTER_TOKEN: 'none' };
    expect(await run('propose', ['--help'], env)).toContain('node dist/propose.js restart web-1 --because');
  });

  it('checks a policy file', async () => {
    const checked = await run('check-policy', [join(process.cwd(), 'docs/policy.yaml')]);
    expect(checked).toContain('policy.yaml is valid: everyone is viewer, 4 roles');
  });

  it('keeps the names of functions and of modules, so that a stack trace can be read', () => {
    const built = builtFiles();
    expect(built.some((code) => code.includes('\nfunction createRunOperation('))).toBe(true);
    expect(built.some((code) => code.includes('\n// src/core/operations/run.ts\n'))).toBe(true);
  });

  it('holds the license of each package in it', () => {
    const path = join(shippedFolder(), 'dist/LICENSES.txt');
    expect(existsSync(path)).toBe(true);
    const named = licensed().map(({ name }) => name);
    // Types alone leave nothing behind.
    const typesOnly = ['@slack/types'];
    const packages = Object.keys(packageJson.dependencies).filter((name) => !typesOnly.includes(name));
    expect(named).toEqual(expect.arrayContaining(packages));
  });

  it('lists itself and each package in it with its version and license, and nothing else', () => {
    const listed = readFileSync(join(shippedFolder(), 'dist/sbom.cdx.json'), 'utf8');
    const { metadata, components } = sbomSchema.parse(JSON.parse(listed));
    const { version } = packageJson;
    expect(metadata.component).toEqual({ type: 'application', name: 'lamplighter', version });
    expect(components.map(({ name, version: of }) => ({ name, version: of }))).toEqual(
      expect.arrayContaining([...licensed()]),
    );
    expect(components).toHaveLength(licensed().length);
    expect(components.find(({ name }) => name === '@slack/bolt')?.purl).toMatch(
      /^pkg:npm\/%40slack\/bolt@\d/,
    );
  });
});
