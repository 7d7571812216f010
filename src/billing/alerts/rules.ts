import type { Config } from '../../config.ts';
import type { Settings } from './alarm.ts';
import { parseThreshold, type Thresholds } from './level.ts';

/** What the configuration says of alerts; what it says stands above what is set in Slack. */
export type AlertConfig = Config['alerts'];

const STANDARD = { warn: '5d', critical: '2d' } as const;

/** The thresholds that count now. */
export function thresholdsOf(settings: Settings, config: AlertConfig): Thresholds {
  return {
    warn: parseThreshold(config.warn ?? settings.warn ?? STANDARD.warn),
    critical: parseThreshold(config.critical ?? settings.critical ?? STANDARD.critical),
  };
}

/** Where alerts go: a channel, else the first admin alone, else nowhere. */
export function destinationOf(
  settings: Settings,
  config: AlertConfig,
  admins: readonly string[],
): { channelId: string } | { userId: string } | undefined {
  const { channelId } = settings;
  if (channelId !== undefined && mayStandIn(channelId, settings, config)) return { channelId };
  const [channel] = config.channels;
  if (channel !== undefined) return { channelId: channel };
  const [admin] = admins;
  return admin === undefined ? undefined : { userId: admin };
}

/** Whether everybody in a channel may see the figures of the account: closed unless it was named. */
export function mayStandIn(channelId: string, settings: Settings, config: AlertConfig): boolean {
  return (config.channels.length > 0 ? config.channels : (settings.allowed ?? [])).includes(channelId);
}
