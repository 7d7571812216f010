import { BOT } from '../../people.ts';
import { encode } from '../reading/entities.ts';
import type { Workspace } from '../workspace/workspace.ts';

const LINK = /\bhttps?:\/\/[^\s|]+/g;
const EMAIL = /(?<![\w:/])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const DOMAIN = /(?<![\w@.:/-])(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|app|eu|de|co|cloud)(?![\w-]|\.\w)/gi;

/**
 * What Slack makes of what a person types: `&`, `<` and `>` escaped, `@ana` and `#ops` resolved, addresses
 * turned into links, bare host names among them.
 */
export function compose(workspace: Workspace, typed: string): string {
  const links: string[] = [];
  const keep = (link: string): string => `\uE000${links.push(link) - 1}\uE001`;
  return encode(typed)
    .replace(LINK, (url) => keep(`<${url}>`))
    .replace(EMAIL, (address) => keep(`<mailto:${address}|${address}>`))
    .replace(DOMAIN, (host) => keep(`<http://${host}|${host}>`))
    .replace(/(?<!\w)@([\w.-]*\w)/g, (whole, handle: string) => mention(workspace, handle) ?? whole)
    .replace(/(?<![\w&])#([\w-]+)/g, (whole, name: string) => reference(workspace, name) ?? whole)
    .replace(/\uE000(\d+)\uE001/g, (_, index: string) => links[Number(index)] ?? '');
}

function mention(workspace: Workspace, handle: string): string | undefined {
  if (['here', 'channel', 'everyone'].includes(handle)) return `<!${handle}>`;
  if (handle === BOT.handle) return `<@${BOT.userId}>`;
  const group = workspace.usergroups.find((one) => one.handle === handle);
  if (group) return `<!subteam^${group.id}>`;
  const person = workspace.findPerson(handle);
  return person && `<@${person.id}>`;
}

function reference(workspace: Workspace, name: string): string | undefined {
  const channel = workspace.findChannel(`#${name}`);
  return channel && `<#${channel.id}|${channel.kind === 'public' ? channel.name : ''}>`;
}
