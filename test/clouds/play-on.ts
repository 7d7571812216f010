import type { Cloud, CloudKind, CloudOptions } from '../../sandbox/clouds/cloud.ts';
import { type PlayOptions, play } from '../support/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

export { CLOUD_KINDS as CLOUDS } from '../../sandbox/clouds/cloud.ts';

/** A sandbox whose bot runs the machines of a cloud. */
export async function playOn(
  kind: CloudKind,
  options: Omit<CloudOptions, 'kind'> = {},
  played: PlayOptions = {},
): Promise<{ cloud: Cloud; sandbox: Sandbox }> {
  const machines = [{ name: 'web-1' }, { name: 'db-1', status: 'stopped' as const }];
  const cloud = { machines, powerMs: 150, deleteMs: 80, ...options };
  const sandbox = await play({ ...played, service: kind, cloud });
  return { cloud: sandbox.cloud!, sandbox };
}

/** A sandbox whose bot runs the machines of the double of such a service, with this key. */
export async function playAt<Double extends { readonly url: string }>(
  service: string,
  cloud: Double,
  key: string,
  { env, ...played }: PlayOptions = {},
): Promise<{ cloud: Double; sandbox: Sandbox }> {
  const at = { HOSTING_SERVICE: service, HOSTING_API_URL: cloud.url, HOSTING_API_TOKEN: key };
  return { cloud, sandbox: await play({ ...played, env: { ...at, ...env } }) };
}

/** The calls of a cloud that changed something, as "POST /v2/instances/ID/halt". */
export function writesTo(cloud: Cloud): string[] {
  return cloud.calls.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
}
