import type { Program } from '../../../engine/kernel/process/program.js';
import { crictl } from './crictl.js';
import { etcdctl } from './etcd/etcdctl.js';
import { journalctl } from './journalctl.js';
import { kubeadm } from './kubeadm/kubeadm.js';
import { systemctl } from './systemctl.js';

/** What a node has beside an image's tools. */
export const programs: Readonly<Record<string, Program>> = {
  'node:crictl': crictl,
  'node:etcdctl': etcdctl,
  'node:etcdutl': etcdctl,
  'node:kubeadm': kubeadm,
  'systemd:systemctl': systemctl,
  'systemd:journalctl': journalctl,
};
