/** Examples of Vultr's answers, each of which its published contract accepts. All of them are made up. */
export function vultrExamples() {
  const V = {
    id: '5b1f0000-0000-4000-8000-000000000001',
    label: 'web-1',
    hostname: 'web-1',
    main_ip: '192.0.2.30',
    v6_networks: [],
    internal_ip: '',
    region: 'fra',
    plan: 'vc2-1c-1gb',
    date_created: '2026-01-05 10:00:00+00:00',
    status: 'active',
    power_status: 'running',
    server_status: 'ok',
    features: ['auto_backups'],
    tags: ['prod'],
  };
  const off = { ...V, id: '5b1f0000-0000-4000-8000-000000000002', label: 'db-1', power_status: 'stopped' },
    fresh = { ...V, status: 'pending', server_status: 'none', main_ip: '0.0.0.0' },
    booting = { ...V, server_status: 'installingbooting' },
    locked = { ...V, server_status: 'locked' },
    suspended = { ...V, status: 'suspended', power_status: 'stopped' },
    resizing = { ...V, status: 'resizing' };
  const page1 = { instances: [V], meta: { total: 2, links: { next: 'bmV4dA==', prev: '' } } },
    page2 = { instances: [off], meta: { total: 2, links: { next: '', prev: 'cHJldg==' } } };
  const one = { instance: V };
  const e401 = { error: 'Bad key', status: 401 },
    e404 = { error: 'No such instance', status: 404 },
    e400 = { error: 'Bad request', status: 400 },
    e429 = { error: 'Rate limit', status: 429 },
    e500 = { error: 'Server is currently locked', status: 500 };
  const account = {
    account: {
      name: 'Team',
      acls: ['subscriptions', 'billing'],
      balance: -40.5,
      pending_charges: 12.25,
      last_payment_date: '2026-01-02 00:00:00+00:00',
      last_payment_amount: -50,
    },
  };
  const history = {
    billing_history: [
      {
        id: 2,
        date: '2026-01-02 00:00:00+00:00',
        type: 'credit',
        description: 'Top-up',
        amount: 50,
        balance: -40.5,
      },
      {
        id: 1,
        date: '2026-01-01 00:00:00+00:00',
        type: 'invoice',
        description: 'December',
        amount: 31.2,
        balance: 9.5,
      },
    ],
    meta: { total: 2, links: { next: '', prev: '' } },
  };
  const invoices = {
    billing_invoices: [
      { id: 1, date: '2026-01-01 00:00:00+00:00', description: 'December', amount: 31.2, balance: 9.5 },
    ],
    meta: { total: 1, links: { next: '', prev: '' } },
  };

  return {
    list: [page1, page2, { ...page2, instances: [fresh, booting, locked, suspended, resizing] }],
    one: [one],
    error: [e400, e401, e404, e429, e500],
    account: [account],
    history: [history],
    invoices: [invoices],
  };
}
