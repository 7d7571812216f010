import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../src/features/billing/alerts/alarm.ts';
import { thresholdsOf } from '../../src/features/billing/alerts/alert-settings.ts';
import { ConfigError, loadConfig } from '../../src/app/config/config.ts';
import { compare } from '../../src/core/money/amount.ts';
import { ENOUGH_CONFIG } from '../support/enough-config.ts';
import { RULE_RUNS } from '../support/runs.ts';
import { asks, reads, setDays, watch } from './watching.ts';

const SELDOM = { billingCheckEveryMs: 3_600_000 };

describe('thresholds that are set in Slack', () => {
  it('have the one that nobody set follow the other', async () => {
    const sandbox = await watch({ timings: SELDOM });
    expect(await asks(sandbox, '/billing alerts set warn 500')).toMatch(
      /below 500 credits .* below 200 credits/,
    );
    expect(await asks(sandbox, '/billing alerts set warn 1d')).toMatch(/below 1 day .* below 0\.4 days/);
  });

  it('are refused where the other was set in another unit, with the advice to set both', async () => {
    const sandbox = await watch({ timings: SELDOM });
    await asks(sandbox, '/billing alerts set critical 3d');
    expect(await asks(sandbox, '/billing alerts')).toMatch(/below 7\.5 days .* below 3 days/);
    expect(await asks(sandbox, '/billing alerts set warn 500')).toMatch(
      /Warn is 500 credits and critical is 3 days.*set both/,
    );
    expect(await asks(sandbox, '/billing alerts set warn 500 critical 100')).toMatch(
      /below 500 credits .* below 100 credits/,
    );
  });
});

it('BILLING_WARN alone below the default of critical has critical follow it: first low, then critical', async () => {
  const sandbox = await watch({ env: { BILLING_WARN: '1d' } });
  setDays(sandbox, 0.8);
  await reads(sandbox, /getting low/);
  setDays(sandbox, 0.2);
  await reads(sandbox, /balance is critical/);
});

const threshold = fc
  .tuple(fc.integer({ min: 1, max: 3_000 }), fc.constantFrom(0, 1, 6), fc.constantFrom('d', ''))
  .map(([units, places, unit]) => `${(units / 10 ** places).toFixed(places)}${unit}`);
const one = fc.option(threshold, { nil: undefined });

/** What the configuration makes of the two; undefined where it refuses them. */
function configured(warn: string | undefined, critical: string | undefined): Settings | undefined {
  try {
    const { alerts } = loadConfig({
      ...ENOUGH_CONFIG,
      BILLING_WARN: warn,
      BILLING_CRITICAL: critical,
    });
    return {
      ...(alerts.warn ? { warn: alerts.warn } : {}),
      ...(alerts.critical ? { critical: alerts.critical } : {}),
    };
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

it('whatever the configuration accepts or Redis has kept, critical lies below warn, in one unit', () => {
  fc.assert(
    fc.property(one, one, one, one, (warn, critical, keptWarn, keptCritical) => {
      const set = configured(warn, critical);
      if (!set) {
        // Refused only where both are given, and do not fit.
        expect([warn, critical]).not.toContain(undefined);
        return;
      }
      const kept = {
        ...(keptWarn ? { warn: keptWarn } : {}),
        ...(keptCritical ? { critical: keptCritical } : {}),
      };
      const config = {
        warn: set.warn,
        critical: set.critical,
        budget: undefined,
        channels: [],
        escalateTo: [],
      };
      const found = thresholdsOf(kept, config);
      expect(found.warn.in).toBe(found.critical.in);
      expect(compare(found.critical.amount, found.warn.amount)).toBe(-1);
    }),
    { numRuns: RULE_RUNS },
  );
});
