import { describe, expect, it } from 'vitest';
import { instance, worldOf } from '../../sandbox/world.ts';
import { answerTo, opensModal, play } from '../support/sandbox.ts';
import { countingIn } from './counting-in.ts';

describe('the unit of the service', () => {
  it('is said wherever a cost is shown', async () => {
    const sandbox = await play({ adapter: countingIn('claws') });
    for (const [line, words] of [
      ['/billing', '6,300 claws'],
      ['/billing usage', 'claws a day, most expensive first'],
      ['/billing transactions', 'newest first, in claws'],
      ['/instances show db-1', 'Cost: 210 claws a day'],
      ['/addons', '2 active add-ons, 57 claws a day:'],
      ['/addons db-1', '1 active add-on of db-1 (105), 12 claws a day:'],
      ['/addons add backup web-1 --dry-run', 'Another backup costs 12 claws a day'],
      ['/addons remove llm web-1 --dry-run', 'saved: 45 claws a day'],
    ] as const) {
      const text = await answerTo(sandbox, 'admin', line);
      expect(text).toContain(words);
      expect(text).not.toContain('credit');
    }
    const modal = await opensModal(sandbox, 'admin', '/instances delete web-2');
    expect(sandbox.slack.readView(modal)).toContain('105 claws a day');
  });

  const poor = worldOf([instance(1, 'cheap', { dailyCredits: 1 })], { balanceCredits: 1 });

  it('is one credit where it is exactly one', async () => {
    const sandbox = await play({ hosting: { world: poor } });
    expect(await answerTo(sandbox, 'admin', '/instances show cheap')).toContain('Cost: 1 credit a day');
    expect(await answerTo(sandbox, 'admin', '/billing')).toContain(
      '1 credit · 1 credit a day · about 1 day left',
    );
    expect(await answerTo(sandbox, 'admin', '/billing usage')).toContain('Instances cost 1 credit a day');
  });

  it('is left as it is where somebody chose another word', async () => {
    const sandbox = await play({ hosting: { world: poor }, adapter: countingIn('EUR') });
    expect(await answerTo(sandbox, 'admin', '/billing')).toContain('1 EUR · 1 EUR a day');
  });
});
