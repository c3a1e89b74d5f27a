import { LRUCache } from 'lru-cache';
import type { Start } from '../../engine/node/cri/image.js';
import type { ImageFiles } from '../../engine/kernel/files/file.js';
import { alpineLayer, alpinePackages, debianLayer, debianPackages, joinLayers, ubuntuLayer } from '../layers/index.js';
import { lastOfLine } from './version-lines.js';

/** Variants by release and image that are kept; others are made again. */
const MAX_LAYERS = 64;
// oxlint-disable-next-line house/no-module-state -- files of images, which no cluster has a part in
const known = new LRUCache<string, ImageFiles>({ max: MAX_LAYERS });

/** Layers are made when an image is first pulled, and shared by all containers. */
export function shareLayer(name: string, make: () => ImageFiles): ImageFiles {
  const found = known.get(name) ?? make();
  known.set(name, found);
  return found;
}

/** Names the release that files come from. */
export const releaseOf = (files: ImageFiles): string => files['/usr/lib/os-release']?.content ?? '';

const LATEST_ALPINE = '3.23.2';
const DEBIAN: Readonly<Record<string, string>> = {
  '10': '10.13',
  '11': '11.11',
  '12': '12.12',
  '13': '13.2',
  buster: '10.13',
  bullseye: '11.11',
  bookworm: '12.12',
  trixie: '13.2',
  oldstable: '12.12',
};
const UBUNTU: Readonly<Record<string, string>> = { focal: '20.04', jammy: '22.04', noble: '24.04' };

/** Debian by a version or the name of a release: 13.2 when the tag says nothing. */
export function debian(tag = ''): ImageFiles {
  const version = DEBIAN[/buster|bullseye|bookworm|trixie|oldstable/.exec(tag)?.[0] ?? ''] ?? '13.2';
  return shareLayer(`debian ${version}`, () => debianLayer(version));
}

/** The image debian itself, whose tags begin with the version. */
export function debianOf(tag: string): ImageFiles {
  const version = DEBIAN[/^\d+/.exec(tag)?.[0] ?? ''];
  return version === undefined ? debian(tag) : shareLayer(`debian ${version}`, () => debianLayer(version));
}

export function ubuntu(tag = ''): ImageFiles {
  const version = /\d\d\.\d\d/.exec(tag)?.[0] ?? UBUNTU[/focal|jammy|noble/.exec(tag)?.[0] ?? ''] ?? '24.04';
  return shareLayer(`ubuntu ${version}`, () => ubuntuLayer(version));
}

/** Alpine by a version such as `3.20` or `3.20.3`. */
export function alpine(tag = ''): ImageFiles {
  const [, minor, patch] = /(?:alpine|^)3\.(\d+)(?:\.(\d+))?/.exec(tag) ?? [];
  const version = minor === undefined ? LATEST_ALPINE : `3.${minor}.${patch ?? (minor === '23' ? '2' : '0')}`;
  return shareLayer(`alpine ${version}`, () => alpineLayer(version));
}

/** Alpine for tags that say so, else Debian. */
export const debianOrAlpine = (tag: string): ImageFiles => (tag.includes('alpine') ? alpine(tag) : debian(tag));

/** A base with packages of its distribution. */
export const withDebianPackages = (base: ImageFiles, ...names: readonly string[]): ImageFiles =>
  joinLayers(base, debianPackages(...names));

export const withAlpinePackages = (base: ImageFiles, ...names: readonly string[]): ImageFiles =>
  joinLayers(base, alpinePackages(...names));

/** The version that a tag begins with, in full: '1.27' of a known line, '8.4.0' of 'latest'. */
export function versionOf(tag: string, latest: string): string {
  const found = /^v?(\d+(?:\.\d+)*)/.exec(tag)?.[1];
  if (found === undefined) return latest;
  if (latest === found || latest.startsWith(`${found}.`)) return latest;
  const last = lastOfLine(found, latest);
  if (last !== undefined) return last;
  const missing = latest.split('.').length - found.split('.').length;
  return found + '.0'.repeat(Math.max(0, missing));
}

/** The version of the image that a container runs, by its tag. */
export const versionOfStart = ({ container }: Pick<Start, 'container'>, latest: string): string =>
  versionOf(/:([^@]+)/.exec((container.image ?? '').split('/').at(-1)!)?.[1] ?? '', latest);
