import { type Finding, findingText } from '../features/doctor/index.ts';
import type { Log } from '../platform/log/log.ts';
import type { Doubt } from './config/doubts.ts';

/** What of the configuration is hardly meant, each in a line. */
export function logDoubts(doubts: readonly Doubt[], findings: readonly Finding[], log: Log): void {
  for (const { what, todo } of doubts) log.warn({ check: 'configuration' }, `${what} ${todo}`);
  for (const finding of findings)
    if (finding.level !== 'ok') log.warn({ check: 'configuration' }, findingText(finding));
}
