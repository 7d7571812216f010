import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

interface Build {
  readonly entries: readonly string[];
  readonly outDir: string;
}

const COMMANDS = ['src/doctor.ts', 'src/check-policy.ts', 'src/verify-audit.ts', 'src/propose.ts'];
/** What is shipped: `npm start` and the image run it. */
const SHIPPED: Build = { entries: ['src/main.ts', ...COMMANDS], outDir: 'dist' };
/** What is built in place of it, by vite's mode. */
const OTHERS: Readonly<Record<string, Build>> = {
  /** The bot with the waits of a sandbox, and the commands, for tests and random faults that start them hundreds of times. */
  sandbox: { entries: ['sandbox/bot.ts', ...COMMANDS], outDir: '.build/sandbox' },
  /** The bot with what a benchmark wants otherwise. */
  bench: { entries: ['bench/harness/product-process.ts'], outDir: '.build/bench' },
};

/**
 * The bot with its packages in a few files, which need no node_modules: loading each module from a file of its own takes
 * longer than all else that the bot does at its start. Names are kept, and each module's path stands above it, so that a
 * stack trace can be read in the built files.
 */
export default defineConfig(({ mode }) => {
  const { entries, outDir } = OTHERS[mode] ?? SHIPPED;
  return {
    logLevel: 'warn',
    // The secrets of a .env are nothing that a build needs.
    envDir: false,
    plugins: [filesNamedByModules(), packagesListed()],
    build: {
      ssr: true,
      ssrEmitAssets: true,
      outDir,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      license: { fileName: 'LICENSES.txt' },
      rolldownOptions: {
        input: [...entries],
        output: {
          // V8 keeps a file's text for as long as it runs, in two bytes a character unless all of it is ASCII.
          charset: 'ascii',
          comments: { legal: true, annotation: false, jsdoc: false },
          entryFileNames: '[name].js',
          chunkFileNames: ({ name }) => `chunks/${name.replaceAll('~', '-')}.js`,
          assetFileNames: 'files/[name][extname]',
          // Compiling one large file takes memory that is never given back.
          codeSplitting: {
            groups: [{ name: packageOf, debugName: 'packages', test: /node_modules/, entriesAware: true }],
          },
        },
      },
    },
    ssr: {
      noExternal: true,
      // Native, and optional to what uses it.
      external: ['msgpackr-extract'],
    },
  };
});

/** The package that a module belongs to, as a file name. */
function packageOf(moduleId: string): string | null {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(moduleId)?.[1]?.replace('/', '-') ?? null;
}

/** What an SBOM takes of a package.json. */
interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

const SBOM = 'sbom.cdx.json';

/** Lists each package of which something is in the built files, as CycloneDX, for who looks for known faults in it. */
function packagesListed(): Plugin {
  return {
    name: 'packages-listed',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const folders = new Set(
        modules.flatMap((id) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
      );
      const components = [...folders].map((folder) => componentOf('library', folder)).toSorted(byName);
      const root = componentOf('application', '.');
      const listed = {
        bomFormat: 'CycloneDX',
        specVersion: '1.5',
        version: 1,
        metadata: { component: root },
        components,
      };
      this.emitFile({ type: 'asset', fileName: SBOM, source: JSON.stringify(listed, undefined, 2) });
    },
  };
}

function componentOf(type: string, folder: string) {
  // What npm has installed has a name, a version and mostly a license.
  const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Package;
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  // An id like MIT is an expression of one; UNLICENSED is none.
  const isExpression = license !== undefined && license !== 'UNLICENSED';
  return {
    type,
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: isExpression ? [{ expression: license }] : [],
  };
}

const byName = (one: { name: string; version: string }, other: { name: string; version: string }): number =>
  `${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1;

const FILE_OF_MODULE = /\bnew URL\('(\.{1,2}\/[^']+)', import\.meta\.url\)/g;

/** Puts each file that a module names by `new URL('./…', import.meta.url)` beside what is built, a module as code, and names it there. */
function filesNamedByModules(): Plugin {
  return {
    name: 'files-named-by-modules',
    // Vite's own way names a path of a web site.
    enforce: 'pre',
    resolveFileUrl: ({ relativePath }) => `new URL(${JSON.stringify(relativePath)}, import.meta.url)`,
    transform: {
      filter: { id: { exclude: /node_modules/ }, code: 'import.meta.url' },
      handler(code, id) {
        const named = code.replaceAll(FILE_OF_MODULE, (_, path: string) => {
          const file = resolve(dirname(id), path);
          const emitted = path.endsWith('.ts')
            ? ({ type: 'chunk', id: file, preserveSignature: 'strict' } as const)
            : ({ type: 'asset', name: basename(file), source: readFileSync(file) } as const);
          return `import.meta.ROLLUP_FILE_URL_${this.emitFile(emitted)}`;
        });
        return { code: named, map: null };
      },
    },
  };
}
