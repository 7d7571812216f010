import { describe, expect, it } from 'vitest';
import { offersOf, read } from './reading.ts';

describe('what stands behind an order and tells of nothing else may take it back, or say how', () => {
  it.each([
    'restart web-1, just kidding',
    'restart web-1, nvm',
    'restart web-1\nforget it',
    'restart web-1 - in theory',
    'restart web-1; slowly',
    'restart web-1, is a bad idea',
    'restart web-1, as root',
    'restart web-1, as a joke',
    'restart web-1, by ip',
    'turn off the weekly report, abort',
  ])('so that "%s" offers nothing, and names it', (line) => {
    expect(read(line)).toMatchObject({ what: 'cannot', isOrder: true });
  });

  it.each([
    ['restart web-1, ana is fine with it', ['ana is fine with it']],
    ['restart web-1, it crashed', undefined],
    ['restart web-1, as it hangs', undefined],
    ['need staging up, start it', undefined],
    ['start staging, need it for a test', undefined],
  ])('and "%s" is offered', (line, apart) => {
    expect(read(line)).toMatchObject({ what: 'offers', ...(apart ? { apart } : {}) });
  });
});

describe('a reason says no time, no name and no other order', () => {
  it.each([
    'freeze web-1 until friday 18:00, at 9 UTC',
    'freeze web-1 for 4 hours, tomorrow',
    'freeze web-1 for 4 hours, db-1 is off limits',
    'freeze web-1 until friday 18:00, but db-1 later',
    'freeze everything for 4 hours, every second friday',
  ])('so that "%s" offers nothing', (line) => {
    expect(offersOf(line)).toEqual([]);
  });

  it('and any other is part of the offer', () => {
    expect(offersOf('freeze everything until tomorrow 18:00, audit')).toEqual([
      'freeze until thu 18:00 audit',
    ]);
  });
});

describe('of two orders none is left out', () => {
  it.each(['stop web-1 or freeze everything until friday 18:00', 'start or restart web-1 tonight at 22:00'])(
    'so that "%s" offers nothing',
    (line) => {
      expect(offersOf(line)).toEqual([]);
    },
  );

  it('and what takes one at a time is offered for each', () => {
    expect(offersOf('delete web-1 and web-2, delete db-1')).toEqual([
      'delete web-1',
      'delete web-2',
      'delete db-1',
    ]);
  });

  it.each(['remove it. restart web-1', 'restart web-2; once web-2 is up'])('"%s" offers nothing', (line) => {
    expect(offersOf(line)).toEqual([]);
  });
});

describe('what is begun and not said to its end is no order', () => {
  it.each([
    'he wants to\nrestart web-1',
    'tell bob to, restart it',
    'i will, stop web-1',
    'unable to, stop web-1',
  ])('"%s"', (line) => {
    expect(offersOf(line, 'web-2')).toEqual([]);
  });
});

describe('one of two is never both', () => {
  it.each([
    'make @U0ANA000001 operator on web-1 or web-2',
    'stop web-1 or web-2 every day at 20:00',
    'restart one of the web servers tonight at 22:00',
  ])('"%s"', (line) => {
    for (const offer of offersOf(line)) expect(offer).not.toMatch(/web-1.*web-2/);
    expect(read(line)).toMatchObject({ what: 'offers', isWhich: true });
  });

  it('and of what is frozen for a reason it is asked', () => {
    expect(offersOf('freeze web-1 or web-2 until friday 18:00, release')).toEqual([]);
  });

  it('but either may be watched', () => {
    expect(offersOf('watch web-1 or web-2')).toEqual(['watch web-1 web-2']);
  });
});

describe('no part of an order is read over', () => {
  it.each([
    ['of two states', 'stop all running servers paused'],
    ['of two states each day', 'stop all running servers stopped every day at 20:00'],
    ['with a name that is compared', 'web-1 unlike db-1 needs a reboot'],
    ['with a dash', 'web-1 - db-1 needs a reboot'],
    ['with a zone', 'restart web-1 at 9 CET'],
    ['that may begin tonight', 'start all running servers, tonight'],
    ['with an asterisk', 'stop web-1 *'],
    ['with what may be no name', 'restart web-1, slow'],
    ['since a time', 'make @U0ANA000001 operator on web-1 since 9'],
    ['of yesterday', 'freeze everything yesterday'],
    ['of one week', 'send the digest next monday at 9'],
    ['of one week', 'send the digest this friday at 9'],
  ])('%s: "%s" offers nothing', (_, line) => {
    expect(offersOf(line)).toEqual([]);
  });

  it('what follows "to" is no second name', () => {
    expect(offersOf('restart web-1, to web-2')).toEqual(['restart web-1']);
  });

  it('a zone is named', () => {
    const cannot: unknown = expect.stringContaining('tell what "cet" means');
    expect(read('restart web-1 at 9 CET')).toMatchObject({ what: 'cannot', cannot });
  });
});

describe('what says nothing changes nothing', () => {
  it.each([
    ['restart web-1 thanks!', ['restart web-1']],
    ['`restart name:web-*`', ['restart name:web-*']],
    ['`name:web-*` needs a reboot', ['restart name:web-*']],
  ])('"%s" is %j', (line, offers) => {
    expect(offersOf(line)).toEqual(offers);
  });

  it('and thanks are no reason', () => {
    expect(read('freeze everything until monday 8am, thanks')).toMatchObject({ what: 'which' });
  });
});
