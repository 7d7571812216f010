import type { ComponentType, JSX } from 'preact';
import type { Block } from '../../wire.ts';
import { Actions } from './actions.tsx';
import { Chart } from './chart.tsx';
import type { BlockProps } from './block-props.ts';
import { Container } from './container.tsx';
import { DataTable } from './data-table.tsx';
import { Divider } from './divider.tsx';
import { Input } from './input.tsx';
import { records } from './json.ts';
import { RichText } from './rich-text.tsx';
import { Section } from './section.tsx';
import { Table } from './table.tsx';
import { Undrawn } from './undrawn.tsx';

const DRAWN: Readonly<Record<string, ComponentType<BlockProps>>> = {
  actions: Actions,
  container: ({ block, target }) => (
    <Container block={block}>
      <Blocks blocks={records(block['child_blocks'])} target={target} />
    </Container>
  ),
  data_table: DataTable,
  data_visualization: Chart,
  divider: Divider,
  input: Input,
  rich_text: RichText,
  section: Section,
  table: Table,
};

/** The blocks of a message, a modal or the Home, as Slack draws them. */
export function Blocks({ blocks, target }: { blocks: readonly Block[]; target: string }): JSX.Element {
  return (
    <div class="blocks">
      {blocks.map((block, index) => {
        const Drawn = DRAWN[String(block['type'])];
        const key = `${index} ${String(block['type'])}`;
        return Drawn ? (
          <Drawn key={key} block={block} target={target} />
        ) : (
          <Undrawn key={key} what={block['type']} />
        );
      })}
    </div>
  );
}
