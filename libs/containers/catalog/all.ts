import type { Image } from '@terrarium/engine';
import { families } from './families/index.js';
import { images } from './index.generated.js';

/** Every image of the catalogue. */
export const allImages: readonly Image[] = [...images, ...families];
