/** Ids of the routes that alerts' buttons lead to. */
export const ALERT_ROUTES = {
  alerts: 'billing.alerts',
  ack: 'billing.ack',
  still: 'billing.still',
  handBack: 'billing.hand-back',
  snooze: 'billing.snooze',
  unsnooze: 'billing.unsnooze',
  buyTime: 'billing.buy-time',
} as const;
