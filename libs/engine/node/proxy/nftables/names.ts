import { base32Hash } from '../base32-hash.js';
import type { ProxyEndpoint } from '../endpoints.js';
import type { ServicePortInfo } from '../service-port.js';

/** Characters of the hash that stands first. */
const HASH_CHARACTERS = 8;
/** nft takes names of 256 characters; the longest prefix takes 16 of them. */
const MAX_LENGTH = 240;

/** 'ULMVA6XW-ns1/svc1/tcp/p80'. Models pkg/proxy/nftables servicePortChainNameBase. */
export const portBase = (port: ServicePortInfo): string => hashAndTruncate(textOf(port));

/** '5OJB2KTY-ns1/svc1/tcp/p80__10.180.0.1/80'. */
export const endpointBase = (port: ServicePortInfo, { ip, port: number }: ProxyEndpoint): string =>
  hashAndTruncate(`${textOf(port)}__${ip.replaceAll(':', '.')}/${number}`);

function textOf({ name, protocol, portName }: ServicePortInfo): string {
  const service = portName === '' ? name : name.slice(0, -portName.length - 1);
  return `${service}/${protocol}/${portName}`;
}

function hashAndTruncate(name: string): string {
  const text = `${base32Hash(name, HASH_CHARACTERS)}-${name}`;
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 3)}...` : text;
}
