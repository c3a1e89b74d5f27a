import type { ImageFiles } from '../../engine/kernel/files/file.js';

/** FROM scratch: nothing but what an image adds. */
export const scratchLayer: ImageFiles = {};
