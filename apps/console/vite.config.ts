import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const MANIFEST = '.vite/manifest.json';

/**
 * Vite's manifest does not name the source of a chunk that others import from, too. From it the API knows which scripts
 * the page of a link needs (apps/api/console/preloads.ts): so all that is loaded lazily is named.
 */
const nameSources = (): Plugin => ({
  name: 'terrarium:name-sources',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const asset = bundle[MANIFEST];
      if (asset?.type !== 'asset') return this.error(`there is no ${MANIFEST}`);
      const manifest = JSON.parse(String(asset.source)) as Record<string, { file: string }>;
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const entry = Object.values(manifest).find(({ file }) => file === chunk.fileName);
        for (const id of chunk.moduleIds) {
          const source = path.relative(import.meta.dirname, id).replaceAll(path.sep, '/');
          const isLazy = (this.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0;
          if (entry && isLazy && source.startsWith('src/')) manifest[source] ??= entry;
        }
      }
      asset.source = JSON.stringify(manifest);
    },
  },
});

/** `npm start` builds this to dist/console, which the API serves (apps/api/console). */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: path.resolve(import.meta.dirname, '../../.terrarium/vite'),
  plugins: [react(), nameSources()],
  build: {
    outDir: path.resolve(import.meta.dirname, '../../.terrarium/console'),
    emptyOutDir: true,
    target: 'es2022',
    // An asset in the page itself would be against its policy.
    assetsInlineLimit: 0,
    // One sheet for all views: one that is loaded again after a lost connection would come without its own.
    cssCodeSplit: false,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    manifest: true,
  },
});
