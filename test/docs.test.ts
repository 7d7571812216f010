import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createBareFeatures } from '../src/app/features.ts';
import { loadConfig } from '../src/app/config/config.ts';
import { wordsOfGone } from '../src/app/config/doubts.ts';
import { rowsIn, type VariableTree } from '../src/app/config/variable.ts';
import { SECTIONS, VARIABLES } from '../src/app/config/variables.ts';
import { LATE_AFTER_MS } from '../src/core/intake/late.ts';
import { longestPauseMs } from '../src/core/operations/poll-times.ts';
import { recoverAfterMs } from '../src/core/operations/operations.ts';
import { operationSchema } from '../src/core/operations/operation.ts';
import { TIMINGS } from '../src/core/timings.ts';
import { leastRoleWith } from '../src/core/policy/permissions.ts';
import { createMetrics } from '../src/platform/metrics/metrics.ts';

const read = (path: string): string => readFileSync(path, 'utf8');

/** What is printed from a list that the bot itself reads. Changed one? `npx vitest run test/docs.test.ts -u` prints it anew. */
const PRINTED = '<!-- Printed by `npx vitest run test/docs.test.ts -u`. Change what it is printed from. -->';

/** Every page but those of what once happened. */
const pages = ['.', 'docs', 'docs/decisions']
  .flatMap((folder) => readdirSync(folder).map((name) => posix.join(folder, name)))
  .filter((path) => path.endsWith('.md'))
  .map((path) => [path, read(path)] as const);

describe('every page', () => {
  test.each(pages)('%s names no variable of the bot that there is not', (path, text) => {
    const named = text.match(/\b(?:SLACK|HOSTING|BILLING|LAMPLIGHTER|REDIS)_[A-Z_]*[A-Z]\b/g) ?? [];
    const known = VARIABLES.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
    const isGone = (name: string): boolean => path === 'CHANGELOG.md' && wordsOfGone(name) !== undefined;
    // A constant of the sandbox, and variables of an agent.
    const others = ['SLACK_PACE', 'LAMPLIGHTER_URL', 'LAMPLIGHTER_TOKEN'];
    expect(named.filter((name) => ![...known, ...others].includes(name) && !isGone(name))).toEqual([]);
  });

  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('package.json')));

  test.each(pages)('%s tells to run nothing that package.json does not have', (_path, text) => {
    const code = (text.match(/```[^]*?```|`[^`\n]+`/g) ?? []).join('\n');
    const said = [...code.matchAll(/\bnpm (?:run )?([a-z][a-z:-]*)/g)].map(([, script = '']) => script);
    const known = [...Object.keys(scripts), 'ci', 'install'];
    expect(said.filter((script) => !known.includes(script))).toEqual([]);
  });
});

describe('a button that a page names', () => {
  /** All files below a folder, as one text. */
  const sources = (folder: string): string =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|md)$/.test(name))
      .map((name) => read(posix.join(folder, name)))
      .join('\n');
  const groups = (text: string, pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map((match) => match.slice(1).find((group) => group !== undefined) ?? '');
  const anyTime = (label: string): string => label.replace(/\d\d:\d\d/g, '00:00');
  const known = new Set(
    [
      // Slack's own tab of the app.
      'Messages',
      // As people read them: `[ Cancel ]`, `⋯ [ Snooze for a day | Tell the story ]`.
      ...groups(sources('test/phrases/pages'), /(?<=[[|] )([^[\]|\n]+?)(?= [\]|])/g),
      // And those that no phrase shows.
      ...groups(
        `${sources('src')}\n${sources('sandbox/web/page')}`,
        /'([^'\n]+)'|"([^"\n]+)"|>\s*([^<>{}\n]+?)\s*</g,
      ),
      ...groups(read('manifest.yml'), /(?:name|title): (.+)/g),
    ].map(anyTime),
  );
  /** What a text names in italics as something to press, and is nowhere. */
  const nowhere = (text: string): string[] =>
    groups(text.replaceAll(/```[^]*?```|`[^`\n]*`/g, ''), /(?<!\w)_([A-Z][^_]*)_(?!\w)/g)
      .map((label) => label.replaceAll(/\s+/g, ' '))
      .filter((label) => !known.has(anyTime(label)));

  test.each(pages.filter(([path]) => !/CHANGELOG|decisions/.test(path)))('of %s is there', (path, text) => {
    expect(nowhere(text), path).toEqual([]);
  });

  test.each([
    ['calls the person who pressed _On it_', ['On it']],
    ['a line each, with _Stop the rest_, _Retry\n  failed_', ['Stop the rest']],
    ['_Snooze for four hours_, or `_Mute_`', []],
    ['_Stop it at 18:00_ schedules that; SLACK_BOT_TOKEN_FILE', []],
  ])('is told apart from one that is not: %s', (text, missing) => {
    expect(nowhere(text)).toEqual(missing);
  });
});

describe('a page that is read first', () => {
  test.each([
    ['README.md', 130],
    ['ARCHITECTURE.md', 150],
  ])('%s has at most %i lines', (path, most) => {
    expect(read(path).trimEnd().split('\n').length).toBeLessThanOrEqual(most);
  });
});

/** What pages say of spans that the code decides. Another span there? The page says it differently then, too. */
describe('the figures of the pages are those of the code', () => {
  const t = TIMINGS;
  const seconds = (ms: number): string => `${ms / 1_000} s`;
  const minutes = (ms: number): string => `${ms / 60_000} minutes`;
  const inWords = (count: number): string =>
    ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'][count] ??
    String(count);

  test.each([
    ['README.md', `for ${inWords(t.cancelWindowMs / 60_000)} minutes anybody who may can cancel it`],
    ['docs/using.md', `for at most ${minutes(t.approveWithinMs)}`],
    ['docs/using.md', `once more after ${minutes(t.askAgainAfterMs)}`],
    ['docs/using.md', `more than ${inWords(LATE_AFTER_MS / 60_000)} minutes late is not begun`],
    ['docs/using.md', `More than ${inWords(t.ownCards)} at once in a channel`],
    ['docs/using.md', `every ${t.watchEveryMs / 1_000} seconds`],
    ['docs/operating.md', `for at most ${t.drainMs / 1_000} seconds`],
    ['SECURITY.md', `One person can ask ${t.asksPerMinute} times a minute in each process`],
    ['SECURITY.md', `once, for ${inWords(t.confirmWithinMs / 60_000)} minutes`],
    ['docs/reliability.md', `more than ${inWords(LATE_AFTER_MS / 60_000)} minutes after it was typed`],
    ['docs/reliability.md', `A watch sees the list every ${t.watchEveryMs / 1_000} seconds`],
    [
      'docs/decisions/0001-the-record-is-the-truth.md',
      `A sweep runs every ${inWords(t.sweepEveryMs / 1_000)} seconds`,
    ],
    [
      'docs/decisions/0002-write-down-before-acknowledging.md',
      `${inWords(t.writeDownWithinMs / 1_000)} second after`,
    ],
    ['docs/decisions/0003-show-before-doing.md', `no answer for ${inWords(t.noticeAfterMs / 1_000)} seconds`],
    ['docs/decisions/0004-write-down-before-sending.md', `within ${t.sendWithinMs} ms`],
    [
      'docs/decisions/0004-write-down-before-sending.md',
      `no answer after ${seconds(recoverAfterMs(t))} counts as lost`,
    ],
    ['docs/decisions/0004-write-down-before-sending.md', `any call may take (${seconds(t.apiTimeoutMs)})`],
    ['docs/decisions/0005-a-lost-restart-stays-unknown.md', `${seconds(t.settleMs)}, at the clouds`],
    [
      'docs/decisions/0006-one-poller-and-one-rate-budget.md',
      `from ${seconds(t.pollEveryMs)} to ${seconds(longestPauseMs(t))}`,
    ],
    [
      'docs/decisions/0025-an-approval-is-bound-to-what-was-asked.md',
      `It ends after ${minutes(t.approveWithinMs)}`,
    ],
    ['docs/decisions/0026-a-queue-for-the-budget.md', `After ${minutes(t.maxQueueMs)} there`],
    ['docs/decisions/0029-a-board-for-a-crowd.md', `The first ${inWords(t.ownCards)} open operations`],
    ['docs/decisions/0032-a-watch-decides-from-two-looks.md', `every ${t.watchEveryMs / 1_000} seconds`],
  ])('%s: %s', (path, words) => {
    expect(read(path).replaceAll(/\s+/g, ' ')).toContain(words);
  });
});

/** When a variable is required, in words. */
const REQUIRED = {
  always: 'required',
  'over HTTP': 'required over HTTP',
  'one workspace': 'required unless `SLACK_TEAMS` is set',
  'default service': 'required for `instance-hosting`',
};

describe('docs/configuration.md', () => {
  const rowsOf = (section: VariableTree): string[][] =>
    rowsIn(section).map((variable) => [
      `\`${variable.name}\``,
      variable.about,
      variable.default === undefined ? '' : `\`${variable.default}\``,
      [
        ...(variable.required ? [REQUIRED[variable.required]] : []),
        ...(variable.secret ? ['secret'] : []),
        ...(variable.ofAccount ? ['per account'] : []),
        ...(variable.isLive ? ['read again'] : []),
      ].join(', '),
    ]);
  const page = `# Configuration

${PRINTED}

Every variable that the bot reads, from the tables in \`src/app/config\`. Change one in \`.env\` or in the environment, and start the bot again.

- **Secret:** can also be read from a file. Put \`_FILE\` after the name and give a path: \`SLACK_BOT_TOKEN_FILE=/run/secrets/token\`.
- **Per account:** with [several accounts](../docs/accounts.md), each can have its own.
- **Read again:** what changes in its file, or in the file of accounts, counts [without a restart](../docs/operating.md#settings-that-change).
- A variable of proxies is also read in lower case, which wins: \`https_proxy\`.
- An empty variable counts as not set.
- Quotation marks around a value, or around a word of a list, don't count: Docker's env files pass them on.
- All faults are reported at once. The bot doesn't start when a name is nearly that of a variable that protects something.

${Object.entries(SECTIONS)
  .map(
    ([title, section]) =>
      `## ${title}\n\n${table([['Variable', 'What it is', 'Default', 'Notes'], ...rowsOf(section)])}`,
  )
  .join('\n\n')}
`;

  test('has every variable once: what it is, its default, whether it is required and whether it is secret', async () => {
    await expect(page).toMatchFileSnapshot('../docs/configuration.md');
  });
});

describe('.env.example', () => {
  /** What has to be filled in is no comment, so that a bot that is started with a mere copy says what is missing. */
  const expected = `# Copy this file to .env, which compose.yaml and "node --env-file=.env dist/main.js" read.
# What is required is empty here and has to be filled in. The rest shows what counts where it is left out.
${VARIABLES.map(({ name, about, required, default: preset = '' }) => {
  const note = required ? ` (${REQUIRED[required]})` : '';
  return `\n# ${(about + note).replaceAll('`', '')}\n${required ? '' : '# '}${name}=${preset}\n`;
}).join('')}`;

  test('has every variable: the required ones to be filled in, the others with their default', async () => {
    await expect(expected).toMatchFileSnapshot('../.env.example');
  });

  test('as it is makes the bot say what is missing, and filled in changes nothing else', () => {
    const filledIn = {
      SLACK_BOT_TOKEN: 'xoxb-1234-5678',
      SLACK_SIGNING_SECRET: '8f742231b10e8888',
      HOSTING_API_URL: 'https://api.example.test',
      HOSTING_API_TOKEN: 'oc_live_abc',
    };
    const set = parseEnv(read('.env.example'));
    expect(() => loadConfig(set)).toThrow(
      /^configuration: HOSTING_API_URL is missing; SLACK_BOT_TOKEN is missing; SLACK_SIGNING_SECRET is needed unless SLACK_APP_TOKEN turns Socket Mode on; HOSTING_API_TOKEN is missing$/,
    );
    expect(loadConfig({ ...set, ...filledIn })).toEqual(loadConfig(filledIn));
  });
});

describe('docs/commands.md', () => {
  const features = createBareFeatures();
  const line = (usage: string, summary: string, role?: string): string =>
    `- \`${usage.trim()}\`: ${summary.replaceAll('*', '\\*')}${role === undefined ? '' : ` _(${role})_`}`;
  const page = `# Commands

${PRINTED}

Every command, and in brackets the least [role](../docs/policy.md#roles) that can use it; a command without one is for everybody. What a hosting service
doesn't offer isn't there: \`/lamplighter help\` shows what you can use where you are. Where it is billed in arrears, \`/billing alerts\`
takes \`set budget 200 USD\` and \`clear budget\`.

${features
  .map(({ noun, summary, routes }) => {
    const lines = routes.flatMap((route) => {
      if (route.usage === undefined) return [];
      const command = `/${noun} ${route.verb}`;
      const role = route.permission === undefined ? undefined : leastRoleWith(route.permission);
      const topics = (route.topics ?? []).map(
        (topic) => `  ${line(`${command} ${topic.usage}`, topic.summary)}`,
      );
      return [line(`${command} ${route.usage}`, route.summary, role), ...topics];
    });
    return `## /${noun}\n\n${summary.replace(/^./, (first) => first.toUpperCase())}.\n\n${lines.join('\n')}`;
  })
  .join('\n\n')}
`;

  test('has every command with its words and the least role that can use it', async () => {
    await expect(page).toMatchFileSnapshot('../docs/commands.md');
  });
});

describe('docs/operating.md', () => {
  test('has every metric of the bot, and no other', async () => {
    const metrics = createMetrics();
    metrics.slackSocket(true);
    const kept = (await metrics.text()).matchAll(/^# TYPE (lamplighter_\w+)/gm);
    const named = read('docs/operating.md').matchAll(/`(lamplighter_\w+)`/g);
    expect(new Set([...named].map(([, name]) => name))).toEqual(new Set([...kept].map(([, name]) => name)));
  });

  test('has every state of a call, and no other', () => {
    const [, named = ''] =
      /`execution` says how far the call has come \(([^)]*)\)/.exec(read('docs/operating.md')) ?? [];
    expect(named.match(/\w+/g)).toEqual(operationSchema.shape.execution.shape.state.options);
  });
});

describe('docs/decisions', () => {
  const files = readdirSync('docs/decisions').filter((name) => name !== 'README.md');
  const decisions = files.map((name) => {
    const text = read(posix.join('docs/decisions', name));
    const [, number = '', title = ''] = /^# (\d+)\. (.+)$/m.exec(text) ?? [];
    const [, by] = /^Replaced by \[(\d+)\]\(/m.exec(text) ?? [];
    return { name, text, number: Number(number), title, by };
  });

  test('are listed by their titles, with what replaced them', async () => {
    const lines = decisions.map(({ name, number, title, by }) => {
      const isFormer = by === undefined ? '' : ` _(replaced by ${by})_`;
      return `- [${number}. ${title}](${name})${isFormer}`;
    });
    await expect(`# Decisions

${PRINTED}

Why the bot is as it is. Each is about a page: what it was about, what was decided, and what follows from it. One that was replaced begins by saying
by which, like "Replaced by 38" with a link below its title.

${lines.join('\n')}
`).toMatchFileSnapshot('../docs/decisions/README.md');
  });

  test('have the number of their file, and each its own', () => {
    expect(new Set(decisions.map(({ number }) => number)).size).toBe(decisions.length);
    const wrong = decisions.filter(({ name, number }) => !name.startsWith(String(number).padStart(4, '0')));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test.each(decisions)('$number says its context, what was decided and its consequences', ({ text }) => {
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      'Context',
      'Decision',
      'Consequences',
    ]);
  });
});

/** A table in Markdown as the formatter leaves it; the first row is its head. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(3, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const lines = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}
