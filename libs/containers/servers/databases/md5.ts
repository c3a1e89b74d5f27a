import { md5 as digest } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { encodeUtf8 } from '../../../engine/machinery/text/utf8.js';

/** In hexadecimal digits. */
export const md5 = (text: string): string => bytesToHex(digest(encodeUtf8(text)));
