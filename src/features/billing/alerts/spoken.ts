import type { Spoken } from '../../../core/sentences/phrasebook.ts';

/** How people ask for what is in the thread of an alert, mostly. */
export const SPOKEN: Spoken = {
  orders: [
    ['(taking|i take|i will take|i have got|i have) <that>', 'ack'],
    ['(turn|switch) (balance|money|billing)? alerts off', 'off'],
    ['(turn|switch) (balance|money|billing)? alerts on', 'on'],
    ['no more (balance|money|billing)? alerts', 'off'],
    [
      'only? (warn|alert|tell) (us|here|channel)? only? (at|below|under|when under) <number>',
      'set warn {number}',
    ],
    ['(warn|alert|tell) (us|here|channel)? (at|below|under|when)? <span>', 'set warn {span}'],
    ['(fire|send|post|trigger|do|try) test (alert|message|alarm)', 'test'],
    ['(test) (balance|billing|money)? alerts', 'test'],
    [
      '(mute|snooze|silence|quiet|shush|hush) (<that>|alert|alerts|balance alert|balance alerts|money alerts)? <span>',
      'snooze {span}',
    ],
    [
      '(mute|snooze|silence|quiet|shush|hush) (<that>|alert|alerts|balance alert|balance alerts|money alerts)? <when>',
      'snooze until {until}',
    ],
    [
      '(mute|snooze|silence|quiet|shush|hush|stop shouting|shut up|be quiet) (<that>|alert|alerts|balance alert|balance alerts)?',
      'snooze 4h',
    ],
    ['unsnooze <that>?', 'unsnooze'],
    ['(end|stop|lift|cancel) (the)? snooze', 'unsnooze'],
    ['(i am|am|we are) on <that>', 'ack'],
    ['on <that>', 'ack'],
    ['(ack|acknowledged|looking into <that>|i am looking into <that>|i got <that>|got <that>)', 'ack'],
    [
      '(send|post|route|put) (balance|money|billing|low balance)? alerts (here|to <that> channel|in here|into <that> channel)',
      'here',
    ],
    ['(turn off|stop|disable|switch off) (balance|money|billing)? alerts', 'off'],
    ['(balance|money|billing)? alerts off', 'off'],
    ['(turn on|enable|switch on) (balance|money|billing)? alerts', 'on'],
    ['(balance|money|billing)? alerts on', 'on'],
  ],
  asks: [
    'balance alert',
    '(acked|acknowledged)',
    'on <that> (already|yet)?',
    'how (bad|serious) is <that>',
    'balance alerts',
    'alerts * (muted|off|on|snoozed)',
    'alerts',
    '(mute|snooze|silence|quiet) (<that>)? until',
    '(where|who) * (alerts|warned|warnings)',
    'thresholds',
  ],
};
