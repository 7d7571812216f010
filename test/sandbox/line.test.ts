import { expect, test } from 'vitest';
import { readLine } from '../../sandbox/line.ts';

test.each([
  ['/instances restart web-1', 'run', '/instances restart web-1'],
  ['  /instances  ', 'run', '/instances'],
  ['@lamplighter restart web-1', 'mention', 'restart web-1'],
  ['@lamplighter', 'mention', ''],
  [':press Restart now', 'press', 'Restart now'],
  [':pick web', 'pick', 'web'],
  [':type  web-1', 'type', 'web-1'],
  [':close', 'close', ''],
  [':shortcut Act on an instance', 'shortcut', 'Act on an instance'],
  [':reply @lamplighter show this', 'reply', '@lamplighter show this'],
  [':dm restart web-1', 'dm', 'restart web-1'],
  [':slackbot what runs?', 'slackbot', 'what runs?'],
  [':as bob', 'as', 'bob'],
  [':people', 'people', ''],
  [':pass 2d', 'pass', '2d'],
  [':Press Restart', 'press', 'Restart'],
  [':+1: good', 'say', ':+1: good'],
  [':help', 'help', ''],
  [' Help ', 'help', ''],
  ['?', 'help', ''],
  [':quit', 'quit', ''],
  ['exit', 'quit', ''],
  ['help me', 'say', 'help me'],
  ['constructor', 'say', 'constructor'],
  ['good morning', 'say', 'good morning'],
  [':wave: good morning', 'say', ':wave: good morning'],
])('%j is to %s', (typed, verb, words) => {
  expect(readLine(typed)).toEqual({ verb, words });
});

test.each([':push Restart', ':push-it', ':', ': press', ':types web-1', ':constructor'])(
  '%j is nothing that a person can do',
  (typed) => {
    expect(readLine(typed)).toBeUndefined();
  },
);
