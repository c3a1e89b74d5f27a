import { base32Hash } from '../base32-hash.js';

/** iptables takes names of at most 28 characters. */
const HASH_CHARACTERS = 16;

/** Models pkg/proxy/iptables portProtoHash. */
const chainHash = (text: string): string => base32Hash(text, HASH_CHARACTERS);

/** 'KUBE-SVC-…', of a port by its name 'ns/service:port' and its protocol in small letters. */
export const clusterChain = (port: string, protocol: string): string => `KUBE-SVC-${chainHash(port + protocol)}`;
export const localChain = (port: string, protocol: string): string => `KUBE-SVL-${chainHash(port + protocol)}`;
export const externalChain = (port: string, protocol: string): string => `KUBE-EXT-${chainHash(port + protocol)}`;
export const firewallChain = (port: string, protocol: string): string => `KUBE-FW-${chainHash(port + protocol)}`;

/** `endpoint`: '10.244.1.5:80'. */
export const endpointChain = (port: string, protocol: string, endpoint: string): string =>
  `KUBE-SEP-${chainHash(port + protocol + endpoint)}`;
