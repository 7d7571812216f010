import { z } from 'zod';
import type { Instance } from '../../platform/hosting/service.ts';

/** What makes an instance the same one: a re-created name has another id and another birthday. */
export interface Fingerprint {
  readonly id: string;
  readonly name: string;
  readonly createdAt?: string;
}

export const fingerprintSchema: z.ZodType<Fingerprint> = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string().optional(),
});

/** What is kept of an instance to know it again. */
export function fingerprintOf({
  id,
  name,
  createdAt,
}: Pick<Instance, 'id' | 'name' | 'createdAt'>): Fingerprint {
  return { id, name, createdAt };
}

/** Whether an instance is still the one that was shown. */
export function isSame(shown: Fingerprint, now: Pick<Instance, 'id' | 'name' | 'createdAt'>): boolean {
  return shown.id === now.id && shown.name === now.name && shown.createdAt === now.createdAt;
}

const collator = new Intl.Collator('en', { numeric: true });

/** The order in which names are listed: `web-2` before `web-10`. */
export function byName(one: string, other: string): number {
  return collator.compare(one, other);
}

/** An instance whose service rents it by a term, and only cancels. */
type Rented = Pick<Instance, 'endsAt'>;

/** When one that is canceled ends, Unix ms; undefined where it isn't canceled, or nobody can tell when it ends. Pure. */
export function endOf({ endsAt }: Rented): number | undefined {
  return momentIn(endsAt);
}

/** The day on which one that is canceled ends, as its service writes it: "2026-12-31". Pure. */
export function dayOfEnd(instance: Rented): string | undefined {
  return endOf(instance) === undefined ? undefined : instance.endsAt?.slice(0, '2026-12-31'.length);
}

/** When what is paid for it ends, Unix ms, where it isn't canceled and the service says so. Pure. */
export function paidUntilOf(instance: Rented & Pick<Instance, 'paidUntil'>): number | undefined {
  return instance.endsAt === undefined ? momentIn(instance.paidUntil) : undefined;
}

function momentIn(text: string | undefined): number | undefined {
  const at = Date.parse(text ?? '');
  return Number.isFinite(at) ? at : undefined;
}

/** Where an instance can be reached. */
export type Hosted = Pick<Instance, 'ipAddress' | 'address' | 'hostname'>;

/** The host names and the IP address by which an instance is known, in lower case. A host name of one word may be any name. Pure. */
export function hostsOf({ ipAddress, address, hostname }: Hosted): readonly string[] {
  const named = hostname?.includes('.') === true ? hostname : undefined;
  return [ipAddress, address, named].flatMap((one) => (one ? [hostIn(one)] : []));
}

/**
 * The host of an address that may be a link: alerts name the one or the other. Of an IPv6 address its colons are part, so that
 * a port is cut only after a name, an IPv4 address or a bracket; its zone (`%eth0`) is another on each machine. The dot that
 * ends a whole name says nothing. In lower case.
 */
export function hostIn(address: string): string {
  const authority = address.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/[/?#].*$/s, '');
  const place = authority.slice(authority.lastIndexOf('@') + 1);
  const [, bracketed] = /^\[([^\]]*)\]/.exec(place) ?? [];
  return inLowerCase(
    (bracketed ?? place.replace(/^([^:]*):[^:]*$/, '$1')).replace(/%.*$/s, '').replace(/\.$/, ''),
  );
}

/** The same length, as no other letters have two cases in an address. */
export function inLowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
