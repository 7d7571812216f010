import type { MessageBlock } from '../../platform/slack/figures.ts';
import { say } from '../../platform/slack/phrase.ts';
import { render } from '../../platform/slack/render.ts';

const table = { head: ['Instance', 'A day'], rows: [['web-1', '12']], numbers: [1] };

/** One block of each sort that the bot uses and an older Slack may not know, exactly as the bot makes them. Pure. */
export function newestBlocks(): readonly MessageBlock[] {
  const plain = render({
    lines: [say`What a day costs:`],
    chart: { title: 'What a day costs', bars: [{ label: 'web-1', value: 12 }] },
    table,
  });
  const sorted = render({ lines: [], table: { ...table, caption: 'What a day costs' } });
  return [...plain.blocks, ...sorted.blocks.filter(({ type }) => type === 'data_table')];
}
