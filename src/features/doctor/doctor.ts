import type { Route } from '../../core/intake/route.ts';
import type { Examine } from './examine.ts';
import { doctorMessage } from './messages.ts';

/** `/lamplighter doctor`: how the bot and all that it depends on is set up, with what to do about it. */
export function doctorRoute({ examine }: { readonly examine: Examine }): Route {
  return {
    id: 'lamplighter.doctor',
    verb: 'doctor',
    synonyms: ['diagnose', 'checkup', 'selftest'],
    permission: 'bot:examine',
    writes: false,
    usage: '',
    summary: 'how I am set up, and what to do about it',
    handle: async () => doctorMessage(await examine()),
  };
}
