import { loadAdapter } from '../../src/app/load-adapter.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from '../sandbox.ts';
import { createBotLife } from './bot-life.ts';
import { createOperationsReader } from './operations.ts';
import { buildPage } from './page-files.ts';
import { startWebServer } from './server.ts';
import { commandsAt } from './snapshot.ts';
import { createTroubles } from './trouble.ts';

/** A sandbox whose bot is a process of its own, and a page in which its Slack is seen. */
export interface WebSandbox {
  readonly sandbox: Sandbox;
  readonly url: string;
  /** All that the page loads, compressed, in bytes. */
  readonly compressedBytes: number;
  close(): Promise<void>;
}

/** Opens a sandbox with its page at `port`, 0 for any. The bot must be built. Rejects as `openSandbox` does. */
export async function openWeb(options: SandboxOptions, port: number): Promise<WebSandbox> {
  const [files, sandbox] = await Promise.all([buildPage(), openSandbox({ ...options, bot: false })]);
  let changed = (): void => undefined;
  const bot = createBotLife({
    env: sandbox.env,
    timings: options.timings ?? {},
    onAddress: (requestUrl) => sandbox.slack.connect({ requestUrl }),
    onChange: () => changed(),
  });
  const troubles = createTroubles(sandbox, bot, () => changed());
  const operations = createOperationsReader(sandbox.redisUrl);
  const close = async (): Promise<void> => {
    operations.close();
    await bot.stop();
    await sandbox.close();
  };
  try {
    await bot.start();
    const commands = commandsAt(await loadAdapter(sandbox.service.kind));
    const server = await startWebServer({ sandbox, bot, troubles, operations, files, commands }, port);
    ({ changed } = server);
    return {
      sandbox,
      url: server.url,
      compressedBytes: files.compressedBytes,
      close: async () => {
        await server.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
