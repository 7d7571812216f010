/** Examples of DigitalOcean's answers, each of which its published contract accepts. All of them are made up. */
export function digitaloceanExamples() {
  const D = {
    id: 101,
    name: 'web-1',
    memory: 1024,
    vcpus: 1,
    disk: 25,
    locked: false,
    status: 'active',
    created_at: '2026-01-05T10:00:00Z',
    features: ['backups'],
    backup_ids: [],
    next_backup_window: null,
    snapshot_ids: [],
    image: {},
    volume_ids: [],
    size: {
      slug: 's-1vcpu-1gb',
      memory: 1024,
      vcpus: 1,
      disk: 25,
      transfer: 1,
      price_monthly: 6,
      price_hourly: 0.00893,
      regions: ['fra1'],
      available: true,
      description: 'Basic',
    },
    size_slug: 's-1vcpu-1gb',
    networks: {
      v4: [{ ip_address: '192.0.2.10', netmask: '255.255.255.0', gateway: '192.0.2.1', type: 'public' }],
      v6: [],
    },
    region: { name: 'Frankfurt 1', slug: 'fra1', features: [], available: true, sizes: [] },
    tags: ['env:prod'],
  };
  const off = { ...D, id: 102, name: 'db-1', status: 'off' },
    fresh = { ...D, status: 'new', networks: {} },
    archive = { ...D, status: 'archive' };
  const U = 'https://api.digitalocean.com/v2/droplets?per_page=1&page=';
  const page1 = { droplets: [D], links: { pages: { next: U + 2, last: U + 2 } }, meta: { total: 2 } };
  const page2 = { droplets: [off], links: { pages: { first: U + 1, prev: U + 1 } }, meta: { total: 2 } };
  const one = { droplet: D };
  const power = {
    action: {
      id: 9001,
      status: 'in-progress',
      type: 'reboot',
      started_at: '2026-01-06T08:00:00Z',
      completed_at: null,
      resource_id: 101,
      resource_type: 'droplet',
      region_slug: 'fra1',
    },
  };
  const done = { action: { ...power.action, status: 'completed', completed_at: '2026-01-06T08:00:20Z' } },
    failed = { action: { ...done.action, status: 'errored' } };
  const e401 = { id: 'unauthorized', message: 'No valid token' },
    e404 = { id: 'not_found', message: 'No such droplet' },
    e422 = { id: 'unprocessable_entity', message: 'Pending event', request_id: 'r-1' },
    e429 = { id: 'too_many_requests', message: 'Slow down' },
    e500 = { id: 'server_error', message: 'Our fault' };
  const balance = {
    account_balance: '-40.00',
    month_to_date_usage: '12.50',
    month_to_date_balance: '-27.50',
    generated_at: '2026-01-06T08:00:00Z',
  };
  const history = {
    billing_history: [
      { description: 'Payment', amount: '-71.20', date: '2026-01-02T00:00:00Z', type: 'Payment' },
      {
        description: 'December',
        amount: '31.20',
        invoice_id: '77',
        invoice_uuid: 'u-77',
        date: '2026-01-01T00:00:00Z',
        type: 'Invoice',
      },
    ],
    links: {},
    meta: { total: 2 },
  };
  const invoices = {
    invoices: [{ invoice_uuid: 'u-77', invoice_id: '77', amount: '31.20', invoice_period: '2025-12' }],
    invoice_preview: {
      invoice_uuid: 'u-78',
      amount: '12.50',
      invoice_period: '2026-01',
      updated_at: '2026-01-06T06:00:00Z',
    },
    links: {},
    meta: { total: 1 },
  };

  return {
    list: [page1, page2, { ...page2, droplets: [fresh, archive] }],
    one: [one],
    action: [power, done, failed],
    error: [e401, e404, e422, e429, e500],
    balance: [balance],
    history: [history],
    invoices: [invoices],
  };
}
