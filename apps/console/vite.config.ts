import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `npm start` builds this to dist/console, which the API serves (apps/api/console). */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: path.resolve(import.meta.dirname, '../../.terrarium/vite'),
  plugins: [react()],
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
    // From it the API knows which scripts the page of a link needs (apps/api/console/preloads.ts).
    manifest: true,
  },
});
