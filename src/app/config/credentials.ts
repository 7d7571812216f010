export const ENCODED =
  'has a character before its host that must be percent-encoded: %40 for @, %2F for /, %3F for ?, %23 for # and %25 for %';

/**
 * What is wrong with the user and the password in an address, in words that follow the variable's name and quote nothing;
 * undefined for nothing. `rest`: what stands behind its `://`. Pure.
 */
export function faultOfCredentials(rest: string): string | undefined {
  // All that stands before the last @ is meant for a password: half of one must not become the name of a host.
  const credentials = rest.slice(0, Math.max(0, rest.lastIndexOf('@')));
  if (/[@/?#[\]\\\s]/.test(credentials)) return ENCODED;
  return isDecodable(credentials) ? undefined : ENCODED;
}

/** Whether a text was percent-encoded as URLs want it. Pure. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The faults of addresses whose user, password, path or query can't be decoded, but those of which something is said already. Pure. */
export function faultsOfEscapes(
  values: Readonly<Record<string, string>>,
  said: readonly string[],
): readonly string[] {
  return Object.entries(values).flatMap(([name, text]) =>
    !/^[a-z][\w+.-]*:\/\//i.test(text) || isDecodable(text) || said.some((one) => one.startsWith(`${name} `))
      ? []
      : [`${name} has a % that begins no escape: write %25 for it`],
  );
}
