import { type Service, SETTABLE } from './service.ts';

/** What a person can do with the hosting service behind the bot's back, by the words of a line. */
type Behind = 'set' | 'lock' | 'unlock' | 'calls';

/** Does it, and gives what the line is answered with. Throws a sentence where it can't be done. */
export function actBehind(service: Service | undefined, verb: Behind, words: string): { help?: string } {
  if (!service) throw new Error('There is no hosting service here.');
  if (verb === 'calls') return { help: callsOf(service) };
  if (verb === 'set') set(service, words);
  else service.setLock(words.trim(), verb === 'lock');
  return {};
}

/** Puts an instance into a state, by words like `web-1 stopped`. */
function set(service: Service, words: string): void {
  const [, instance = '', wanted] = /^(.*\S)\s+(\S+)$/.exec(words.trim()) ?? [];
  const state = SETTABLE.find((one) => one === wanted);
  if (state === undefined)
    throw new Error(`Say an instance and ${SETTABLE.join(' or ')}, like web-1 stopped.`);
  service.set(instance, state);
}

/** The calls that asked for a change, a line each. */
function callsOf(service: Service): string {
  const reads = `It was only read ${service.reads()} times.`;
  const writes = service.writes().map(({ method, path, status, hadEffect }) => {
    const end = status === 'reset' ? 'answer lost' : status;
    const isDoneAllTheSame = hadEffect && !status.startsWith('2');
    return `  ${method} ${path}: ${end}${isDoneAllTheSame ? ', done all the same' : ''}`;
  });
  if (writes.length === 0) return `${service.name} was asked for no change. ${reads}`;
  return [`What ${service.name} was asked to change:`, ...writes, reads].join('\n');
}
