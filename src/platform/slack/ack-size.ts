/** What an acknowledgement over a socket may take, in bytes: over somewhat more Slack closes the socket, for everybody. */
export const MAX_SOCKET_ACK_BYTES = 16 * 1024;

/** Whether the body of an acknowledgement has at most so many bytes. Pure. */
export function isWithin(maxBytes: number, body: object): boolean {
  return maxBytes === Infinity || sizeOf(body) <= maxBytes;
}

/** The body of an acknowledgement within so many bytes: of options the first that fit, of anything else that is longer nothing. Pure. */
export function fittedTo(maxBytes: number, body: object): object {
  if (isWithin(maxBytes, body)) return body;
  if ('options' in body && Array.isArray(body.options))
    return { ...body, options: firstWithin(maxBytes - sizeOf({ ...body, options: [] }), body.options) };
  if ('option_groups' in body && Array.isArray(body.option_groups)) {
    const [group, ...more]: object[] = body.option_groups;
    if (group && more.length === 0)
      return { option_groups: [fittedTo(maxBytes - sizeOf({ option_groups: [[]] }), group)] };
  }
  return {};
}

function firstWithin(maxBytes: number, options: readonly unknown[]): readonly unknown[] {
  let left = maxBytes;
  const first = options.findIndex((option) => (left -= sizeOf(option) + 1) < 0);
  return first < 0 ? options : options.slice(0, first);
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
