import type { Examples, Pages, Refusal } from '../../../src/platform/hosting/examples.ts';
import { DETAILED, LISTED } from './ovhcloud.ts';
import { SERVER, TASK } from './scaleway.ts';
import { DETAILS, SERVER as UPCLOUD_SERVER } from './upcloud.ts';

/** The examples of each adapter that comes with the bot and has its contract here, with what each of them means. All are made up. */

const no = (means: Refusal['means'], status: number, body: unknown, says?: string): Refusal => ({
  means,
  answer: { status, body },
  ...(says === undefined ? {} : { says }),
});
const nth = (id: string, number: number): string => `${id.slice(0, -String(number).length)}${String(number)}`;

export function scalewayPlayed(): Examples {
  const page = (
    zone: string,
    servers: readonly object[],
    means: Pages<{ id: string; name: string; status: 'running' }>[number]['means'],
    total = servers.length,
  ): Examples['list'][number] => ({
    headers: { 'x-total-count': String(total) },
    body: { servers: servers.map((server) => ({ ...server, zone })) },
    means,
  });
  const idIn = (zone: string, number: number): string => `${zone}.${nth(SERVER.id, number)}`;
  // A page holds a hundred.
  const others = Array.from({ length: 101 }, (_, index) => {
    const number = index + 2;
    return { ...SERVER, id: nth(SERVER.id, number), name: `web-${number}` };
  });
  const meant = others.map(({ name }, index) => ({
    id: idIn('fr-par-1', index + 2),
    name,
    status: 'running' as const,
  }));
  const states = [
    { state: 'stopped', allowed_actions: ['poweron', 'backup'] },
    { state: 'stopped in place', allowed_actions: [] },
    { state: 'starting', allowed_actions: [] },
    { state: 'stopping', allowed_actions: [] },
    { state: 'locked', allowed_actions: [] },
    { state: 'running', protected: true, allowed_actions: ['backup'] },
  ].map((state, index) => ({ ...SERVER, ...state, id: nth(SERVER.id, index + 1), name: `db-${index + 1}` }));
  const db = (number: number) => ({ id: idIn('nl-ams-1', number), name: `db-${number}` });
  const nothing = { start: false, stop: false, restart: false };
  const zones = ['fr-par-2', 'fr-par-3', 'nl-ams-1', 'nl-ams-2', 'nl-ams-3'].concat(
    ['pl-waw-1', 'pl-waw-2', 'pl-waw-3'],
    ['it-mil-1'],
  );
  const task = (description: string): Examples['remove'] => ({
    status: 202,
    body: { task: { ...TASK.task, description } },
    means: {},
  });
  const web = {
    id: idIn('fr-par-1', 1),
    name: 'web-1',
    status: 'running',
    createdAt: '2026-01-05T10:00:00.652219+00:00',
    region: 'fr-par-1',
    labels: ['prod'],
    tier: 'PLAY2-NANO',
    ipAddress: '198.51.100.7',
    hostname: 'web-1',
    can: { start: false, stop: true, restart: true },
  } as const;
  const error = (type: string, message: string, more: object = {}) => ({ type, message, ...more });
  return {
    list: [
      page('fr-par-1', [SERVER, ...others.slice(0, 99)], [web, ...meant.slice(0, 99)], 102),
      page('fr-par-1', others.slice(99), meant.slice(99), 102),
    ],
    otherLists: zones.map((zone) =>
      zone === 'nl-ams-1'
        ? [
            {
              ...page(zone, states, []),
              means: [
                { ...db(1), status: 'stopped', can: { start: true, stop: false, restart: false } },
                { ...db(2), status: 'unknown', statusWord: 'stopped in place' },
                { ...db(3), status: 'starting' },
                { ...db(4), status: 'stopping' },
                { ...db(5), status: 'unknown', statusWord: 'locked', isLocked: true, can: nothing },
                { ...db(6), status: 'running', isDeletionProtected: true, can: nothing },
              ],
            },
          ]
        : [page(zone, [], [])],
    ),
    one: { body: { server: SERVER }, means: web },
    power: {
      start: task('server_poweron')!,
      stop: task('server_batch_poweroff')!,
      restart: task('server_reboot')!,
    },
    remove: task('server_terminate')!,
    refusals: [
      no('unauthorized', 401, error('denied_authentication', 'The key has expired'), 'The key has expired'),
      no(
        'forbidden',
        403,
        error('permissions_denied', 'The key may only read', {
          details: [{ resource: 'compute_servers', action: 'write' }],
        }),
        'The key may only read',
      ),
      no(
        'not-found',
        404,
        error('not_found', 'There is none', { resource: 'instance_server', resource_id: SERVER.id }),
        'There is none',
      ),
      no(
        'wrong-state',
        400,
        error('precondition_failed', 'Not now', {
          precondition: 'resource_not_usable',
          help_message: 'It must be running for that',
        }),
        'It must be running for that',
      ),
      no(
        'protected',
        400,
        error('precondition_failed', 'Not now', {
          precondition: 'protected_resource',
          help_message: 'Its protection is on',
        }),
        'Its protection is on',
      ),
      no('busy', 409, error('transient_state', 'It is being moved', { current_state: 'starting' })),
      no('refused', 403, error('quotas_exceeded', 'No more of these', { details: [] }), 'No more of these'),
      no(
        'refused',
        400,
        error('invalid_arguments', 'The action is none', {
          details: [{ argument_name: 'action', reason: 'constraint' }],
        }),
        'The action is none',
      ),
      no('rate-limited', 429, error('too_many_requests', 'Ask again later'), 'Ask again later'),
      no('unavailable', 500, error('internal_error', 'Rack 7 is dark'), 'Rack 7 is dark'),
    ],
  };
}

export function upcloudPlayed(): Examples {
  const others = [
    { title: 'db-1', state: 'stopped', labels: { label: [] } },
    { title: 'new-1', state: 'maintenance', progress: '95' },
    { title: 'odd-1', state: 'error', tags: { tag: [] } },
  ].map((more, index) => ({ ...UPCLOUD_SERVER, ...more, uuid: nth(UPCLOUD_SERVER.uuid, index + 2) }));
  const idOf = (number: number): string => nth(UPCLOUD_SERVER.uuid, number);
  const web = {
    id: idOf(1),
    name: 'web-1',
    status: 'running',
    statusWord: 'started',
    region: 'fi-hel1',
    labels: ['web', 'env=prod'],
    tier: '1xCPU-2GB',
    hostname: 'web-1.example.com',
  } as const;
  const whole = { server: { ...UPCLOUD_SERVER, ...DETAILS } };
  const taken = { body: whole, means: {} };
  const error = (error_code: string, error_message: string) => ({ error: { error_code, error_message } });
  const problem = (type: string, status: number, title: string) => ({
    type: `https://developers.upcloud.com/1.3/errors#${type}`,
    title,
    status,
    correlation_id: '01HXYZ',
  });
  return {
    list: [
      {
        body: { servers: { server: [UPCLOUD_SERVER, ...others] } },
        means: [
          web,
          { id: idOf(2), name: 'db-1', status: 'stopped', labels: ['web'] },
          { id: idOf(3), name: 'new-1', status: 'unknown', statusWord: 'maintenance' },
          { id: idOf(4), name: 'odd-1', status: 'error', labels: ['env=prod'] },
        ],
      },
    ],
    one: { body: whole, means: { ...web, ipAddress: '198.51.100.9' } },
    power: taken,
    force: taken,
    remove: { status: 204, means: {} },
    refusals: [
      no('unauthorized', 401, error('AUTHENTICATION_FAILED', 'The token has ended'), 'The token has ended'),
      no(
        'unauthorized',
        401,
        problem('ERROR_AUTHENTICATION_FAILED', 401, 'Nobody has this token'),
        'Nobody has this token',
      ),
      no('forbidden', 403, error('SERVER_FORBIDDEN', 'It is of another account')),
      no('not-found', 404, error('SERVER_NOT_FOUND', 'There is none')),
      no(
        'wrong-state',
        409,
        error('SERVER_STATE_ILLEGAL', "Not in state 'maintenance'"),
        "Not in state 'maintenance'",
      ),
      no('refused', 409, error('SERVER_RESOURCES_UNAVAILABLE', 'The zone is full'), 'The zone is full'),
      no('refused', 403, error('SERVER_CORE_LIMIT_REACHED', 'No more cores')),
      no('refused', 403, error('TRIAL_PLAN', 'Not on a trial')),
      no('refused', 400, error('STOP_TYPE_INVALID', 'That is no way to stop')),
      no('no-credit', 402, error('INSUFFICIENT_CREDITS', 'The account is empty'), 'The account is empty'),
      no('rate-limited', 429, problem('ERROR_RATE_LIMIT', 429, 'Ask again later'), 'Ask again later'),
      no('unavailable', 500, error('INTERNAL_ERROR', 'Rack 7 is dark'), 'Rack 7 is dark'),
    ],
  };
}

export function ovhcloudPlayed(): Examples {
  const statuses = [
    ['SHUTOFF', 'stopped'],
    ['BUILD', 'provisioning'],
    ['REBOOT', 'restarting'],
    ['PAUSED', 'paused'],
    ['RESIZE', 'resizing'],
    ['MIGRATING', 'migrating'],
    ['REBUILD', 'rebuilding'],
    ['DELETING', 'deleting'],
    ['ERROR', 'error'],
    ['RESCUED', 'unknown'],
    ['SHELVED_OFFLOADED', 'unknown'],
  ] as const;
  const others = statuses.map(([status], index) => ({
    ...LISTED,
    status,
    id: nth(LISTED.id, index + 2),
    name: `vm-${index + 2}`,
  }));
  const web = {
    id: LISTED.id,
    name: 'web-1',
    status: 'running',
    statusWord: 'ACTIVE',
    createdAt: '2026-01-05T10:00:00Z',
    region: 'GRA11',
    tier: 'b3-8.consumption',
    ipAddress: '203.0.113.4',
  } as const;
  // It says nothing, which it writes as `null`.
  const taken = { body: null, means: {} };
  const error = (kind: string, message: string) => ({ class: `Client::${kind}`, message });
  return {
    key: 'EU.0f0f0f0f0f0f0f0f:a-secret-of-nobody:9f8e7d6c5b4a39281706f5e4d3c2b1a0',
    session: {
      body: { access_token: 'a-token-of-nobody', token_type: 'Bearer', expires_in: 3599, scope: 'all' },
      means: { token: 'a-token-of-nobody', lastsMs: 3_599_000 },
    },
    list: [
      {
        body: [LISTED, ...others],
        means: [
          web,
          ...statuses.map(([statusWord, status], index) => ({
            id: nth(LISTED.id, index + 2),
            name: `vm-${index + 2}`,
            status,
            statusWord,
          })),
        ],
      },
    ],
    one: { body: DETAILED, means: web },
    power: taken,
    force: { restart: taken },
    remove: taken,
    refusals: [
      no('unauthorized', 401, error('Unauthorized', 'The token has ended'), 'The token has ended'),
      no(
        'unauthorized',
        403,
        { errorCode: 'INVALID_CREDENTIAL', httpCode: '403 Forbidden', message: 'Nobody has this key' },
        'Nobody has this key',
      ),
      no('forbidden', 403, error('Forbidden', 'Not with this account'), 'Not with this account'),
      no('forbidden', 403, {
        errorCode: 'NOT_GRANTED_CALL',
        httpCode: '403 Forbidden',
        message: 'Not granted',
      }),
      no('not-found', 404, error('NotFound', 'There is none')),
      no('not-found', 404, { message: 'There is none' }),
      no('wrong-state', 409, error('Conflict', 'It is shelved'), 'It is shelved'),
      no('refused', 400, error('BadRequest', 'That is no type')),
      no('rate-limited', 429, error('TooManyRequests', 'Ask again later'), 'Ask again later'),
      no(
        'unavailable',
        500,
        { class: 'Server::InternalServerError', message: 'Rack 7 is dark' },
        'Rack 7 is dark',
      ),
    ],
  };
}

export function lightsailPlayed(): Examples {
  const instance = {
    name: 'web-1',
    arn: 'arn:aws:lightsail:eu-central-1:1:Instance/web-1',
    createdAt: 1_767_607_200.5,
    location: { availabilityZone: 'eu-central-1a', regionName: 'eu-central-1' },
    resourceType: 'Instance',
    tags: [{ key: 'team', value: 'web' }, { key: 'legacy' }],
    bundleId: 'nano_3_0',
    publicIpAddress: '192.0.2.7',
    state: { code: 16, name: 'running' },
    username: 'ec2-user',
  };
  const states = [
    ['stopped', 'stopped'],
    ['stopping', 'stopping'],
    ['pending', 'provisioning'],
    ['shutting-down', 'deleting'],
    ['terminated', 'deleted'],
    ['rebooting', 'unknown'],
  ] as const;
  const web = {
    id: 'web-1',
    name: 'web-1',
    status: 'running',
    createdAt: '2026-01-05T10:00:00.500Z',
    region: 'eu-central-1',
    labels: ['team=web', 'legacy'],
    tier: 'nano_3_0',
    ipAddress: '192.0.2.7',
  } as const;
  const operation = (operationType: string, status = 'Started', more: object = {}) => ({
    id: '0c1d2e3f-0000-4000-8000-000000000001',
    resourceName: 'web-1',
    resourceType: 'Instance',
    createdAt: 1_767_693_600.25,
    isTerminal: status !== 'Started',
    operationType,
    status,
    ...more,
  });
  const { id } = operation('');
  const taken = (operationType: string) => ({
    body: { operations: [operation(operationType)] },
    means: { actionId: id },
  });
  const error = (type: string, message: string) => ({ __type: `com.amazonaws.lightsail#${type}`, message });
  return {
    key: 'AKIDOFNOBODY00000000:a-secret-access-key-of-forty-characters0',
    list: [
      { body: { instances: [instance], nextPageToken: 'dHdv' }, means: [web] },
      {
        body: {
          instances: states.map(([name], index) => ({
            ...instance,
            name: `db-${index + 1}`,
            state: { code: 0, name },
          })),
        },
        means: states.map(([statusWord, status], index) => ({
          id: `db-${index + 1}`,
          name: `db-${index + 1}`,
          status,
          statusWord,
        })),
      },
    ],
    one: { body: { instance }, means: web },
    power: {
      start: taken('StartInstance'),
      stop: taken('StopInstance'),
      restart: taken('RebootInstance'),
    },
    force: { stop: taken('StopInstance') },
    action: {
      id,
      running: { body: { operation: operation('RebootInstance') } },
      done: { body: { operation: operation('RebootInstance', 'Succeeded') } },
      failed: {
        body: { operation: operation('RebootInstance', 'Failed', { errorDetails: 'Rack 7 is dark' }) },
        says: 'Rack 7 is dark',
      },
    },
    begun: {
      body: {
        operations: [
          operation('RebootInstance'),
          operation('StopInstance', 'Completed'),
          operation('PutInstancePublicPorts', 'Failed', { errorDetails: 'No such port' }),
        ],
      },
      means: [
        { id, does: 'restart', state: 'running', startedAt: Date.UTC(2026, 0, 6, 10, 0, 0, 250) },
        { id, does: 'stop', state: 'done' },
        { id, does: undefined, state: 'failed', said: 'No such port' },
      ],
    },
    refusals: [
      no('unauthorized', 400, error('UnauthenticatedException', 'Who are you?'), 'Who are you?'),
      no('unauthorized', 403, { __type: 'UnrecognizedClientException', message: 'Nobody has this key' }),
      no('unauthorized', 403, { __type: 'InvalidSignatureException', message: 'It is signed by another' }),
      no('forbidden', 400, error('AccessDeniedException', 'The policy has no restart')),
      no('not-found', 400, error('NotFoundException', 'There is none')),
      no('wrong-state', 400, error('OperationFailureException', 'It is snapshotted'), 'It is snapshotted'),
      no('refused', 400, error('InvalidInputException', 'That is no name')),
      no('refused', 428, error('AccountSetupInProgressException', 'The account is not ready')),
      no('rate-limited', 400, { __type: 'ThrottlingException', message: 'Ask again later' }),
      no('unavailable', 500, error('ServiceException', 'Rack 7 is dark'), 'Rack 7 is dark'),
    ],
  };
}
