import { z } from 'zod';
import { routeTool } from '../../../core/agents/tool.ts';
import { monthInput } from '../month/month-words.ts';

/** How agents ask why a month costs what it does. */
export const explainMonth = routeTool({
  name: 'explain_month',
  title: 'Explain a month',
  description: 'Gives why a month costs more or less than the month before.',
  input: z.object({ month: monthInput }),
  words: ({ month }) => [month],
});
