import { sha256 } from '@noble/hashes/sha2.js';
import { base64 } from '@scure/base';
import { toArray, type Bytes } from '../../../../engine/kernel/bytes.js';

/** What is kept of a password. */
export const hashPassword = (password: Bytes): string => base64.encode(sha256(toArray(password)));
