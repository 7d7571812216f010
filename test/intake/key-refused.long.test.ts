import { expect, test } from 'vitest';
import { answerTo, play } from '../support/sandbox.ts';

test('where the key is refused, who may look into it is led there, and nobody else', async () => {
  const sandbox = await play({ env: { LAMPLIGHTER_EVERYONE: 'finance' } });
  for (const [who, line] of [
    ['admin', '/billing usage'],
    ['ana', '/billing usage'],
    ['admin', '@lamplighter is web-1 ok'],
  ] as const) {
    const end = sandbox.hosting.failNext({ method: 'GET' }, 401, 10);
    const answer = await answerTo(sandbox, who, line);
    end();
    expect(answer, `${who} ${line}`).toContain("refused the bot's API key");
    expect(answer.includes('[ Check the setup ]'), `${who} ${line}`).toBe(who === 'admin');
  }
});
