import type { ImageFiles } from '../../../../engine/kernel/files/file.js';
import { joinLayers, readPrograms } from '../../../layers/index.js';
import { alpine, debian, releaseOf, shareLayer, withDebianPackages } from '../../bases.js';

/** A language's image: on Debian with the tools of buildpack-deps, `slim` without them, or on Alpine. */
export function languageFiles(tag: string, programs: string): ImageFiles {
  const kind = tag.includes('alpine') ? 'alpine' : tag.includes('slim') ? 'slim' : 'full';
  const base = kind === 'alpine' ? alpine(tag) : debian(tag);
  return shareLayer(`languages ${programs} ${kind} ${releaseOf(base)}`, () =>
    joinLayers(kind === 'full' ? withTools(base) : base, readPrograms(`/usr/local/bin runtime ${programs}`)),
  );
}

const withTools = (base: ImageFiles): ImageFiles =>
  withDebianPackages(base, 'curl', 'git', 'openssl', 'patch', 'procps', 'unzip', 'wget', 'xz-utils');
