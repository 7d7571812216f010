import { expect, test } from 'vitest';
import { signedForAws } from '../../src/platform/hosting/signed-for-aws.ts';

const signed = (host: string): string => {
  const call = { method: 'POST', url: `https://${host}/`, headers: {}, body: 'a=1', at: 0 };
  return signedForAws('ec2').headers('AKIDEXAMPLE:a-secret-access-key', call)['authorization'] ?? '';
};

test.each([
  ['ec2.eu-central-1.amazonaws.com', 'eu-central-1'],
  ['ec2-fips.us-west-2.amazonaws.com', 'us-west-2'],
  ['vpce-0a1b-2c3d.ec2.eu-west-1.vpce.amazonaws.com', 'eu-west-1'],
  ['ec2.us-gov-west-1.amazonaws.com', 'us-gov-west-1'],
  ['ec2.amazonaws.com', 'us-east-1'],
  ['127.0.0.1', 'us-east-1'],
])('a call to %s is signed for %s', (host, region) => {
  expect(signed(host)).toContain(`/${region}/ec2/aws4_request`);
});

test('a call to an address of AWS that names no region is not sent', () => {
  expect(() => signed('ec2.dualstack.amazonaws.com')).toThrow('HOSTING_API_URL must name the region');
});
