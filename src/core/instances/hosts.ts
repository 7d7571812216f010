import type { Instance } from '../../platform/hosting/service.ts';

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
