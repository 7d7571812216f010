import { describe, expect, it } from 'vitest';
import { offersOf, read } from './reading.ts';

const HALF_PAST_MIDNIGHT = Date.UTC(2026, 10, 18, 0, 30);
const AT_SEVEN = Date.UTC(2026, 10, 18, 7);

/** Orders of schedules, in short: "stop wed 22:00". */
function timesOf(line: string, at?: number): readonly string[] {
  const short = /^schedule (\S+) (\S+) (?:once at 2026-11-)?(.*)$/;
  return offersOf(line, '', at).map((one) => one.replace(short, '$1 $2 $3'));
}

describe('the second of two orders is read from the time of the first', () => {
  it.each([
    ['stop staging tonight at 22:00 and start it at 8', ['staging stop 18 22:00', 'staging start 19 08:00']],
    ['stop web-1 at 22:00. start it at 8', ['web-1 stop 18 22:00', 'web-1 start 19 08:00']],
    [
      'stop web-1 at 22:00, start it at 8 and stop it at 20:00',
      ['web-1 stop 18 22:00', 'web-1 start 19 08:00', 'web-1 stop 19 20:00'],
    ],
    ['stop web-1 friday at 20:00 and start it at 8', ['web-1 stop 20 20:00', 'web-1 start 21 08:00']],
    [
      'stop web-1 saturday at 20:00 and start it friday at 8',
      ['web-1 stop 21 20:00', 'web-1 start 27 08:00'],
    ],
    [
      'stop web-1 friday at 20:00 and start it friday at 22:00',
      ['web-1 stop 20 20:00', 'web-1 start 20 22:00'],
    ],
    ['stop web-1 and start it at 8', ['stop web-1', 'web-1 start 18 08:00']],
    ['stop web-1 at 8pm and start it at 8', ['web-1 stop 18 20:00', 'web-1 start 19 08:00']],
    ['stop web-1 at 20:00 and start it at 9', ['web-1 stop 18 20:00', 'web-1 start 19 09:00']],
    ['stop web-1 at 20:00 and stop web-2 at 20:00', ['web-1 stop 18 20:00', 'web-2 stop 18 20:00']],
    [
      'stop web-1 mondays at 20:00 and start it tuesdays at 8',
      ['web-1 stop at 20:00 mon', 'web-1 start at 08:00 tue'],
    ],
  ])('half an hour after midnight "%s" is %j', (line, offers) => {
    expect(timesOf(line, HALF_PAST_MIDNIGHT)).toEqual(offers);
  });

  it.each([
    ['stop web-1 friday at 20:00 and start it tomorrow at 8', 'tomorrow at 8'],
    ['stop web-1 at 20:00 and start it in 2 hours', 'in 2 hours'],
    ['stop web-1 in 2 hours and start it in 1 hour', 'in 1 hour'],
    // Which eight and which six, nobody said.
    ['start web-1 at 8 and stop it at 6', 'at 6'],
    ['stop web-1 at 8pm and start it at 9', 'at 9'],
    ['stop web-1 daily at 20:00 and start it at 8', 'at 8'],
    ['stop web-1 every friday at 20:00 and start it monday at 8', 'monday at 8'],
    ['stop web-1 tomorrow at 20:00 and start it every day at 8', 'tomorrow at 20:00'],
    ['stop web-1 at 20:00 and start it', 'stop web-1 at 20:00 and start it'],
    ['stop web-1 every day at 20:00 and start it', 'stop web-1 every day at 20:00 and start it'],
  ])('of "%s" nothing is offered, and "%s" is said to be unclear', (line, part) => {
    for (const at of [HALF_PAST_MIDNIGHT, AT_SEVEN]) {
      const cannot: unknown = expect.stringContaining(`tell what "${part}" means`);
      expect(read(line, '', at)).toMatchObject({ what: 'cannot', cannot });
    }
  });

  it('what is to be done with something else may be meant before it, and is asked', () => {
    expect(timesOf('stop web-1 at 22:00 and stop web-2 at 2:00', HALF_PAST_MIDNIGHT)).toEqual([]);
    expect(timesOf('stop web-1 at 22:00 and stop web-2 at 2:00', AT_SEVEN)).toEqual([
      'web-1 stop 18 22:00',
      'web-2 stop 19 02:00',
    ]);
  });

  it('one of two that are left to choose from is read by itself', () => {
    expect(timesOf('stop web-1 at 22:00 or stop it at 8', AT_SEVEN)).toEqual([
      'web-1 stop 18 22:00',
      'web-1 stop 18 08:00',
    ]);
  });
});
