import type { Adapter } from '../../../src/platform/hosting/adapter.ts';
import type { Examples } from '../../../src/platform/hosting/examples.ts';
import type { HostingService } from '../../../src/platform/hosting/service.ts';
import { fault, few, type Finding, ok } from '../finding.ts';
import type { Double } from './double.ts';

/** An adapter that is played against a double of its service. */
export interface Played {
  readonly adapter: Adapter;
  readonly examples: Examples;
  readonly double: Double;
  readonly hosting: HostingService;
}

/** A fault where something differs. */
export function same(check: string, differing: readonly string[], said: string): Finding {
  return differing.length > 0 ? fault(check, few(differing)) : ok(check, said);
}
