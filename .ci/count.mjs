import { existsSync, readFileSync } from 'node:fs';

// Prints the gate's last line, "N passed, N failed". A skipped test, a file that could not be read, a step that broke without a
// failed test, and a report that isn't there are failures.
const [folder, ...names] = process.argv.slice(2);
const broken = existsSync(`${folder}/broken`)
  ? readFileSync(`${folder}/broken`, 'utf8').trim().split('\n')
  : [];

const say = (line) => void process.stdout.write(`${line}\n`);

const counts = names.map((name) => {
  const path = `${folder}/${name}.json`;
  if (!existsSync(path)) return { name, passed: 0, failed: 1, skipped: 0 };
  const report = JSON.parse(readFileSync(path, 'utf8'));
  const isUnread = (file) =>
    file.status === 'failed' && !file.assertionResults.some((one) => one.status === 'failed');
  return {
    name,
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.testResults.filter(isUnread).length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
});
for (const { name, passed, failed, skipped } of counts)
  say(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`);

const sum = (key) => counts.reduce((total, one) => total + one[key], 0);
const isSilent = (step) => !counts.some(({ name, failed }) => name === step && failed > 0);
const silent = broken.filter(isSilent);
if (broken.length > 0) say(`failed steps: ${broken.join(', ')}`);
const failed = sum('failed') + sum('skipped') + silent.length + (sum('passed') === 0 ? 1 : 0);
say(`${sum('passed')} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
