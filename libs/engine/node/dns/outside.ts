import type { Reader } from '../../machinery/reader.js';
import { webAddressOf } from '../network/web/web-server.js';
import type { NameAnswer, NameRecord } from '../../kernel/process/syscalls.js';

const ROOT: NameRecord = {
  name: '.',
  type: 'SOA',
  ttl: 86_400,
  data: 'a.root-servers.net. nstld.verisign-grs.com. 2026010100 1800 900 604800 86400',
};
/** Top-level domains of three letters and more that names in lessons and images have; those of two are countries'. */
const TOP_LEVEL = new Set(
  (
    'com org net edu gov mil int info biz name pro arpa app dev cloud online site tech store shop xyz page blog ' +
    'agency company systems network solutions services software tools digital media live news social team zone ' +
    'academy training technology engineering eco bio club life world host website space run ink wiki'
  ).split(' '),
);

/**
 * What the resolver of the nodes' network answers. It knows the root of the world's names, so that it denies what has
 * no top-level domain; the servers below are out of reach, as the network is closed, but for hosts that an author has
 * files for (WebFile).
 */
export function answerOutside(name: string, type: string, read?: Reader): NameAnswer {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.');
  const top = labels.at(-1) ?? '';
  const isPrivate = top === 'arpa' && type === 'PTR';
  const base = { records: [], isAuthoritative: false, canRecurse: true, delay: 0 };
  const address = read && webAddressOf(read, name);
  if (address !== undefined) {
    const record: NameRecord = {
      name: `${name.toLowerCase().replace(/\.$/, '')}.`,
      type: 'A',
      ttl: 300,
      data: address,
    };
    return { ...base, code: 'NOERROR', records: type === 'A' ? [record] : [] };
  }
  if (labels.length === 1 && TOP_LEVEL.has(top)) return { ...base, code: 'NOERROR', authority: [ROOT] };
  if (!isPrivate && isDelegated(top)) return { ...base, code: 'SERVFAIL' };
  return { ...base, code: 'NXDOMAIN', authority: [ROOT] };
}

const isDelegated = (top: string): boolean => TOP_LEVEL.has(top) || /^[a-z]{2}$/.test(top);
