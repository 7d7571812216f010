import './app/no-inspector.ts';
import { createApp } from './app/app.ts';
import { filesNow } from './app/config/accounts.ts';
import { ConfigError } from './app/config/config.ts';
import { loadSetups } from './app/load-adapter.ts';
import { createSettings } from './app/settings.ts';
import { readVersion } from './app/version.ts';
import { StartError } from './platform/start-error.ts';
import { asError, createLog } from './platform/log/log.ts';
import { sayLast } from './platform/log/say-last.ts';

/** Starts the bot from the environment and stops it politely at SIGTERM; with `--version`, says which it is. No logic of its own. */
async function main(): Promise<void> {
  if (process.argv[2] === '--version') {
    process.stdout.write(`${readVersion().version ?? 'unknown'}\n`);
    return;
  }
  const accounts = await loadSetups();
  const [{ config, timings }] = accounts;
  const settings = createSettings({ accounts, files: filesNow, load: loadSetups });
  const log = createLog(config.logLevel, config.secrets);
  const app = createApp({ accounts, settings, log, lost: () => stop('its state is taken over', 1) });

  let isStopping = false;
  const stop = (why: string, exitCode: number): void => {
    if (isStopping) return;
    isStopping = true;
    log.info({ why }, 'stopping');
    // Whatever hangs, the process is gone before the person who runs it loses patience.
    setTimeout(() => process.exit(exitCode), timings.drainMs + 3_000).unref();
    app.stop().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        log.error({ error }, 'stopping');
        process.exit(exitCode);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM', 0));
  process.on('SIGINT', () => stop('SIGINT', 0));
  const crash = (error: unknown): void => {
    log.error({ error }, 'nobody caught this');
    stop('an uncaught error', 1);
  };
  // What is written to them after that is lost, and nothing that anybody waits for hangs on it.
  process.stdout.on('error', (error) => {
    if (!isStopping) sayLast(`the log can't be written to stdout, so the bot stops: ${error.message}`);
    stop('the log has no reader', 1);
  });
  process.stderr.on('error', (error) => {
    if (!isStopping) log.error({ error }, 'stderr takes nothing any more');
    stop('stderr takes nothing any more', 1);
  });
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);

  try {
    await app.start();
  } catch (error) {
    // A start that was stopped is no fault, and the process ends when it has let go of everything.
    if (!isStopping) throw error;
  }
}

main().catch((error: unknown) => {
  sayLast(wordsOf(asError(error)));
  process.exit(1);
});

function wordsOf(error: Error): string {
  if (error instanceof ConfigError || error instanceof StartError) return error.message;
  return `starting: ${error.message}${error.cause instanceof Error ? `: ${error.cause.message}` : ''}`;
}
