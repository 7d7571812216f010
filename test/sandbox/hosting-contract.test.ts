import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { routes } from '../../sandbox/hosting/routes.ts';
import { statuses } from '../../sandbox/hosting/status.ts';
import { sentinel, worldOf, instance, customer } from '../../sandbox/world.ts';
import { openSandbox, type Heard } from './hosting-caller.ts';

type Tree = Record<string, unknown>;
const contract = nullableToJsonSchema(
  parse(readFileSync(new URL('../../sandbox/hosting/openapi.yaml', import.meta.url), 'utf8')),
) as Tree;
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(contract, 'contract');

test('the sandbox answers exactly the operations of the contract', () => {
  const paths = contract['paths'] as Record<string, Tree>;
  const documented = Object.entries(paths).flatMap(([path, item]) =>
    ['get', 'post', 'put', 'patch', 'delete']
      .filter((method) => method in item)
      .map((method) => `${method} ${path}`),
  );
  const answered = routes.map(({ method, template }) => `${method.toLowerCase()} ${template}`);
  expect(answered.toSorted()).toEqual(documented.toSorted());
});

test('every answer that worked satisfies the contract, in every status an instance can have', async () => {
  const { get, post, remove, clock, sandbox, call } = await openSandbox();
  for (const style of ['list', 'later'] as const) {
    if (style === 'later') clock.advance(3 * 86_400_000);
    satisfies('GET', '/api/v1/instances', await get('/instances'), 200);
    satisfies('GET', '/api/v1/billing/summary', await get('/billing/summary'), 200);
    satisfies('GET', '/api/v1/billing/usage', await get('/billing/usage'), 200);
    satisfies('GET', '/api/v1/billing/transactions', await get('/billing/transactions'), 200);
    satisfies('GET', '/api/v1/addons', await get('/addons'), 200);
  }
  for (const each of statuses) {
    sandbox.changeStatus(101, each);
    satisfies('GET', '/api/v1/instances/{id}', await get('/instances/101'), 200);
    satisfies('GET', '/api/v1/billing/usage', await get('/billing/usage'), 200);
  }
  satisfies('POST', '/api/v1/instances/{id}/stop', await post('/instances/102/stop'), 200);
  satisfies('POST', '/api/v1/instances/{id}/restart', await post('/instances/103/restart'), 200);
  satisfies('POST', '/api/v1/instances/{id}/start', await post('/instances/104/start'), 200);
  for (const body of [{ addon_type: 'backup' }, { addon_type: 'llm', tier: 'premium' }]) {
    satisfies('POST', '/api/v1/instances/{id}/addons', await post('/instances/102/addons', body), 201);
  }
  satisfies('GET', '/api/v1/addons', await get('/addons'), 200);
  satisfies('GET', '/api/v1/billing/usage', await get('/billing/usage'), 200);
  satisfies('DELETE', '/api/v1/addons/{id}', await remove('/addons/702'), 200);
  satisfies('DELETE', '/api/v1/instances/{id}', await remove('/instances/105'), 200);
  const others = ['newcomer', 'outfitter'].map((name) => ({
    headers: { authorization: `Bearer oc_live_demo_${name}` },
  }));
  for (const path of [
    '/api/v1/instances',
    '/api/v1/addons',
    '/api/v1/billing/transactions',
    '/api/v1/billing/summary',
    '/api/v1/billing/usage',
  ]) {
    for (const other of others) satisfies('GET', path, await call('GET', path, other), 200);
  }
});

test('every refusal satisfies the contract, on every endpoint', async () => {
  const { call, post, remove, sandbox } = await openSandbox();
  const beyond = new Set<string>();
  for (const { method, template } of routes) {
    const path = template.replace('{id}', template.includes('/addons/') ? '701' : '101');
    const check = (heard: Heard, status: number): void => {
      if (satisfies(method, template, heard, status) === 'not listed')
        beyond.add(`${status} ${method} ${template}`);
    };
    check(await call(method, path, { headers: { authorization: 'Bearer wrong' } }), 401);
    if (template.includes('{id}')) check(await call(method, template.replace('{id}', '301')), 404);
    sandbox.failNext({}, { answer: 429, done: false, retryAfterSeconds: 2 });
    check(await call(method, path), 429);
    sandbox.failNext({}, 500);
    check(await call(method, path), 500);
  }
  sandbox.failNext({}, 403);
  satisfies('GET', '/api/v1/instances/{id}', await call('GET', '/api/v1/instances/101'), 403);
  satisfies('POST', '/api/v1/instances/{id}/start', await post('/instances/101/start'), 422);
  satisfies('POST', '/api/v1/instances/{id}/stop', await post('/instances/104/stop'), 422);
  satisfies('POST', '/api/v1/instances/{id}/restart', await post('/instances/104/restart'), 422);
  satisfies('POST', '/api/v1/instances/{id}/addons', await post('/instances/101/addons', {}), 422);
  await remove('/instances/104');
  satisfies('DELETE', '/api/v1/instances/{id}', await remove('/instances/104'), 422);
  await remove('/addons/701');
  satisfies('DELETE', '/api/v1/addons/{id}', await remove('/addons/701'), 422);

  // The contract lists a 500 in two places and forgets 401 and 429 for add-ons. The shape is the same there.
  expect([...beyond].filter((each) => !each.startsWith('500')).toSorted()).toEqual([
    '401 DELETE /api/v1/addons/{id}',
    '401 POST /api/v1/instances/{id}/addons',
    '429 DELETE /api/v1/addons/{id}',
    '429 GET /api/v1/addons',
    '429 POST /api/v1/instances/{id}/addons',
  ]);
  expect([...beyond].filter((each) => each.startsWith('500'))).toHaveLength(routes.length - 2);
});

test('a used-up minute is refused as the contract says', async () => {
  const { get } = await openSandbox({ rateLimit: 1 });
  await get('/instances');
  satisfies('GET', '/api/v1/instances', await get('/instances'), 429);
});

test('every sentinel keeps the contract, but for the answers docs/sandbox.md excludes by name', async () => {
  const outside = ['loses-answers', 'loses-requests', 'says-503', 'always-503', 'takes-anything'];
  const kept = [
    'never-starts',
    'breaks',
    'slow',
    'paused',
    'says-429',
    'gone-soon',
    'rude',
    'needs-owner',
    'subscribed',
    'goes-slowly',
    'comes-back',
  ];
  for (const style of ['transitional', 'documented'] as const) {
    const instances = [...outside, ...kept].map((label) => sentinel(label, 1));
    const { get, post, remove, clock } = await openSandbox({ world: worldOf(instances), style });
    for (const [index, { id }] of instances.entries()) {
      for (const action of ['restart', 'stop', 'start']) {
        if (index >= outside.length) {
          const heard = await post(`/instances/${id}/${action}`);
          satisfies('POST', `/api/v1/instances/{id}/${action}`, heard, heard.status);
        }
        const seen = await get(`/instances/${id}`);
        satisfies('GET', '/api/v1/instances/{id}', seen, seen.status);
        clock.advance(5_000);
      }
      if (index < outside.length) continue;
      const heard = await remove(`/instances/${id}`);
      satisfies('DELETE', '/api/v1/instances/{id}', heard, heard.status);
    }
  }
});

test('the validator of this file finds fault with a wrong answer', async () => {
  const { get } = await openSandbox({
    world: { customers: [customer('harbour', { instances: [instance(1, 'web-1')] })] },
    variant: { list: 'bare' },
  });
  const heard = await get('/instances');
  expect(() => satisfies('GET', '/api/v1/instances', heard, 200)).toThrow();
  const detail = at(['components', 'schemas', 'InstanceDetail']);
  expect(unknownFields(detail, { id: 1, can_stop: true, password: 'x' })).toEqual(['password']);
});

/** Holds one answer to the contract; says whether the contract lists this status for this operation. */
function satisfies(method: string, template: string, heard: Heard, status: number): 'listed' | 'not listed' {
  const where = `${method} ${template} ${status}`;
  expect(heard.status, `${where}: ${heard.text}`).toBe(status);
  for (const header of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
    expect(heard.headers.get(header), `${where}: ${header}`).toMatch(/^\d+$/);
  }
  if (status === 429) expect(heard.headers.get('retry-after'), where).toMatch(/^\d+$/);
  expect(heard.headers.get('content-type'), where).toBe('application/json');

  const listed = ['paths', template, method.toLowerCase(), 'responses', String(status)];
  const isListed = at(listed) !== undefined;
  const response = isListed
    ? followed(listed)
    : ['components', 'responses', status === 422 ? 'E422state' : `E${status}`];
  const schema = [...response, 'content', 'application/json', 'schema'];
  const validate = validatorOf(schema);
  expect(validate(heard.json), `${where}: ${heard.text} ${ajv.errorsText(validate.errors)}`).toBe(true);
  expect(unknownFields(at(schema), heard.json), where).toEqual([]);
  return isListed ? 'listed' : 'not listed';
}

function validatorOf(pointer: readonly string[]): ValidateFunction {
  const path = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
  return ajv.compile({ $ref: `contract#/${path.join('/')}` });
}

// The contract's schemas are open; an answer with more in it would teach the client what nobody documented.
function unknownFields(schema: unknown, value: unknown): string[] {
  if (Array.isArray(value))
    return value.flatMap((each) => unknownFields((resolved(schema) as Tree)['items'], each));
  if (typeof value !== 'object' || value === null) return [];
  const known = propertiesOf(schema);
  if (known === undefined) return [];
  return Object.entries(value).flatMap(([field, inner]) =>
    field in known ? unknownFields(known[field], inner) : [field],
  );
}

function propertiesOf(schema: unknown): Tree | undefined {
  const { properties, allOf } = resolved(schema) as { properties?: Tree; allOf?: unknown[] };
  if (allOf === undefined) return properties;
  return Object.assign({}, ...allOf.map(propertiesOf)) as Tree;
}

function resolved(schema: unknown): unknown {
  const reference = (schema as { $ref?: string }).$ref;
  return reference === undefined ? schema : at(reference.slice(2).split('/'));
}

function followed(pointer: string[]): string[] {
  const reference = (at(pointer) as { $ref?: string }).$ref;
  return reference === undefined ? pointer : reference.slice(2).split('/');
}

function at(pointer: readonly string[]): unknown {
  return pointer.reduce<unknown>((tree, part) => (tree as Tree | undefined)?.[part], contract);
}

// OpenAPI 3.0 says `nullable: true` where JSON Schema has a list of types.
function nullableToJsonSchema(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(nullableToJsonSchema);
  if (typeof tree !== 'object' || tree === null) return tree;
  const { nullable, ...rest } = tree as Tree;
  const converted = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, nullableToJsonSchema(value)]),
  );
  return nullable === true ? { ...converted, type: [converted['type'], 'null'] } : converted;
}
