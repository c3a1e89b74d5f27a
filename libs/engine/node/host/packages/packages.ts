import { textOf } from '../../../kernel/bytes.js';
import type { Disk } from '../files/disk.js';

/** What dpkg knows of the packages that are installed on a node from Kubernetes' repository. */
export const PACKAGES_FILE = '/var/lib/dpkg/status';
/** Where apt finds that repository. */
export const SOURCES_FILE = '/etc/apt/sources.list.d/kubernetes.list';

export interface NodePackage {
  readonly name: string;
  /** '1.36.3-1.1'. */
  readonly version: string;
  /** Nothing but a request for it by name changes it: `apt-mark hold`. */
  readonly isHeld: boolean;
}

/** The packages that move with a release; their revision is the same for all of them. */
export const RELEASE_PACKAGES = ['kubeadm', 'kubectl', 'kubelet'] as const;
const REVISION = '1.1';

/** 'v1.36.3' becomes '1.36.3-1.1'. */
export const packageVersion = (release: string): string => `${release.slice(1)}-${REVISION}`;

/** 'v1.36.3' of '1.36.3-1.1'. */
export const releaseOfPackage = (version: string): string => `v${version.split('-', 1)[0]}`;

/** As a guide of kubeadm has them installed. */
export const installedPackages = (release: string): NodePackage[] => [
  { name: 'cri-tools', version: '1.36.0-1.1', isHeld: false },
  ...RELEASE_PACKAGES.map((name) => ({ name, version: packageVersion(release), isHeld: true })),
  { name: 'kubernetes-cni', version: '1.8.0-1.1', isHeld: false },
];

export const formatPackages = (packages: readonly NodePackage[]): string =>
  packages
    .map(({ name, version, isHeld }) =>
      [
        `Package: ${name}`,
        `Status: ${isHeld ? 'hold' : 'install'} ok installed`,
        'Priority: optional',
        'Section: admin',
        'Maintainer: Kubernetes Authors <dev@kubernetes.io>',
        'Architecture: amd64',
        `Version: ${version}`,
        '\n',
      ].join('\n'),
    )
    .join('');

export function parsePackages(text: string): NodePackage[] {
  return text.split('\n\n').flatMap((paragraph) => {
    const fields = new Map(paragraph.split('\n').map((line) => splitField(line)));
    const [name, version] = [fields.get('Package'), fields.get('Version')];
    return name && version ? [{ name, version, isHeld: fields.get('Status')?.startsWith('hold') ?? false }] : [];
  });
}

function splitField(line: string): [name: string, value: string] {
  const at = line.indexOf(':');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).trim()];
}

/** The release of a package that is installed on a node ('v1.36.3'); undefined: it is not. */
export function installedRelease(disk: Disk, name: string): string | undefined {
  const found = parsePackages(textOf(disk.read(PACKAGES_FILE) ?? '')).find((one) => one.name === name);
  return found && releaseOfPackage(found.version);
}

/** The minor release whose repository apt was told to ask: 'v1.36'; undefined: none. */
export const repositoryOf = (disk: Disk): string | undefined =>
  /^deb .*pkgs\.k8s\.io\/core:\/stable:\/(v1\.\d+)\/deb/m.exec(textOf(disk.read(SOURCES_FILE) ?? ''))?.[1];
