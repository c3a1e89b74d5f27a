import fs from 'node:fs';
import path from 'node:path';
import { preloadsOf, type Manifest } from './preloads.js';

/** Vite has named it by its content. */
const ASSETS = 'assets';
const MANIFEST = '.vite/manifest.json';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.map': 'application/json',
  '.json': 'application/json',
};
/** The build has compressed what is worth it; the smallest first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

export interface ConsoleFile {
  readonly type: string;
  readonly body: Buffer;
  readonly encoding?: string;
}

/** The files of the console's build, each read once, when it is first asked for. */
export class ConsoleFiles {
  private readonly names: ReadonlySet<string>;
  private readonly read = new Map<string, Buffer>();
  private readonly manifest: Manifest;

  constructor(private readonly folder: string) {
    const assets = path.join(folder, ASSETS);
    this.names = new Set(fs.existsSync(assets) ? fs.readdirSync(assets) : []);
    const manifest = path.join(folder, MANIFEST);
    this.manifest = fs.existsSync(manifest) ? (JSON.parse(fs.readFileSync(manifest, 'utf8')) as Manifest) : {};
  }

  /** The page of a URL, with what its view needs named ahead; undefined when the console is not built. */
  page(url: string): string | undefined {
    const file = path.join(this.folder, 'index.html');
    if (!fs.existsSync(file)) return undefined;
    const links = preloadsOf(this.manifest, url).map((name) => `<link rel="modulepreload" href="/${name}">`);
    return this.load(file)
      .toString('utf8')
      .replace('</head>', `${links.join('')}</head>`);
  }

  /** One of the assets, in the best encoding that the client accepts. */
  asset(name: string, accepted: string): ConsoleFile | undefined {
    if (!this.names.has(name)) return undefined;
    const type = TYPES[path.extname(name)] ?? 'application/octet-stream';
    for (const [encoding, extension] of ENCODINGS)
      if (accepted.includes(encoding) && this.names.has(name + extension))
        return { type, encoding, body: this.load(path.join(this.folder, ASSETS, name + extension)) };
    return { type, body: this.load(path.join(this.folder, ASSETS, name)) };
  }

  private load(file: string): Buffer {
    let body = this.read.get(file);
    if (!body) this.read.set(file, (body = fs.readFileSync(file)));
    return body;
  }
}

/** Beside the compiled programs, in dist/; below the working folder for those that run from source. */
export function findConsole(): ConsoleFiles {
  const beside = path.join(import.meta.dirname, '../../../console');
  return new ConsoleFiles(fs.existsSync(path.join(beside, 'index.html')) ? beside : path.resolve('dist/console'));
}
