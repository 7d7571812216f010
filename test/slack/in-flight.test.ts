import { expect, it } from 'vitest';
import { createInFlight } from '../../src/platform/slack/in-flight.ts';

const nothing = (): void => undefined;
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing, limited: nothing };

it('a stop waits for what began while it was waiting, too', async () => {
  const inFlight = createInFlight(log);
  let end = nothing;
  let isEnded = false;
  const second = async (): Promise<void> => {
    await new Promise<void>((done) => (end = done));
    isEnded = true;
  };
  void inFlight.run(async () => {
    await new Promise(setImmediate);
    void inFlight.run(second);
  });
  const drained = inFlight.drain().then(() => isEnded);
  await new Promise((done) => setTimeout(done, 20));
  end();
  expect(await drained).toBe(true);
});
