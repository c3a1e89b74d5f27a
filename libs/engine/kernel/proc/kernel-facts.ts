/** The node's kernel: what uname says too. */
export const KERNEL_RELEASE = '6.12.57+deb13-amd64';
export const KERNEL_VERSION = '#1 SMP PREEMPT_DYNAMIC Debian 6.12.57-1 (2025-11-05)';

/** What a process sees of the kernel that answers it. */
export interface KernelFacts {
  /** uname -r. */
  readonly release: string;
  /** uname -v. */
  readonly version: string;
  /** /proc/version, without its newline. */
  readonly banner: string;
}

/** A line of the kernel's log: seconds since its start, and what it says. */
export interface KernelMessage {
  readonly at: number;
  readonly text: string;
}

export const LINUX: KernelFacts = {
  release: KERNEL_RELEASE,
  version: KERNEL_VERSION,
  banner: `Linux version ${KERNEL_RELEASE} (debian-kernel@lists.debian.org) (gcc-12 12.2.0) ${KERNEL_VERSION}`,
};

const GVISOR_RELEASE = '4.19.0-gvisor';
const GVISOR_VERSION = '#1 SMP Sun Jan 10 15:06:54 PST 2016';
/** Models gVisor's pkg/sentry/kernel/version.go. */
export const GVISOR: KernelFacts = {
  release: GVISOR_RELEASE,
  version: GVISOR_VERSION,
  banner: `Linux version ${GVISOR_RELEASE} ${GVISOR_VERSION}`,
};

/** Kernels that a container may have instead of the node's. */
export type KernelName = 'gvisor';

/** What the node's kernel has said since its start: seconds, and its words. */
export const BOOT_LOG: readonly KernelMessage[] = [
  [0, `Linux version ${KERNEL_RELEASE} (debian-kernel@lists.debian.org) (gcc-12 12.2.0) ${KERNEL_VERSION}`],
  [0, 'Command line: BOOT_IMAGE=/boot/vmlinuz-6.12.57+deb13-amd64 root=/dev/vda1 ro console=ttyS0'],
  [0, 'BIOS-provided physical RAM map:'],
  [0, 'Hypervisor detected: KVM'],
  [0.008412, 'Memory: 8149712K/8388216K available'],
  [0.121573, 'smpboot: Allowing 2 CPUs, 0 hotplug CPUs'],
  [0.204911, 'rcu: Hierarchical RCU implementation.'],
  [0.412006, 'Freeing SMP alternatives memory: 40K'],
  [0.873344, 'NET: Registered PF_INET protocol family'],
  [1.402818, 'virtio_blk virtio2: [vda] 209715200 512-byte logical blocks (107 GB/100 GiB)'],
  [1.41225, ' vda: vda1'],
  [2.118734, 'EXT4-fs (vda1): mounted filesystem with ordered data mode. Quota mode: none.'],
  [2.530127, 'systemd[1]: systemd 257 running in system mode (+PAM +AUDIT +SELINUX +APPARMOR)'],
  [2.688315, 'systemd[1]: Detected virtualization kvm.'],
  [3.906122, 'bridge: filtering via arp/ip/ip6tables is no longer available by default.'],
  [3.91187, 'br_netfilter: module loaded'],
  [4.204317, 'overlayfs: module loaded'],
].map(([at, text]) => ({ at: at as number, text: text as string }));
