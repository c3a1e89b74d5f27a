import type { Pod } from '../../../api/core_v1.js';
import { PersistentVolumes, Pods } from '../../../kinds/index.js';
import type { FileChange } from '../../../kinds/terrarium/filechange/kind.js';
import type { Reader } from '../../../machinery/client.js';
import { keyOf, type Key } from '../../../machinery/meta/object.js';
import { isOfLog } from '../../cri/records/file-record.js';

/**
 * The pods whose containers may see a change of files that outlive a pod: those of a node that mount a part of its
 * disk, or those that mount a PersistentVolume's claim.
 */
export function podsThatSee({ tree, row }: FileChange, read: Reader): readonly Key[] {
  const [type, name = ''] = tree.split('/');
  if (type === 'node' && !isOfLog(row))
    return read.byIndex(Pods, 'unfinishedByNode', name).filter(hasHostPath).map(keyOf);
  if (type !== 'volume') return [];
  const claim = read.get(PersistentVolumes, { namespace: '', name })?.spec.claimRef;
  return claim ? read.byIndex(Pods, 'claim', `${claim.namespace}/${claim.name}`).map(keyOf) : [];
}

const hasHostPath = ({ spec }: Pod): boolean => spec.volumes?.some(({ hostPath }) => hostPath !== undefined) ?? false;
