import type { Image, ImageConfig } from '@terrarium/engine';
import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { distrolessLayer, executable, joinLayers, scratchLayer } from '../../layers/index.js';
import { serverImage, toolImage, type Server } from '../../programs/server.js';
import { alpine, debian, shareLayer, withAlpinePackages, withDebianPackages } from '../bases.js';

/** What an image is built on, by a word. */
const BASES = {
  scratch: () => scratchLayer,
  distroless: () => distrolessLayer,
  alpine: () => alpine(),
  'alpine-curl': () => shareLayer('family alpine-curl', () => withAlpinePackages(alpine(), 'curl')),
  debian: () => debian('bookworm'),
  'debian-curl': () => shareLayer('family debian-curl', () => withDebianPackages(debian('bookworm'), 'curl', 'procps')),
} as const;
export type FamilyBase = keyof typeof BASES;

const ANY_TAG = /^\w[\w.-]*$/;
const SERVER_BYTES = 18_000_000;

export interface ProgramImage {
  readonly names: readonly string[];
  readonly base?: FamilyBase;
  readonly tags?: RegExp;
  readonly layersMB?: readonly number[];
  /** Programs of the kernel by their paths; of some tags others. */
  readonly programs: Readonly<Record<string, string>> | ((tag: string) => Readonly<Record<string, string>>);
  readonly more?: ImageFiles;
  readonly config?: ImageConfig;
}

/** An image whose main program runs in a machine. */
export function programImage({
  names,
  base = 'scratch',
  tags = ANY_TAG,
  layersMB = [3.2, 9.8],
  programs,
  more = {},
  config = {},
}: ProgramImage): Image {
  const filesOf = (tag: string): ImageFiles => {
    const own = typeof programs === 'function' ? programs(tag) : programs;
    const files = Object.entries(own).map(([path, program]) => [path, executable(program, SERVER_BYTES)]);
    return joinLayers(BASES[base](), Object.fromEntries(files) as ImageFiles, more);
  };
  return toolImage({
    ...{ names, tags, layersMB, files: filesOf('latest'), config },
    ...(typeof programs === 'function' ? { variant: (tag: string) => ({ files: filesOf(tag) }) } : {}),
  });
}

export interface SummaryImage {
  readonly names: readonly string[];
  readonly base?: FamilyBase;
  readonly layersMB?: readonly number[];
  readonly config?: ImageConfig;
  /** Beside the base's. */
  readonly more?: ImageFiles;
}

/** An image whose main program is known by what it listens on, prints and answers. */
export const summaryImage = (
  { names, base = 'distroless', layersMB = [3.4, 28.6], config = {}, more }: SummaryImage,
  server: Server,
): Image =>
  serverImage(
    {
      ...{ names, tags: ANY_TAG, layersMB, commands: 'any', config },
      files: more === undefined ? BASES[base]() : joinLayers(BASES[base](), more),
    },
    { declared: true, probed: true, readyAfterMs: 500, ...server },
  );
