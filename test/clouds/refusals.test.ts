import { expect, test } from 'vitest';
import { fieldOf, KINDS, openTest, type Heard } from './calling.ts';
import { digitalocean } from './digitalocean-contract.ts';
import { hetzner } from './hetzner-contract.ts';
import { vultr } from './vultr-contract.ts';

const named = KINDS.map((each) => [each.kind, each] as const);
const ERRORS = { digitalocean: digitalocean.error, hetzner: hetzner.error, vultr: vultr.error };

test.each(named)(
  '%s: a call without the right token is answered 401, and does nothing',
  async (_name, kind) => {
    const { call, list, cloud, powerPathOf, power } = await openTest({ kind: kind.kind });
    const [, body] = kind.power.stop;
    for (const authorization of ['Bearer other', `Basic ${cloud.token}`, '']) {
      const headers = { authorization, 'content-type': 'application/json' };
      isError(kind.kind, await call('GET', list, undefined, { headers }), 401, 'unauthorized');
      isError(
        kind.kind,
        await call('POST', powerPathOf('web-1', 'stop'), body, { headers }),
        401,
        'unauthorized',
      );
    }
    expect(cloud.effects()).toEqual([]);
    expect((await power('web-1', 'stop')).status).toBe(kind.powerStatus);
  },
);

test.each(named)(
  '%s: a machine, an action or a path that is not there is answered 404',
  async (_name, kind) => {
    const { call, list, pathOf } = await openTest({ kind: kind.kind });
    const [stop, body] = kind.power.stop;
    const unknown = `${list}/${kind.unknownId}`;
    for (const [method, path] of [
      ['GET', unknown],
      ['GET', `${list}/constructor`],
      ['DELETE', unknown],
      ['GET', `${pathOf('web-1')}/nothing`],
      ['GET', `${pathOf('web-1')}/`],
      ['GET', '/'],
      ['GET', '/v9/servers'],
      ['PUT', pathOf('web-1')],
      ['GET', `${list.slice(0, 3)}/actions/1`],
    ] as const) {
      isError(kind.kind, await call(method, path), 404, 'not_found');
    }
    isError(kind.kind, await call('POST', `${unknown}/${stop}`, body), 404, 'not_found');
    // Acting by a tag hits what matches then, so that no double does it.
    const byTag = await call('POST', `${list}/actions?tag_name=prod`, { type: 'power_off' });
    isError(kind.kind, byTag, 404, 'not_found');
  },
);

test.each(named)(
  '%s: a body that is no JSON is refused, and so is one that is too large',
  async (_name, kind) => {
    const { call, cloud, powerPathOf } = await openTest({ kind: kind.kind });
    isError(kind.kind, await call('POST', powerPathOf('web-1', 'stop'), '{"type"'), 400);
    isError(kind.kind, await call('POST', powerPathOf('web-1', 'stop'), 'x'.repeat(70_000)), 413);
    expect(cloud.effects()).toEqual([]);
  },
);

test('DigitalOcean: an action of an unknown type is refused, and so is a body without one', async () => {
  const { call, pathOf } = await openTest({ kind: 'digitalocean' });
  for (const body of [{ type: 'explode' }, { type: 'constructor' }, { type: 7 }, {}, [], null, undefined]) {
    const refused = await call('POST', `${pathOf('web-1')}/actions`, body);
    isError('digitalocean', refused, 422, 'unprocessable_entity');
  }
});

test('DigitalOcean: a busy droplet says that it has a pending event', async () => {
  const { power } = await openTest({ kind: 'digitalocean' });
  await power('web-1', 'restart');
  const refused = await power('web-1', 'restart');
  isError('digitalocean', refused, 422, 'unprocessable_entity');
  expect(fieldOf(refused.json, 'message')).toBe('Droplet already has a pending event.');
});

test.each(['new', 'archive'])('DigitalOcean: a droplet that is %s takes no power', async (status) => {
  const { power } = await openTest({ kind: 'digitalocean', machines: [{ name: 'web-1', status }] });
  isError('digitalocean', await power('web-1', 'start'), 422, 'unprocessable_entity');
});

test('Hetzner: a busy server says locked, an unknown action is not found, a wrong field is named', async () => {
  const { power, call, get, pathOf } = await openTest({ kind: 'hetzner' });
  await power('web-1', 'restart');
  isError('hetzner', await power('web-1', 'restart'), 423, 'locked');
  for (const name of ['explode', 'constructor']) {
    isError('hetzner', await call('POST', `${pathOf('db-1')}/actions/${name}`), 404, 'not_found');
  }
  const refused = await call('POST', `${pathOf('db-1')}/actions/change_protection`, { delete: 'yes' });
  isError('hetzner', refused, 422, 'invalid_input');
  expect(fieldOf(refused.json, 'error', 'details', 'fields')).toMatchObject([{ name: 'delete' }]);
  isError('hetzner', await get('/v1/servers?sort=constructor'), 422, 'invalid_input');
});

test('Hetzner: the list of all actions was removed, and names are unique', async () => {
  const { get, cloud } = await openTest({ kind: 'hetzner' });
  isError('hetzner', await get('/v1/actions'), 410, 'deprecated_api_endpoint');
  expect(() => cloud.add({ name: 'web-1' })).toThrow('web-1 is used twice');
});

test('Hetzner has nothing about money but its prices', async () => {
  const { get } = await openTest({ kind: 'hetzner' });
  for (const path of ['/v1/account', '/v1/billing/history', '/v1/customers/my/balance', '/v1/invoices']) {
    isError('hetzner', await get(path), 404, 'not_found');
  }
});

test('Vultr: a locked instance is answered 500 in words alone', async () => {
  const { power, remove } = await openTest({ kind: 'vultr' });
  await power('web-1', 'restart');
  const refused = await remove('web-1');
  expect(refused.json).toEqual({ error: 'Server is currently locked', status: 500 });
});

/** By the cloud's own shape and, where it has one, its code. */
function isError(kind: keyof typeof ERRORS, heard: Heard, status: number, code?: string): void {
  expect(heard.status, heard.text).toBe(status);
  expect(ERRORS[kind].safeParse(heard.json).error).toBeUndefined();
  if (kind === 'vultr') expect(fieldOf(heard.json, 'status')).toBe(status);
  if (code === undefined || kind === 'vultr') return;
  expect(fieldOf(heard.json, ...(kind === 'hetzner' ? ['error', 'code'] : ['id']))).toBe(code);
}
