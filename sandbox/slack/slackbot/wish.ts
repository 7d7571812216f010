/** What Slackbot takes a line for: a tool, with its arguments, or with words that are its first argument. */
export interface Wish {
  readonly tool: string;
  readonly args: Readonly<Record<string, string>>;
  readonly words?: string;
}

/** Reads a line to Slackbot, which has no model here. `reference`: of what it proposed last. Undefined for anything else. Pure. */
export function readWish(typed: string, reference: string | undefined): Wish | undefined {
  const line = typed.trim();
  if (/^what runs\??$/i.test(line)) return { tool: 'list_instances', args: { filter: 'status:running' } };
  if (/^what became of it\??$/i.test(line) && reference !== undefined)
    return { tool: 'get_proposal', args: { reference } };
  const [, verb, instance, because] = /^(\S+)\s+(.+?)\s+because\s+(.+)$/is.exec(line) ?? [];
  if (verb !== undefined && instance !== undefined && because !== undefined)
    return { tool: 'propose_change', args: { verb: verb.toLowerCase(), instance, because } };
  const [, tool, words] = /^([a-z]+(?:_[a-z]+)+)(?:\s+(.+))?$/s.exec(line) ?? [];
  return tool === undefined ? undefined : { tool, args: {}, ...(words === undefined ? {} : { words }) };
}
