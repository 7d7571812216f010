import type { Feature } from '../core/intake/feature.ts';
import type { Adapter } from '../platform/hosting/adapter.ts';
import { adapter } from '../platform/hosting/adapters/instance-hosting.ts';
import { aboutOf } from '../platform/hosting/client.ts';
import { TIMINGS } from '../core/timings.ts';
import { createLinks } from '../core/links.ts';
import { loadConfig } from './config/config.ts';
import { noFaultPoints } from '../core/base.ts';
import { createChanges, createFeatures } from './features.ts';
import type { FeaturesDeps } from './features-deps.ts';

/** Every feature that a hosting service has, with nothing behind it: what its routes declare can be read, and none of them can be called. */
export function createBareFeatures(of: Adapter = adapter): readonly Feature[] {
  const config = loadConfig({
    SLACK_BOT_TOKEN: 'xoxb-only-read',
    SLACK_SIGNING_SECRET: 'only-read',
    HOSTING_API_URL: 'https://hosting.example.com',
    HOSTING_API_TOKEN: 'only-read',
  });
  const hosting = { about: aboutOf(of) };
  const links = createLinks(config.links);
  const given = { config, hosting, links, timings: TIMINGS, faultPoints: noFaultPoints } as FeaturesDeps;
  const features: readonly Feature[] = createFeatures({
    ...given,
    changes: createChanges(given),
    features: () => features,
  });
  return features;
}
