/** Examples of Hetzner's answers, each of which its published contract accepts. All of them are made up. */
export function hetznerExamples() {
  const loc = {
      id: 1,
      name: 'fsn1',
      city: 'Falkenstein',
      country: 'DE',
      description: 'Park 1',
      latitude: 50.4,
      longitude: 12.3,
      network_zone: 'eu-central',
    },
    price = (n: string) => ({ net: n, gross: n });
  const S = {
    id: 42,
    name: 'web-1',
    status: 'running',
    created: '2026-01-05T10:00:00Z',
    locked: false,
    labels: { env: 'prod' },
    protection: { delete: false, rebuild: false },
    backup_window: null,
    location: loc,
    image: null,
    iso: null,
    included_traffic: null,
    ingoing_traffic: null,
    outgoing_traffic: null,
    primary_disk_size: 40,
    private_net: [],
    public_net: {
      floating_ips: [],
      ipv4: { ip: '192.0.2.20', blocked: false, dns_ptr: 'web-1.example.com' },
      ipv6: { ip: '2001:db8::/64', blocked: false, dns_ptr: [] },
    },
    rescue_enabled: false,
    volumes: [],
    server_type: {
      id: 22,
      name: 'cpx22',
      description: 'CPX22',
      architecture: 'x86',
      cores: 2,
      cpu_type: 'shared',
      deprecated: false,
      disk: 80,
      memory: 4,
      storage_type: 'local',
      locations: [],
      prices: [
        {
          location: 'fsn1',
          included_traffic: 0,
          price_hourly: price('0.0100'),
          price_monthly: price('6.0000'),
          price_per_tb_traffic: price('1.0000'),
        },
      ],
    },
  };
  const off = { ...S, id: 43, name: 'db-1', status: 'off', protection: { delete: true, rebuild: true } };
  const others = [
    'initializing',
    'starting',
    'stopping',
    'deleting',
    'migrating',
    'rebuilding',
    'unknown',
  ].map((status) => ({ ...S, status }));
  const pg = { page: 1, per_page: 1, previous_page: null, next_page: 2, last_page: 2, total_entries: 2 };
  const page1 = { servers: [S], meta: { pagination: pg } },
    page2 = { servers: [off], meta: { pagination: { ...pg, page: 2, previous_page: 1, next_page: null } } };
  const one = { server: S };
  const power = {
    action: {
      id: 13,
      command: 'reboot_server',
      status: 'running',
      progress: 0,
      started: '2026-01-06T08:00:00Z',
      finished: null,
      resources: [{ id: 42, type: 'server' }],
      error: null,
    },
  };
  const done = {
      action: { ...power.action, status: 'success', progress: 100, finished: '2026-01-06T08:00:02Z' },
    },
    failed = {
      action: { ...done.action, status: 'error', error: { code: 'action_failed', message: 'It failed' } },
    };
  const err = (code: string, message: string, details: object | null = null) => ({
    error: { code, message, details },
  });
  const e401 = err('unauthorized', 'bad token'),
    e404 = err('not_found', 'no such server'),
    e409 = err('conflict', 'changed, try again'),
    e422 = err('invalid_input', 'bad field', { fields: [{ name: 'name', messages: ['too long'] }] }),
    e423 = err('locked', 'busy'),
    e423p = err('protected', 'delete protection'),
    e429 = err('rate_limit_exceeded', 'slow down'),
    e500 = err('server_error', 'our fault');

  return {
    list: [page1, page2, { ...page2, servers: others }],
    one: [one],
    action: [power, done, failed],
    error: [e401, e404, e409, e422, e423, e423p, e429, e500],
  };
}
