import type { Spoken } from '../../core/sentences/spoken.ts';

/** How people ask for what a channel hears of. */
export const SPOKEN: Readonly<Record<'watch' | 'unwatch' | 'watches', Spoken>> = {
  watch: {
    orders: [
      ['(watch|monitor|observe) <x>', '{xs}'],
      ['(start|begin) (watching|monitoring) <x>', '{xs}'],
      ['keep (eye|eyes) on <x> (and tell|and ping|and tell us|and tell <that> channel)?', '{xs}'],
      [
        '(let|tell|ping|notify|alert|warn) (us|us here|here|channel|<that> channel)? (know)? (here)? (when|if|whenever) <x> (dies|die|breaks|break|fails|fail|stops|stop|crashes|crash|is down|goes down|go down|changes|restarts)',
        '{xs}',
      ],
      ['subscribe to <x>', '{xs}'],
    ],
  },
  unwatch: {
    orders: [
      [
        '(do not|stop) (tell|telling|ping|pinging|notify|notifying|alert|alerting|warn|warning) (us|here|channel)? about <x> (here|in here|any more)?',
        '{xs}',
      ],
      ['(unwatch|unmonitor) <x>', '{xs}'],
      ['(stop|quit) (watching|monitoring) <x>', '{xs}'],
      ['unsubscribe from <x>', '{xs}'],
    ],
  },
  watches: {
    asks: [
      '(channel|we|us|here) * (told|hear|notified|informed|pinged)',
      '(what|which|who|anything) * (watching|watched|monitoring|monitored)',
      '(watches|monitors)',
      '(what|which) * (watch|monitor)',
      ['(stop|quit|end) (watching|monitoring|watches)', ''],
    ],
  },
};
