import aws4 from 'aws4';
import type { Auth } from './auth.ts';
import { Unreadable } from './unreadable.ts';

/** The region that the address of a service names; its own, where it is the service's general one. Throws Unreadable. */
function regionOf(service: string, host: string): string {
  const [, region] =
    new RegExp(`(?:^|\\.)${service}(?:-fips)?\\.([a-z]+(?:-[a-z]+)+-\\d+)\\.`).exec(host) ?? [];
  if (region !== undefined) return region;
  if (/\.amazonaws\./.test(`${host}.`) && host !== `${service}.amazonaws.com`)
    throw new Unreadable(
      `HOSTING_API_URL must name the region, as in https://${service}.eu-central-1.amazonaws.com`,
    );
  return 'us-east-1';
}

/** What stands in a signature besides what every one has. */
const SIGNED = ['content-type', 'x-amz-target'];

/**
 * Signature Version 4 of each call of an AWS service, with a key `ACCESS_KEY_ID:SECRET_ACCESS_KEY`, for the region that its address
 * names: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signedForAws(service: string): Auth {
  return {
    headers: (key, { method, url, headers, body }) => {
      const [accessKeyId, secretAccessKey] = key.split(':');
      // Without one of them the library would take what the environment has.
      if (!accessKeyId || !secretAccessKey)
        throw new Unreadable('the key must be ACCESS_KEY_ID:SECRET_ACCESS_KEY');
      const { host, pathname } = new URL(url);
      const region = regionOf(service, host);
      const signed = Object.entries(headers).filter(([name]) => SIGNED.includes(name));
      const { headers: all = {} } = aws4.sign(
        { host, method, path: pathname, service, region, headers: Object.fromEntries(signed), body },
        { accessKeyId, secretAccessKey },
      );
      return { 'x-amz-date': String(all['X-Amz-Date']), authorization: String(all['Authorization']) };
    },
  };
}
