import type { Program } from '../../../engine/kernel/process/program.js';
import { aaStatus, apparmorParser } from './apparmor.js';
import { crictl } from './cri/crictl/crictl.js';
import { ctr } from './cri/ctr.js';
import { etcdctl, etcdutl } from './etcd/etcdctl.js';
import { hostnamectl, timedatectl } from './host-settings.js';
import { journalctl } from './systemd/journalctl.js';
import { kubeadm } from './kubeadm/kubeadm.js';
import { lsmod, modprobe, swapoff, swapon } from './modules.js';
import { scp } from './ssh/scp.js';
import { sshCopyId } from './ssh/copy-id.js';
import { sshKeygen } from './ssh/keygen.js';
import { ssh } from './ssh/ssh.js';
import { sudo } from './sudo.js';
import { systemctl } from './systemd/systemctl.js';
import { containerd, criDockerd, kubelet, runc, runsc } from './versions.js';

/** What a node has beside an image's tools. */
export const programs: Readonly<Record<string, Program>> = {
  'node:crictl': crictl,
  'node:ctr': ctr,
  'node:etcdctl': etcdctl,
  'node:etcdutl': etcdutl,
  'node:kubeadm': kubeadm,
  'node:kubelet': kubelet,
  'node:containerd': containerd,
  'node:cri-dockerd': criDockerd,
  'node:runc': runc,
  'node:ssh': ssh,
  'node:scp': scp,
  'node:ssh-copy-id': sshCopyId,
  'node:ssh-keygen': sshKeygen,
  'node:runsc': runsc,
  'node:sudo': sudo,
  'apparmor:apparmor_parser': apparmorParser,
  'apparmor:aa-status': aaStatus,
  'apparmor:apparmor_status': aaStatus,
  'kmod:lsmod': lsmod,
  'kmod:modprobe': modprobe,
  'mount:swapoff': swapoff,
  'mount:swapon': swapon,
  'systemd:systemctl': systemctl,
  'systemd:journalctl': journalctl,
  'systemd:hostnamectl': hostnamectl,
  'systemd:timedatectl': timedatectl,
};
