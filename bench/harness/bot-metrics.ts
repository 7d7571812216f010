import type { BenchProcess } from './process.ts';

const LOOKS = /^lamplighter_operation_looks_total (\d+)/m;

/** How many looks at pending operations a bot has counted since it started. Throws where it counts none. */
export async function countLooks({ port }: Pick<BenchProcess, 'port'>): Promise<number> {
  const [, looks] = LOOKS.exec(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()) ?? [];
  if (looks === undefined) throw new Error('the bot counts no looks');
  return Number(looks);
}
