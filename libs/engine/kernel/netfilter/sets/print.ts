import { hash32 } from '../../../machinery/random.js';
import type { AddressSet, SetType } from '../rule.js';

/** What ipset 7 prints of each type: its revision, and bytes in memory: of the set, and of a member. */
const TYPES: Readonly<Record<SetType, readonly [revision: number, empty: number, each: number]>> = {
  'hash:ip': [5, 216, 16],
  'hash:ip,port': [6, 216, 16],
  'hash:ip,port,ip': [6, 216, 24],
  'hash:ip,port,net': [8, 472, 32],
  'bitmap:port': [3, 8_264, 0],
};

/** The options of `ipset create`. */
const optionsOf = ({ name, type }: AddressSet): string =>
  type === 'bitmap:port'
    ? 'range 0-65535'
    : `family ${name.startsWith('KUBE-6-') ? 'inet6' : 'inet'} hashsize 1024 maxelem 65536 bucketsize 12 initval 0x${hash32(name).toString(16).padStart(8, '0')}`;

/** What `ipset list` prints of one set; `references`: rules that match it. Terse: without members. */
export function listSet(set: AddressSet, references: number, isTerse: boolean): string {
  const members = set.members();
  const [revision, empty, each] = TYPES[set.type];
  const head = [
    `Name: ${set.name}`,
    `Type: ${set.type}`,
    `Revision: ${revision}`,
    `Header: ${optionsOf(set)}`,
    `Size in memory: ${empty + members.length * each}`,
    `References: ${references}`,
    `Number of entries: ${members.length}`,
  ];
  return [...head, ...(isTerse ? [] : ['Members:', ...members])].map((line) => `${line}\n`).join('');
}

/** What `ipset save` prints. */
export const saveSet = (set: AddressSet): string =>
  [`create ${set.name} ${set.type} ${optionsOf(set)}`, ...set.members().map((one) => `add ${set.name} ${one}`)]
    .map((line) => `${line}\n`)
    .join('');
