import { sha256 } from '../../../machinery/crypto/sha256.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** iptables takes names of at most 28 characters. */
const HASH_CHARACTERS = 16;

/** The first characters of the base 32 of a SHA-256. Models pkg/proxy/iptables portProtoHash. */
export function chainHash(text: string): string {
  const bytes = sha256(text);
  let out = '';
  for (let i = 0; i < HASH_CHARACTERS; i++) {
    const bit = i * 5;
    const pair = (bytes[bit >> 3]! << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    out += ALPHABET[(pair >> (11 - (bit & 7))) & 31]!;
  }
  return out;
}

/** 'KUBE-SVC-…', of a port by its name 'ns/service:port' and its protocol in small letters. */
export const clusterChain = (port: string, protocol: string): string => `KUBE-SVC-${chainHash(port + protocol)}`;
export const localChain = (port: string, protocol: string): string => `KUBE-SVL-${chainHash(port + protocol)}`;
export const externalChain = (port: string, protocol: string): string => `KUBE-EXT-${chainHash(port + protocol)}`;
export const firewallChain = (port: string, protocol: string): string => `KUBE-FW-${chainHash(port + protocol)}`;

/** `endpoint`: '10.244.1.5:80'. */
export const endpointChain = (port: string, protocol: string, endpoint: string): string =>
  `KUBE-SEP-${chainHash(port + protocol + endpoint)}`;
