import { describe, expect, it } from 'vitest';
import { answerTo, play } from '../support/sandbox.ts';

const BY = 'admin';

describe('words after a verb that takes none', () => {
  it.each([
    ['/lamplighter operations october', '"october" here. operations takes no words.'],
    ['/lamplighter doctor please now', '"please now" here. doctor takes no words.'],
    ['/instances schedules web-1', '"web-1" here. schedules takes no words.'],
    ['/instances watches october', '"october" here. watches takes no words.'],
    ['/instances favorites nightly', '"nightly" here. favorites takes no words.'],
    ['/lamplighter audit october', 'october'],
    ['/instances history web-1 october', '"web-1 october"'],
  ])('%s: what is not understood is said, and never dropped', async (line, words) => {
    const sandbox = await play();
    expect(await answerTo(sandbox, BY, line)).toContain(words);
  });

  it('are said before the service is asked, which may have nothing of the kind', async () => {
    const sandbox = await play();
    sandbox.hosting.failNext({ method: 'GET', path: /\/billing/ }, 404, 10);
    expect(await answerTo(sandbox, BY, '/billing usage web-1')).toContain('I don\'t know "web-1" here.');
    expect(await answerTo(sandbox, BY, '/billing transactions nightly')).toContain('"nightly" here.');
    expect(sandbox.hosting.countCalls('GET', '/api/v1/billing/usage')).toBe(0);
  });
});
