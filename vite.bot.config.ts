import { defineConfig } from 'vite';

/**
 * The bot of the sandbox as one file, for tests and runs of faults that start it hundreds of times: loading it from its
 * packages takes twice as long as anything else that it does at its start. What is shipped is built by `npm run build`.
 */
export default defineConfig({
  logLevel: 'warn',
  build: {
    ssr: 'sandbox/bot.ts',
    outDir: 'node_modules/.cache/lamplighter-bot',
    target: 'node20',
  },
  ssr: {
    noExternal: true,
    // Native, and optional to who uses it.
    external: ['msgpackr-extract'],
  },
});
