/** Twelve secrets as they could be, some of them awkward to write in JSON or in a URL. */
export const CANARIES: readonly string[] = [
  'xoxb-111111111111-222222222222-canaryCANARYcanary01',
  'xapp-1-A0000000000-333333333333-canary02',
  'xoxe.xoxp-1-canary03canary03',
  '8f742231b10e8888abcdcanary04',
  'oc_live_canary05_canary05',
  'plain-canary06-without-any-shape',
  'canary07/with+(slash)=and~',
  'canary08"with"quotes',
  'canary09\\with\\backslash',
  'canary10%20already&encoded?',
  "canary11'(with)!*~",
  'canary12<>|@:;,#',
];
