import { sha1 } from '@noble/hashes/legacy.js';
import type { Pod } from '../../../api/core_v1.js';
import { hex } from '../../../machinery/crypto/sha256.js';
import { hash32 } from '../../../machinery/random.js';
import { encodeUtf8 } from '../../../machinery/text/utf8.js';

const sha1Hex = (text: string): string => hex(sha1(encodeUtf8(text)));

/** The node's end of a pod's pair, as the ptp and bridge plug-ins name it. */
export const vethOf = ({ metadata }: Pod): string =>
  `veth${hash32(metadata.uid ?? '')
    .toString(16)
    .padStart(8, '0')}`;

/** The same as Calico names it. Models libcalico-go's VethNameForWorkload. */
export const caliOf = ({ metadata }: Pod): string =>
  `cali${sha1Hex(`${metadata.namespace}.${metadata.name}`).slice(0, 11)}`;

/** The same as Cilium names it: lxc and a part of a digest. */
export const lxcOf = ({ metadata }: Pod): string => `lxc${sha1Hex(metadata.uid ?? '').slice(0, 12)}`;
