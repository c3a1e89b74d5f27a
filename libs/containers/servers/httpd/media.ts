import type { Bytes } from '../../../engine/kernel/bytes.js';
import { findAll, type Directive } from './configuration.js';

/** By endings, as the image's mime.types has them. */
const TYPES: Readonly<Record<string, string>> = {
  ...{ html: 'text/html', htm: 'text/html', css: 'text/css', js: 'text/javascript', mjs: 'text/javascript' },
  ...{ txt: 'text/plain', text: 'text/plain', conf: 'text/plain', log: 'text/plain', csv: 'text/csv' },
  ...{ json: 'application/json', xml: 'application/xml', pdf: 'application/pdf', wasm: 'application/wasm' },
  ...{ zip: 'application/zip', gz: 'application/x-gzip', tgz: 'application/x-gzip', tar: 'application/x-tar' },
  ...{ png: 'image/png', gif: 'image/gif', jpg: 'image/jpeg', jpeg: 'image/jpeg', svg: 'image/svg+xml' },
  ...{ ico: 'image/x-icon', webp: 'image/webp', mp4: 'video/mp4', mp3: 'audio/mpeg', md: 'text/markdown' },
};

/** Undefined: the answer says no type. */
export function mediaType(blocks: readonly (readonly Directive[])[], file: Bytes): string | undefined {
  const forced = blocks.flatMap((block) => findAll(block, 'forcetype')).at(-1)?.args[0];
  if (forced !== undefined && forced.toLowerCase() !== 'none') return forced;
  const name = file.slice(file.lastIndexOf('/') + 1);
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  const added = blocks
    .flatMap((block) => findAll(block, 'addtype'))
    .findLast(({ args }) => args.slice(1).some((one) => one.replace(/^\./, '').toLowerCase() === ending));
  return added?.args[0] ?? (Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined);
}
