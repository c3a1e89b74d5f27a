import { SeededRandom } from '../../machinery/random.js';
import type { Bytes } from '../bytes.js';
import { SystemError } from '../errno.js';
import { zeros } from '../files/content.js';
import type { State } from '../state.js';
import type { OpenDevice } from './description.js';

/** Of one call: more comes with the next. */
const MAX_ZEROS = 16 * 1024 * 1024;
const MAX_RANDOM = 1024 * 1024;

export function readDevice(state: State, open: OpenDevice, max: number): Bytes {
  switch (open.device) {
    case 'null':
      return '';
    case 'zero':
    case 'full':
      return zeros(Math.min(max, MAX_ZEROS));
    case 'random': {
      const length = Math.min(max, MAX_RANDOM);
      const random = new SeededRandom(state.seed, open.id * 2 ** 32 + open.offset);
      open.offset += length;
      let bytes = '';
      for (let i = 0; i < length; i++) bytes += String.fromCharCode(random.below(256));
      return bytes;
    }
  }
}

export function writeDevice(open: OpenDevice, bytes: Bytes): number {
  if (open.device === 'full') throw new SystemError('ENOSPC');
  return bytes.length;
}

/** Devices by their major and minor numbers. */
export const DEVICES: Readonly<Record<string, OpenDevice['device']>> = {
  '1,3': 'null',
  '1,5': 'zero',
  '1,7': 'full',
  '1,8': 'random',
  '1,9': 'random',
};
