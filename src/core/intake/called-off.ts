import type { Instance } from '../../platform/hosting/service.ts';

/** What somebody calls off in words. `names`: of each instance its id and its name. */
export type CalledOff =
  /** Whatever was asked here: "never mind", or "cancel", which takes back what others were asked to approve as well. */
  | { readonly how: 'all' | 'cancel' }
  /** What is being done or asked, perhaps with one of these, and not the instance: "stop it". */
  | { readonly how: 'stop'; readonly names: readonly string[] }
  /** One thing: "don't restart web-1". Without `names`, any instance. */
  | { readonly how: 'not'; readonly routeId: string; readonly names: readonly string[] };

/** The same as words of the route that serves as `cancel`. */
export function calledOffWords(called: CalledOff): readonly string[] {
  switch (called.how) {
    case 'all':
      return [];
    case 'cancel':
      return ['cancel'];
    case 'stop':
      return ['stop', ...called.names];
    case 'not':
      return ['not', called.routeId, ...called.names];
  }
}

/** The `names` of these. */
export function idsAndNames(about: readonly Instance[]): readonly string[] {
  return about.flatMap(({ id, name }) => [id, name]);
}

/** The names alone. */
export function namesOf(called: CalledOff): readonly string[] {
  return 'names' in called ? called.names.filter((_, at) => at % 2 === 1) : [];
}

/** What such words call off. */
export function readCalledOff([how, first = '', ...rest]: readonly string[]): CalledOff {
  if (how === 'not') return { how, routeId: first, names: rest };
  if (how === 'stop') return { how, names: first === '' ? [] : [first, ...rest] };
  return { how: how === 'cancel' ? how : 'all' };
}
