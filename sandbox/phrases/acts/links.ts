import { customer, instance } from '../../world.ts';
import type { Act } from '../scenario.ts';

const heading = 'Pages outside of Slack';
const env = {
  INSTANCE_URL: 'https://console.example.com/servers/{id}',
  BILLING_TOPUP_URL: 'https://console.example.com/billing',
  LAMPLIGHTER_EVERYONE: 'admin',
};

const elsewhere: Act = {
  heading,
  env,
  scenarios: [
    { title: "An instance has a page in the service's console", steps: ['/instances show web-1'] },
    { title: 'What failed can be looked at there', steps: ['/instances restart breaks'] },
    { title: 'What only helps there', steps: ['/instances start needs-owner'] },
    { title: "What I can't do", steps: ['@lamplighter show me the logs of web-1'] },
    { title: 'Credit is bought there', steps: ['/billing', '/billing top-up'] },
  ],
};

const empty: Act = {
  heading,
  env,
  hosting: {
    world: {
      customers: [
        customer('harbour', { balanceCredits: 0, instances: [instance(1, 'web-1', { status: 'paused' })] }),
      ],
    },
  },
  scenarios: [{ title: 'It is paused because the credit ran out', steps: ['/instances start web-1'] }],
};

const none: Act = {
  heading,
  env: { LAMPLIGHTER_EVERYONE: 'finance' },
  scenarios: [{ title: 'No such page is configured', steps: ['/billing top-up'] }],
};

export const LINKS: readonly Act[] = [elsewhere, empty, none];
