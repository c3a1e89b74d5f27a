import type { Container, Pod } from '../../api/core_v1.js';
import { CSIDrivers, Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';

/**
 * Provisioners that every cluster here has, as if they were installed, and who they say they are in their events: the
 * one of the default class, and those of the classes that documentation takes for granted.
 */
const INSTALLED: ReadonlyMap<string, string> = new Map([
  ['rancher.io/local-path', 'local-path-provisioner'],
  ['k8s.io/minikube-hostpath', 'storage-provisioner'],
  ['hostpath.csi.k8s.io', 'csi-hostpathplugin-0'],
  ['ebs.csi.aws.com', 'ebs-csi-controller'],
  ['efs.csi.aws.com', 'efs-csi-controller'],
  ['pd.csi.storage.gke.io', 'csi-gce-pd-controller'],
  ['filestore.csi.storage.gke.io', 'filestore-csi-controller'],
  ['disk.csi.azure.com', 'csi-azuredisk-controller'],
  ['file.csi.azure.com', 'csi-azurefile-controller'],
  ['cinder.csi.openstack.org', 'csi-cinder-controllerplugin'],
  ['csi.vsphere.vmware.com', 'vsphere-csi-controller'],
  ['dobs.csi.digitalocean.com', 'csi-do-controller-0'],
]);

const IN_TREE = 'kubernetes.io/';
/** Plug-ins of old whose volumes a driver makes now. Models k8s.io/csi-translation-lib/plugins. */
const MIGRATED: ReadonlyMap<string, string> = new Map([
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['kubernetes.io/azure-file', 'file.csi.azure.com'],
  ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
  ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
]);

/**
 * Who is asked for the volumes of a class; undefined: no plug-in has this name. Models findProvisionablePlugin of
 * pkg/controller/volume/persistentvolume/pv_controller.go.
 */
export const provisionerOf = (name: string): string | undefined =>
  name.startsWith(IN_TREE) ? MIGRATED.get(name) : name;

/** Whether somebody makes the volumes that this provisioner is asked for; 'local-path-provisioner': who it is. */
export function findProvisioner(read: Reader, name: string): string | undefined {
  const installed = INSTALLED.get(name);
  if (installed !== undefined) return installed;
  return read.list(Pods).find((pod) => isProvisionerPod(pod) && serves(read, pod, name))?.metadata.name;
}

const IMAGE = /provisioner/;
const SIDECAR = /\/csi-provisioner(:|@|$)/;

/** Whether a pod runs that may be some provisioner. */
export const isProvisionerPod = (pod: Pod | undefined): boolean =>
  pod?.status.phase === 'Running' && pod.spec.containers.some(({ image = '' }) => IMAGE.test(image));

/** It is told its name by a variable or a flag; a driver's sidecar serves the drivers that are registered. */
const serves = (read: Reader, { spec }: Pod, name: string): boolean =>
  spec.containers.some(
    (container) =>
      IMAGE.test(container.image ?? '') &&
      (isTold(container, name) ||
        (SIDECAR.test(container.image ?? '') && read.get(CSIDrivers, { namespace: '', name }) !== undefined)),
  );

const isTold = ({ env = [], args = [], command = [] }: Container, name: string): boolean =>
  env.some(({ value }) => value === name) ||
  [...command, ...args].some((word) => word === name || word.endsWith(`=${name}`));
