import { type AlertConfig, thresholdsOf } from './alert-settings.ts';
import { balanceCommand } from './balance-command.ts';
import { balanceFace } from './balance-face.ts';
import { balanceMeasure } from './balance-measure.ts';
import { look } from './look.ts';
import type { Watched } from './watched.ts';

/** A balance that is paid before: how long it lasts. `unit`: how credits are called. */
export function watchedBalance(config: AlertConfig, unit: string): Watched {
  return {
    look,
    measureOf: (settings) => balanceMeasure(thresholdsOf(settings, config)),
    face: balanceFace(unit),
    command: balanceCommand(config, unit),
  };
}
