import { createServer, type AddressInfo } from 'node:net';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SCOPES } from '../../src/features/doctor/judge-slack.ts';
import { runCommand, runScript } from '../support/command.ts';
import { play } from '../support/sandbox.ts';

describe('node dist/doctor.js', () => {
  it('prints a line for each thing and exits with 0 where all is well, before any bot runs', async () => {
    const scopes = SCOPES.map(({ name }) => name);
    const sandbox = await play({ bot: false, slack: { scopes }, env: { BILLING_CHANNELS: 'C0OPS000001' } });
    const { code, said } = await runCommand('doctor', [], sandbox.env);
    expect(said).toMatch(
      /^All is well: \d+ checks passed(?:, \d+ (?:is|are) optional or not checked)?\.\n(✅ .+\n)+(➖ .+\n)*$/,
    );
    expect(said).toContain('✅ C0OPS000001 (alerts, figures) can be posted to.');
    expect(said).toMatch(/Lamplighter \d+\.\d+\.\d+ runs on Node/);
    expect(code).toBe(0);
  });

  it('exits with 1 where there is a fault, trouble first, and shows no secret', async () => {
    const sandbox = await play({ bot: false, isRefused: true });
    const wrong = { SLACK_BOT_TOKEN: 'xoxb-nobody-knows-it', HOSTING_API_TOKEN: 'oc_live_nobody_knows' };
    const { code, said } = await runCommand('doctor', [], { ...sandbox.env, ...wrong });
    const lines = said.trimEnd().split('\n');
    expect(lines[1]).toMatch(/^❌ .*Slack refuses the token \(invalid_auth\)\. Install the app again/);
    expect(said).toContain("❌ The hosting service refused the bot's API key (401).");
    expect(said).not.toContain('nobody');
    expect(code).toBe(1);
  });

  it('is through in time where Redis, Slack and the service hang or are not there', async () => {
    const sandbox = await play({ bot: false, isRefused: true });
    for (let times = 0; times < 9; times += 1) sandbox.slack.hold(() => true);
    sandbox.hosting.hold({ method: 'GET' }, 'before');
    const silent = createServer();
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    const { port } = silent.address() as AddressInfo;
    const startedAt = performance.now();
    const { code, said } = await runCommand('doctor', [], {
      ...sandbox.env,
      REDIS_URL: `redis://127.0.0.1:${port}`,
    });
    const tookMs = performance.now() - startedAt;
    silent.close();
    expect(said).toContain("❌ Redis can't be used: reaching Redis at REDIS_URL: nothing answers.");
    expect(said).toContain("⚠️ Channels that were named in Slack weren't checked");
    expect(said).toMatch(/❌ Slack's token couldn't be checked/);
    expect(said).toMatch(
      /❌ The hosting service's key couldn't be checked: there was no answer within 5 s\./,
    );
    expect(code).toBe(1);
    expect(tookMs).toBeLessThan(20_000);
  });

  it('says how it is used, whatever the configuration', async () => {
    expect(await runScript('doctor', ['--help'])).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^Usage:\n {2}node dist\/doctor\.js\n/),
    });
  });

  it('says what is wrong with the configuration', async () => {
    expect(await runCommand('doctor', [], { SLACK_BOT_TOKEN: 'short' })).toMatchObject({
      code: 1,
      said: expect.stringContaining(
        'doctor: configuration: HOSTING_API_URL is missing; SLACK_SIGNING_SECRET is needed unless SLACK_APP_TOKEN turns Socket Mode on; SLACK_BOT_TOKEN is too short to be real; HOSTING_API_TOKEN is missing',
      ),
    });
  });
});

/** A folder, which is gone after the test. */
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'env-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

// What a process reads in the folder in which it is run only a process shows.
describe('the file .env in the folder of a command', () => {
  it.each([
    ['doctor', 'REDIS_URL=redis://127.0.0.1/abc', 'must end in the number of a database'],
    ['verify-audit', 'REDIS_URL=redis://127.0.0.1/abc', 'must end in the number of a database'],
    ['check-policy', 'HOSTING_SERVICE=nowhere', 'HOSTING_SERVICE'],
  ] as const)('is read by %s, unless the environment says otherwise', async (name, line, words) => {
    const path = folder();
    writeFileSync(join(path, '.env'), `${line}\n`);
    expect((await runCommand(name, [], {}, path)).said).toContain(words);
    const [variable = ''] = line.split('=');
    expect((await runCommand(name, [], { [variable]: '' }, path)).said).not.toContain(words);
  });

  it('is said where it cannot be read', async () => {
    const path = folder();
    mkdirSync(join(path, '.env'));
    expect((await runCommand('doctor', [], {}, path)).said).toContain(".env is there and can't be read");
  });
});
