import type { World } from '../world.ts';
import { transcript } from './transcript.ts';

/** The whole workspace for somebody who wonders why a test failed: every channel, and the last calls. */
export function dump({ workspace, calls, faultsOfTheDouble }: World): string {
  const channels = workspace.channels
    .filter((channel) => channel.history.length > 0)
    .map((channel) => `${channel.label}\n${transcript(workspace, channel)}`);
  const last = calls.all.slice(-10).map((call) => {
    const outcome = call.ok === undefined ? 'on its way' : call.ok ? 'ok' : `refused: ${call.error}`;
    return `  ${call.method} ${outcome}${call.ok === false ? ` ${JSON.stringify(call.answer)}` : ''}`;
  });
  const own = faultsOfTheDouble.map((fault) => `fault of the double: ${String(fault)}`);
  return [...channels, `last calls:\n${last.join('\n') || '  none'}`, ...own].join('\n\n');
}
