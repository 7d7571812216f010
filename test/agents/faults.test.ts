import { expect, it } from 'vitest';
import { z } from 'zod';
import { throughSlackbot, tool } from '../../src/core/agents/tool.ts';
import { createAgentTools } from '../../src/core/intake/agent-tools.ts';
import { createRouteTable } from '../../src/core/intake/routes.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { fixedClock } from '../support/fixed-clock.ts';

/** What an agent is told of a tool whose answer fits nothing that it declares, and what is logged of that. */
async function told(given: Readonly<Record<string, unknown>>) {
  const lines: string[] = [];
  const broken = tool({
    name: 'get_nothing',
    title: 'Get nothing',
    description: 'Gives nothing.',
    input: z.object({ instance: z.string() }),
    output: z.object({ name: z.string().max(3) }),
    answer: async (_, { instance }) => ({ name: instance }),
  });
  const tools = createAgentTools({
    toolFeatures: [{ noun: 'nothing', default: '', summary: '', routes: [], tools: [broken] }],
    routes: createRouteTable([]),
    access: { require: async () => ({ by: 'admins' }) },
    audit: { append: async () => undefined },
    people: { standing: async () => 'member' },
    clock: fixedClock(() => 0),
    timings: { asksPerMinute: 10 },
    log: createLog('info', [], { write: (line) => lines.push(line) }),
  });
  const [one] = tools(throughSlackbot({ userId: 'U0ANA000001' }));
  return { answer: await one?.call(given), log: lines.join('') };
}

it('what an agent sends is told to be wrong, and what the bot makes of it is a fault of the bot', async () => {
  expect(await told({ instance: 'web' })).toMatchObject({ answer: { data: { name: 'web' } } });
  expect(await told({ instance: 7 })).toEqual({
    answer: { no: expect.stringMatching(/^That can't be read: /) },
    log: '',
  });
  const { answer, log } = await told({ instance: 'web-1' });
  expect(JSON.stringify(answer)).toContain('went wrong');
  expect(JSON.stringify(answer)).not.toContain("can't be read");
  expect(log).toContain('"level":"error"');
});
