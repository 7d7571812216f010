import { z } from 'zod';
import { card, carousel, container, plan, taskCard } from './cards.ts';
import { dataVisualization } from './charts.ts';
import * as layouts from './layouts.ts';
import { richText } from './rich-text.ts';
import { dataTable, table } from './tables.ts';

const everywhere = [
  layouts.actions,
  layouts.context,
  layouts.divider,
  layouts.header,
  layouts.image,
  layouts.input,
  layouts.section,
  layouts.video,
  richText,
] as const;

/** Blocks of a message; `alert` is not among them, and a remote file can only be read. */
export const messageBlocks = z
  .array(
    z.discriminatedUnion('type', [
      ...everywhere,
      layouts.contextActions,
      layouts.markdown,
      card,
      carousel,
      container,
      dataTable,
      dataVisualization,
      plan,
      table,
      taskCard,
    ]),
  )
  .max(50);

export const modalBlocks = z.array(z.discriminatedUnion('type', [...everywhere, layouts.alert])).max(100);

export const homeBlocks = z.array(z.discriminatedUnion('type', [...everywhere])).max(100);
