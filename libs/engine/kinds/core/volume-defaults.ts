/** What the sources of pods' and persistent volumes have in common. Models pkg/apis/core/v1/defaults.go. */
import type { PersistentVolumeSpec, Volume } from '../../api/core_v1.js';

type Sources = Pick<Volume, 'hostPath' | 'azureDisk'> &
  Partial<Pick<Volume & PersistentVolumeSpec, 'iscsi' | 'rbd' | 'scaleIO'>>;

export function defaultSources({ hostPath, iscsi, rbd, azureDisk, scaleIO }: Sources): void {
  if (hostPath) hostPath.type ??= '';
  if (iscsi && !iscsi.iscsiInterface) iscsi.iscsiInterface = 'default';
  if (rbd) {
    rbd.pool ||= 'rbd';
    rbd.user ||= 'admin';
    rbd.keyring ||= '/etc/ceph/keyring';
  }
  if (azureDisk) {
    azureDisk.cachingMode ??= 'ReadWrite';
    azureDisk.kind ??= 'Shared';
    azureDisk.fsType ??= 'ext4';
    azureDisk.readOnly ??= false;
  }
  if (scaleIO) {
    scaleIO.storageMode ||= 'ThinProvisioned';
    scaleIO.fsType ||= 'xfs';
  }
}
