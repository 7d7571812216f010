import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Benchmark, Outcome } from './benchmark.ts';
import { GOALS, isReached } from './goals.ts';
import type { Machine } from './machine.ts';
import { noiseOf, withUnit } from './report.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FIGURES = `${ROOT}bench/figures.json`;
const WHY = `${ROOT}bench/why.json`;
const PAGE = `${ROOT}docs/performance.md`;

/** The last run of a benchmark. */
interface Run extends Outcome {
  readonly what: string;
  readonly commit: string;
  readonly day: string;
  readonly machine: Machine;
}

type Runs = Readonly<Record<string, Run>>;

/** Puts what a benchmark found in place of what it found before, and writes docs/performance.md again. */
export function writePage({ name, what }: Benchmark, outcome: Outcome, machine: Machine): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT }).toString().trim();
  const day = new Date().toISOString().slice(0, 10);
  const runs: Runs = { ...(read(FIGURES) as Runs), [name]: { ...outcome, what, commit, day, machine } };
  // Both are files of this folder: the one written below, the other by hand.
  const why = read(WHY) as Readonly<Record<string, string>>;
  writeFileSync(FIGURES, JSON.stringify(runs, undefined, 2));
  writeFileSync(PAGE, pageOf(runs, why));
  execFileSync('npx', ['oxfmt', FIGURES, PAGE], { cwd: ROOT, stdio: 'ignore' });
}

/** Pure: the page. `why`: why a goal that isn't reached isn't, by its id. */
function pageOf(runs: Runs, why: Readonly<Record<string, string>>): string {
  const figures = new Map(
    Object.values(runs).flatMap(({ goals, tables }) => {
      const isNoisy = tables.some(({ noisyRounds }) => noisyRounds > 0);
      return goals.map(({ goal, value }) => [goal, { value, isNoisy }] as const);
    }),
  );
  const goals = GOALS.map((goal) => {
    const { id, what, wanted, bar, stretch, unit } = goal;
    const wants = `${wanted} ${withUnit(bar, unit)}`;
    const words = [id, what, wants, stretch === undefined ? '' : withUnit(stretch, unit)];
    const found = figures.get(id);
    if (!found) return [...words, 'not measured', ''];
    const { value, isNoisy } = found;
    const verdict = isReached(goal, value) ? 'yes' : `**no.** ${why[id] ?? ''}`.trim();
    return [...words, `${withUnit(value, unit)}${isNoisy ? ' (noisy)' : ''}`, verdict];
  });
  const sections = Object.entries(runs).flatMap(([name, run]) => [
    `## \`npm run bench -- ${name}\``,
    `${run.what} Measured on ${run.day}, commit ${run.commit}; ${wordsOf(run.machine)}.`,
    ...run.tables.flatMap((table) => [`**${table.title}**`, tableOf(table.rows), `${noiseOf(table)}.`]),
    ...(run.notes.length === 0 ? [] : [run.notes.map((note) => `- ${note}`).join('\n')]),
  ]);
  return [
    '# Performance',
    INTRODUCTION,
    '## Goals',
    tableOf([['goal', 'what', 'wanted', 'stretch', 'measured', 'reached'], ...goals]),
    ...sections,
    '',
  ].join('\n\n');
}

const INTRODUCTION = `\`npm run bench -- --write\` measures and writes this page; with names, only their figures are new. \`npm run bench -- --help\` lists
the benchmarks. Peers that the bot doesn't need itself are installed by \`npm ci --prefix bench\`.

The built bot is measured, among doubles of Slack and of a hosting service on the same machine. The bot, its peers and Redis share one core;
the load and the doubles have the others. Redis writes each change to its file before it answers. Variants take turns, round by round, and a
figure is the median of its rounds with the smallest and the largest. CPU time comes first: it depends least on what else the
machine does. A ratio divides figures of the same round. A round in which other processes had more than 5 % of the machine is noisy;
\`--repeats\` says how often it is repeated. Each table says how many noisy rounds it accepted, and a goal with such rounds is marked:
its figure, reached or not, is to be taken again on a quiet machine. Why a goal is not reached is read from the code, not from a profile.
Before each measurement a right request is answered with 200, and one with a wrong signature
and one that is 400 s old with 401.`;

function wordsOf({ cores, cpu, node, redis, isPinned }: Machine): string {
  return `${cores} cores (${cpu}), Node ${node}, Redis ${redis}${isPinned ? '' : ', not pinned to cores'}`;
}

function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function read(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}
