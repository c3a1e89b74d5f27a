// The console, by Vite: to dist/console, with every file that is worth it compressed beside it.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { root } from './paths.mjs';

const COMPRESSED = /\.(?:js|css|svg|json)$/;
/** Below, the header of an encoding costs more than it saves. */
const FROM_BYTES = 500;
const BROTLI_QUALITY = 9;

/** Builds with `run` into `fresh`, and swaps it in when it is whole. */
export async function buildConsole(run, fresh) {
  const config = path.join(root, 'apps/console/vite.config.ts');
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  await run(process.execPath, [vite, 'build', '--config', config, '--outDir', fresh, '--logLevel', 'error'], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
  compressAssets(path.join(fresh, 'assets'));
  const target = path.join(root, 'dist/console');
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.rmSync(target, { recursive: true, force: true });
  fs.renameSync(fresh, target);
}

function compressAssets(folder) {
  for (const name of fs.readdirSync(folder)) {
    const body = fs.readFileSync(path.join(folder, name));
    if (!COMPRESSED.test(name) || body.length < FROM_BYTES) continue;
    const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
    fs.writeFileSync(path.join(folder, `${name}.br`), zlib.brotliCompressSync(body, { params }));
    fs.writeFileSync(path.join(folder, `${name}.gz`), zlib.gzipSync(body, { level: 9 }));
  }
}
