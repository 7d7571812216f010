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
  const title = 'What a day costs';
  const newer = render({
    lines: [],
    table: { ...table, caption: title },
    folded: { title, bullets: [say`web-1`] },
  });
  return [...plain.blocks, ...newer.blocks.filter(({ type }) => type !== 'rich_text')];
}
