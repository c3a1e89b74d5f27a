import type { Image } from '@terrarium/engine';
import { families } from './families/index.js';
import { images } from './index.generated.js';

const BITNAMI = 'docker.io/bitnami/';
/** Where Bitnami's images are, too: what is not paid for any more, and a mirror. */
const MIRRORS = ['docker.io/bitnamilegacy/', 'public.ecr.aws/bitnami/'];

/** A repository of Bitnami's, and the others that have the same. */
const withMirrors = (repository: string): readonly string[] =>
  repository.startsWith(BITNAMI)
    ? [repository, ...MIRRORS.map((mirror) => mirror + repository.slice(BITNAMI.length))]
    : [repository];

/** Every image of the catalogue. */
export const allImages: readonly Image[] = [...images, ...families].map((image) => ({
  ...image,
  repositories: [...new Set(image.repositories.flatMap(withMirrors))],
}));
